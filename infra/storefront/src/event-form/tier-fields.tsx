import type { Currency, Event, Tier } from 'boxoffice-client';
import { Check, Field } from '../components/form.tsx';
import { formatAvailability } from '../format.ts';
import { priceStep } from '../money.ts';
import { toTierValues } from './event-values.ts';
import { wallTime } from './zoned-time.ts';

interface TierFieldsProps {
  index: number;
  currency: Currency;
  /** The stored tier and its event; undefined for a new one. */
  stored: { tier: Tier; event: Event } | undefined;
  /** Whether the name field gets the focus when it appears. */
  takesFocus: boolean;
  /** Absent for a tier that can't be removed. */
  onRemove?: () => void;
}

export function TierFields({ index, currency, stored, takesFocus, onRemove }: TierFieldsProps) {
  const fieldName = (field: string) => `tiers.${index}.${field}`;
  const tier = stored?.tier;
  const values = stored && toTierValues(stored.tier, stored.event);
  const toLocalTime = (time: string | null | undefined) =>
    time && stored ? wallTime(time, stored.event.timezone) : undefined;
  return (
    <fieldset class="tier-row">
      <legend>{tier?.name ?? `Tier ${index + 1}`}</legend>
      <Field
        name={fieldName('name')}
        label="Name"
        maxLength={200}
        defaultValue={tier?.name}
        autoFocus={takesFocus}
        required
      />
      <Field
        name={fieldName('price')}
        label={`Price in ${currency}`}
        type="number"
        min={0}
        step={priceStep(currency)}
        defaultValue={tier && `${tier.price}`}
        required
      />
      <Field
        name={fieldName('quantity')}
        label="Tickets"
        type="number"
        min={0}
        max={10_000_000}
        hint={tier && formatAvailability(tier.available)}
        defaultValue={tier && `${tier.quantity}`}
        required
      />
      <Field
        name={fieldName('maxPerPerson')}
        label="Maximum per person"
        type="number"
        min={1}
        max={10_000_000}
        defaultValue={`${tier?.maxPerPerson ?? 10}`}
        required
      />
      <details>
        <summary>More about this tier</summary>
        <Field
          name={fieldName('description')}
          label="What it includes"
          maxLength={2000}
          defaultValue={tier?.description}
        />
        <Check
          name={fieldName('hidden')}
          label="Hidden: shown and sold only with a code for this tier"
          defaultChecked={tier?.hidden}
        />
        {stored ? (
          stored.tier.kind === 'addon' && <p class="quiet">This is an add-on.</p>
        ) : (
          <Check
            name={fieldName('isAddOn')}
            label="An add-on: sold only together with a ticket, such as parking"
          />
        )}
        <div class="pair">
          <Field
            name={fieldName('minPerOrder')}
            label="Minimum in an order"
            type="number"
            min={1}
            max={500}
            defaultValue={`${tier?.minPerOrder ?? 1}`}
            required
          />
          <Field
            name={fieldName('perTicket')}
            label="Maximum for each ticket"
            hint="This matters only for an add-on."
            type="number"
            min={1}
            max={500}
            defaultValue={`${tier?.perTicket ?? 1}`}
            required
          />
        </div>
        <Field
          name={fieldName('taxPercent')}
          label="Tax in percent"
          hint="The tax that the price includes, as invoices show it"
          type="number"
          min={0}
          max={100}
          step={0.01}
          defaultValue={`${tier?.taxPercent ?? ''}`}
        />
        <div class="pair">
          <Field
            name={fieldName('saleStart')}
            label="Its sale begins"
            type="datetime-local"
            max="9999-12-31T23:59"
            hint="Empty: with the event’s sale"
            defaultValue={toLocalTime(values?.saleStart)}
          />
          <Field
            name={fieldName('saleEnd')}
            label="Its sale ends"
            type="datetime-local"
            max="9999-12-31T23:59"
            hint="Empty: with the event’s sale"
            defaultValue={toLocalTime(values?.saleEnd)}
          />
        </div>
      </details>
      {onRemove && (
        <button type="button" onClick={onRemove}>
          Remove
        </button>
      )}
    </fieldset>
  );
}
