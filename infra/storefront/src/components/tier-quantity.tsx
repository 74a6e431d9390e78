import type { Tier } from 'boxoffice-client';
import { useId } from 'preact/hooks';
import { formatAvailability, shortTime } from '../format.ts';
import { t } from '../texts/shop.ts';
import { useFieldError } from './form.tsx';
import { Price } from './values.tsx';

interface TierQuantityProps {
  tier: Tier;
  currency: string;
  /** The entered number. */
  value: string;
  /** The maximum that can be chosen now. */
  maximum: number;
  onChange: (value: string) => void;
}

/** A tier with its price, and the number of its tickets to buy. */
export function TierQuantity({ tier, currency, value, maximum, onChange }: TierQuantityProps) {
  const { name, minPerOrder } = tier;
  const fieldName = quantityField(tier);
  const error = useFieldError(fieldName);
  const id = useId();
  const quantity = Number(value);
  const step = (next: number) => onChange(`${next}`);
  return (
    <div class="tier">
      <TierSummary tier={tier} currency={currency} />
      {isOnSale(tier) && (
        <div class="stepper">
          <button
            type="button"
            aria-label={t('tier.fewer', { tier: name })}
            disabled={quantity <= 0}
            onClick={() => step(quantity > minPerOrder ? quantity - 1 : 0)}
          >
            −
          </button>
          <input
            type="number"
            inputMode="numeric"
            name={fieldName}
            aria-label={t('tier.quantity', { tier: name })}
            value={value}
            min={0}
            max={maximum}
            required
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? id : undefined}
            onInput={({ currentTarget }) => onChange(currentTarget.value)}
          />
          <button
            type="button"
            aria-label={t('tier.more', { tier: name })}
            disabled={quantity >= maximum || minPerOrder > maximum}
            onClick={() => step(Math.max(quantity + 1, minPerOrder))}
          >
            +
          </button>
        </div>
      )}
      {error && (
        <small class="bad" id={id} role="alert">
          {error}
        </small>
      )}
    </div>
  );
}

/** A tier with its price, and whether it is on sale. */
export function TierSummary({ tier, currency }: Pick<TierQuantityProps, 'tier' | 'currency'>) {
  const { name, description, minPerOrder } = tier;
  return (
    <>
      <p>
        <b>{name}</b>
        {description && <span class="quiet">{description}</span>}
        <span class="quiet">
          {[formatSale(tier), minPerOrder > 1 && t('tier.together', { minimum: minPerOrder })]
            .filter(Boolean)
            .join(', ')}
        </span>
      </p>
      <p class="right">
        <b>
          <Price amount={tier.price} currency={currency} />
        </b>
      </p>
    </>
  );
}

/** The name of the field with a tier's number of tickets. */
export const quantityField = ({ id }: Pick<Tier, 'id'>) => `quantity.${id}`;

export function isOnSale({ available, saleStart, saleEnd }: Tier): boolean {
  const now = Date.now();
  return available > 0 && Date.parse(saleStart) <= now && now <= Date.parse(saleEnd);
}

/** Formats a tier's availability: the tickets left, or when its sale begins or has ended. */
function formatSale({ available, saleStart, saleEnd }: Tier): string {
  const now = Date.now();
  if (Date.parse(saleEnd) < now) return t('tier.saleEnded');
  if (Date.parse(saleStart) > now) return t('tier.onSaleFrom', { time: shortTime(saleStart) });
  return formatAvailability(available);
}
