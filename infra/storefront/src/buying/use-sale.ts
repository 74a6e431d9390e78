import type { Tier } from 'boxoffice-client';
import { useEffect, useRef } from 'preact/hooks';
import { useResource } from '../components/resource.tsx';
import { getSaleWithCode } from '../find-event.ts';
import type { Selection } from './selection.ts';

/** Loads an event with the tiers that a code reveals. @param code empty for none */
export function useSale(id: string, code: string) {
  const latestCode = useRef(code);
  latestCode.current = code;
  const resource = useResource(() => getSaleWithCode(id, latestCode.current), [id]);
  const reload = resource.state === 'ready' ? resource.reload : undefined;
  // An input of useResource would show the loading state for each new code; `reload` keeps the page.
  useEffect(() => {
    void reload?.();
  }, [code]);
  return resource;
}

/** Selects the tier that a code has revealed, if it is the only one and nothing is selected. */
export function useRevealedTier(
  tiersOnSale: readonly Tier[],
  quantities: Selection['quantities'],
  select: (quantities: Selection['quantities']) => void,
): void {
  const revealedTiers = tiersOnSale.filter(({ hidden }) => hidden);
  useEffect(() => {
    const [tier, ...others] = revealedTiers;
    const isEmpty = Object.values(quantities).every((quantity) => Number(quantity) === 0);
    if (tier && others.length === 0 && isEmpty) select({ [tier.id]: `${tier.minPerOrder}` });
  }, [revealedTiers.length]);
}
