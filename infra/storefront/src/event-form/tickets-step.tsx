import type { Currency, Event } from 'boxoffice-client';
import { Check, Field } from '../components/form.tsx';
import { currencies, currencyLabel } from '../money.ts';
import { t } from '../texts/form.ts';
import { findTier, hasSales } from './event-values.ts';
import type { Rows } from './rows.ts';
import { TierFields } from './tier-fields.tsx';

interface TicketsStepProps {
  event: Event | undefined;
  /** The currency that is chosen now. */
  currency: Currency;
  /** The currency that the form begins with. */
  defaultCurrency: Currency;
  tiers: Rows;
}

/** What is sold, and at which price. */
export function TicketsStep({ event, currency, defaultCurrency, tiers }: TicketsStepProps) {
  const { rows, add, remove } = tiers;
  return (
    <>
      <Field
        name="currency"
        label={t('tickets.currency')}
        as="select"
        hint={hasSales(event) ? t('fixed') : undefined}
        disabled={hasSales(event)}
      >
        {currencies.map((each) => (
          <option key={each} value={each} selected={each === defaultCurrency}>
            {currencyLabel(each)}
          </option>
        ))}
      </Field>
      {rows.map((row, index) => {
        const tier = event && findTier(event, row.id);
        return (
          <TierFields
            key={row.key}
            index={index}
            currency={currency}
            stored={tier && { event, tier }}
            takesFocus={row.isAdded === true}
            // Stored tiers can't be removed, nor can the only tier.
            onRemove={row.id === undefined && rows.length > 1 ? () => remove(row) : undefined}
          />
        );
      })}
      <p>
        <button type="button" onClick={add}>
          {t('tickets.addTier')}
        </button>
      </p>
      <Check
        name="organizerPaysFee"
        label={t('tickets.payFee')}
        hint={t('tickets.payFeeHint')}
        defaultChecked={event?.feePaidBy === 'organizer'}
      />
    </>
  );
}
