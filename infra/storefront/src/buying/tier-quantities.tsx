import type { Event } from 'boxoffice-client';
import { TierQuantity } from '../components/tier-quantity.tsx';
import { t } from '../texts/shop.ts';
import { itemsOf, maximumOf, type Selection, ticketsFirst } from './selection.ts';

interface TierQuantitiesProps {
  event: Event;
  quantities: Selection['quantities'];
  onChange: (quantities: Selection['quantities']) => void;
}

/** The tiers of an event, with the number of tickets of each: first tickets, then add-ons. */
export function TierQuantities({ event, quantities, onChange }: TierQuantitiesProps) {
  const items = itemsOf(event, { quantities });
  return (
    <>
      {(['ticket', 'addon'] as const).map((kind) => {
        const tiers = ticketsFirst(event.tiers).filter((tier) => tier.kind === kind);
        return (
          tiers.length > 0 && (
            <fieldset key={kind}>
              <legend>{t(kind === 'ticket' ? 'event.tickets' : 'event.addOns')}</legend>
              <div class="choices">
                {tiers.map((tier) => (
                  <TierQuantity
                    key={tier.id}
                    tier={tier}
                    currency={event.currency}
                    value={quantities[tier.id] ?? '0'}
                    maximum={maximumOf(event, tier, items)}
                    onChange={(value) => onChange({ ...quantities, [tier.id]: value })}
                  />
                ))}
              </div>
            </fieldset>
          )
        );
      })}
    </>
  );
}
