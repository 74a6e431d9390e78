import type { Currency, Event, Tier } from 'boxoffice-client';
import { Check, Field } from '../components/form.tsx';
import { formatAvailability } from '../format.ts';
import { priceStep } from '../money.ts';
import { t } from '../texts/form.ts';
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
      <legend>{tier?.name ?? t('tier.legend', { number: index + 1 })}</legend>
      <Field
        name={fieldName('name')}
        label={t('tier.name')}
        maxLength={200}
        defaultValue={tier?.name}
        autoFocus={takesFocus}
        required
      />
      <Field
        name={fieldName('price')}
        label={t('tier.price', { currency })}
        type="number"
        min={0}
        step={priceStep(currency)}
        defaultValue={tier && `${tier.price}`}
        required
      />
      <Field
        name={fieldName('quantity')}
        label={t('tier.quantity')}
        type="number"
        min={0}
        max={10_000_000}
        hint={tier && formatAvailability(tier.available)}
        defaultValue={tier && `${tier.quantity}`}
        required
      />
      <Field
        name={fieldName('maxPerPerson')}
        label={t('tier.maximum')}
        type="number"
        min={1}
        max={10_000_000}
        defaultValue={`${tier?.maxPerPerson ?? 10}`}
        required
      />
      <details>
        <summary>{t('tier.more')}</summary>
        <Field
          name={fieldName('description')}
          label={t('tier.description')}
          maxLength={2000}
          defaultValue={tier?.description}
        />
        <Check name={fieldName('hidden')} label={t('tier.hidden')} defaultChecked={tier?.hidden} />
        {stored ? (
          stored.tier.kind === 'addon' && <p class="quiet">{t('tier.isAddOn')}</p>
        ) : (
          <Check name={fieldName('isAddOn')} label={t('tier.addOn')} />
        )}
        <div class="pair">
          <Field
            name={fieldName('minPerOrder')}
            label={t('tier.minimum')}
            type="number"
            min={1}
            max={500}
            defaultValue={`${tier?.minPerOrder ?? 1}`}
            required
          />
          <Field
            name={fieldName('perTicket')}
            label={t('tier.perTicket')}
            hint={t('tier.perTicketHint')}
            type="number"
            min={1}
            max={500}
            defaultValue={`${tier?.perTicket ?? 1}`}
            required
          />
        </div>
        <Field
          name={fieldName('taxPercent')}
          label={t('tier.tax')}
          hint={t('tier.taxHint')}
          type="number"
          min={0}
          max={100}
          step={0.01}
          defaultValue={`${tier?.taxPercent ?? ''}`}
        />
        <div class="pair">
          <Field
            name={fieldName('saleStart')}
            label={t('tier.saleStart')}
            type="datetime-local"
            max="9999-12-31T23:59"
            hint={t('tier.saleHint')}
            defaultValue={toLocalTime(values?.saleStart)}
          />
          <Field
            name={fieldName('saleEnd')}
            label={t('tier.saleEnd')}
            type="datetime-local"
            max="9999-12-31T23:59"
            hint={t('tier.saleHint')}
            defaultValue={toLocalTime(values?.saleEnd)}
          />
        </div>
      </details>
      {onRemove && (
        <button type="button" onClick={onRemove}>
          {t('remove')}
        </button>
      )}
    </fieldset>
  );
}
