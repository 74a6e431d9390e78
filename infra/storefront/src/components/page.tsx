import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

/** What every page is made of: its title in the browser's tab, and its content. */
export function Page({ title, children }: { title: string; children: ComponentChildren }) {
  useEffect(() => {
    document.title = `${title} · Boxoffice`;
  }, [title]);
  return <main>{children}</main>;
}
