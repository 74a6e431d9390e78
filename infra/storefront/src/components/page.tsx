import type { OrganizerPage } from 'boxoffice-client';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { config } from '../config.ts';
import { t } from '../texts/shop.ts';

type Brand = Pick<OrganizerPage, 'accent' | 'accentText' | 'font'> | null | undefined;

interface PageProps {
  /** The title of the browser's tab. By default, the current title stays. */
  title?: string;
  /** The organizer whose color and letters the page has. */
  brand?: Brand;
  children: ComponentChildren;
}

/** Sets the title of the browser's tab, with the name of the shop. */
export function setTitle(title: string): void {
  document.title = `${title} · ${config.name}`;
}

/** Returns the attributes of an element in an organizer's color and letters. */
export function brandProps(brand: Brand): { class?: string; style?: Record<string, string | null> } {
  if (!brand) return {};
  const { accent, accentText, font } = brand;
  return {
    class: [accent && 'branded', font && `font-${font}`].filter(Boolean).join(' '),
    style: accent ? { '--brand': accent, '--on-brand': accentText } : {},
  };
}

/** Gives the whole shop its own color and letters. */
export function brandShop(): void {
  const { accent, font } = config;
  if (font) document.body.classList.add(`font-${font}`);
  if (!accent) return;
  document.body.classList.add('branded');
  document.body.style.setProperty('--brand', accent);
}

/** A page with its title and content. */
export function Page({ title, brand, children }: PageProps) {
  useEffect(() => {
    if (title !== undefined) setTitle(title);
    removeStaleCanonicalLink();
  }, [title]);
  return (
    <main id="content" tabIndex={-1} {...brandProps(brand)}>
      {children}
    </main>
  );
}

/**
 * The server puts a canonical link into an event's page, and browsers share the address in this link. Removes the link
 * when another page is shown.
 */
function removeStaleCanonicalLink(): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel=canonical]');
  if (link && new URL(link.href).pathname !== location.pathname) link.remove();
}

/** The shop's logo or name, as a link to the home page. */
export function ShopLink() {
  const { name, logo } = config;
  return (
    <a class="brand" href="/">
      {logo ? <img class="logo" src={logo} alt={name} /> : name}
    </a>
  );
}

/** Leads keyboards past the header, to the page's content. */
export function SkipLink() {
  return (
    <a class="skip" href="#content">
      {t('page.skip')}
    </a>
  );
}

/** The header while the session is loading. */
export function BareHeader() {
  return (
    <header>
      <ShopLink />
    </header>
  );
}
