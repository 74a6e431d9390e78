import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';

/** The scroll positions of pages that the visitor has left, by the number of their entry in the browser's history. */
const positions = new Map<number, number>();

/**
 * Returns a function for the moment when another page is shown. After a link, it moves the focus to the page's content.
 * After Back and Forward, it scrolls to where the visitor was.
 */
export function useArrival(): () => void {
  // The package’s types omit it.
  const { wasPush } = useLocation() as ReturnType<typeof useLocation> & { wasPush?: boolean };
  const current = useRef(0);
  useEffect(() => {
    // The browser would restore the position before the page has loaded its content.
    history.scrollRestoration = 'manual';
    current.current = numberEntry();
    const remember = () => positions.set(current.current, scrollY);
    addEventListener('scroll', remember, { passive: true });
    return () => removeEventListener('scroll', remember);
  }, []);
  return () => {
    current.current = numberEntry();
    const position = positions.get(current.current) ?? 0;
    if (!wasPush && position > 0) restore(position);
    document.getElementById('content')?.focus({ preventScroll: true });
  };
}

/** Returns the number of the current entry of the browser's history, which it gets when it is first shown. */
function numberEntry(): number {
  const { number = Math.max(0, ...positions.keys()) + 1 } = (history.state ?? {}) as { number?: number };
  history.replaceState({ ...history.state, number }, '');
  positions.set(number, positions.get(number) ?? 0);
  return number;
}

/** Scrolls as soon as the page is long enough, unless the visitor scrolls before. */
function restore(position: number): void {
  const visitorEvents = ['wheel', 'touchmove', 'keydown', 'popstate'];
  const stop = () => {
    observer.disconnect();
    for (const name of visitorEvents) removeEventListener(name, stop);
  };
  const observer = new ResizeObserver(() => {
    scrollTo(0, position);
    if (Math.abs(scrollY - position) < 2) stop();
  });
  for (const name of visitorEvents) addEventListener(name, stop, { passive: true });
  observer.observe(document.body);
}
