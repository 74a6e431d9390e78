import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { config } from '../config.ts';

type BrandColors = { accent: string | null; accentText: string | null } | null | undefined;

interface PageProps {
  /** The title of the browser's tab. By default, the current title stays. */
  title?: string;
  /** The organizer whose color the page has. */
  brand?: BrandColors;
  children: ComponentChildren;
}

/** Sets the title of the browser's tab, with the name of the shop. */
export function setTitle(title: string): void {
  document.title = `${title} · ${config.name}`;
}

/** Returns the attributes of an element in an organizer's color; none without a color. */
export function brandProps(brand: BrandColors): { class?: string; style?: Record<string, string | null> } {
  if (!brand?.accent) return {};
  return { class: 'branded', style: { '--brand': brand.accent, '--on-brand': brand.accentText } };
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

/** The shop's name, as a link to the home page. */
export function Brand() {
  return (
    <a class="brand" href="/">
      {config.name}
    </a>
  );
}

/** Leads keyboards past the header, to the page's content. */
export function SkipLink() {
  return (
    <a class="skip" href="#content">
      Skip to the content
    </a>
  );
}

/** The header while the session is loading. */
export function BareHeader() {
  return (
    <header>
      <Brand />
    </header>
  );
}
