import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

interface PageProps {
  /** The title of the browser's tab. By default, the current title stays. */
  title?: string;
  children: ComponentChildren;
}

/** A page with its title and content. */
export function Page({ title, children }: PageProps) {
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · Boxoffice`;
    removeStaleCanonicalLink();
  }, [title]);
  return <main>{children}</main>;
}

/**
 * Removes the canonical link that the server put into an event's page once another page is shown. Browsers would share
 * the event's address.
 */
function removeStaleCanonicalLink(): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel=canonical]');
  if (link && new URL(link.href).pathname !== location.pathname) link.remove();
}
