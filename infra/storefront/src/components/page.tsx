import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

interface PageProps {
  /** Stands in the browser's tab. Without it, the title stays what it was. */
  title?: string;
  children: ComponentChildren;
}

/** A page with its title and content. */
export function Page({ title, children }: PageProps) {
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · Boxoffice`;
    dropForeignAddress();
  }, [title]);
  return <main>{children}</main>;
}

/**
 * The server names the address of an event's page in it. Browsers share that address, so it is removed once another page
 * is shown.
 */
function dropForeignAddress(): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel=canonical]');
  if (link && new URL(link.href).pathname !== location.pathname) link.remove();
}
