import { useEffect } from 'preact/hooks';
import { t } from '../texts/organizing.ts';

/** While a form has changes that are not saved, asks before the visitor leaves its page. */
export function useLeaveGuard(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return undefined;
    const askBrowser = (event: BeforeUnloadEvent) => event.preventDefault();
    const ask = (event: MouseEvent) => {
      const link = (event.target as Element).closest<HTMLAnchorElement>('a[href]');
      const leaves = link && !link.target && !link.download && !link.getAttribute('href')?.startsWith('#');
      if (!leaves || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (confirm(t('leave'))) return;
      event.preventDefault();
      event.stopPropagation();
    };
    addEventListener('beforeunload', askBrowser);
    addEventListener('click', ask, { capture: true });
    return () => {
      removeEventListener('beforeunload', askBrowser);
      removeEventListener('click', ask, { capture: true });
    };
  }, [isChanged]);
}
