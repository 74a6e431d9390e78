import type { HeightMessage } from './height-message.ts';

/**
 * The script that organizers put on their own pages: `<boxoffice-tickets event="…" code="…">` shows the tickets of an event in a
 * frame of the shop that the script comes from. Pages load it as a classic script, so it declares nothing global.
 */
if (!customElements.get('boxoffice-tickets')) {
  customElements.define(
    'boxoffice-tickets',
    class TicketsElement extends HTMLElement {
      static readonly observedAttributes = ['event', 'code'];
      static readonly shop = new URL((document.currentScript as HTMLScriptElement).src).origin;
      readonly #frame = document.createElement('iframe');

      connectedCallback() {
        this.#frame.title = 'Tickets';
        // A page's content security policy allows styles that a script sets.
        Object.assign(this.#frame.style, { display: 'block', width: '100%', height: '30rem', border: '0' });
        addEventListener('message', this);
        this.#load();
        this.replaceChildren(this.#frame);
      }

      disconnectedCallback() {
        removeEventListener('message', this);
      }

      attributeChangedCallback() {
        if (this.#frame.isConnected) this.#load();
      }

      #load() {
        const event = encodeURIComponent(this.getAttribute('event') ?? '');
        const code = this.getAttribute('code');
        const query = new URLSearchParams({ host: location.origin, ...(code && { code }) });
        this.#frame.src = `${TicketsElement.shop}/embed/${event}?${query}`;
      }

      handleEvent({ origin, source, data }: MessageEvent) {
        const isFromFrame = origin === TicketsElement.shop && source === this.#frame.contentWindow;
        const { type, height } = Object(data) as Partial<HeightMessage>;
        if (isFromFrame && type === 'boxoffice:height' && Number.isFinite(height)) {
          this.#frame.style.height = `${height}px`;
        }
      }
    },
  );
}
