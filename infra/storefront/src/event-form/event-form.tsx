import type { Currency, Event, Tier } from 'boxoffice-client';
import { useRef, useState } from 'preact/hooks';
import { categories } from '../categories.ts';
import { Check } from '../components/check.tsx';
import { Field, Form } from '../components/form.tsx';
import { config } from '../config.ts';
import { currencies, currencyLabel } from './currencies.ts';
import { readEventForm } from './event-values.ts';
import { ImageField } from './image-field.tsx';
import type { Draft, TierAdded } from './save-event.ts';
import { TierFields } from './tier-fields.tsx';
import { timeZones, visitorZone, wallTime } from './zoned-time.ts';

/** A tier in the form. */
interface Row {
  key: number;
  /** The id of a stored tier. */
  id?: string;
}

interface EventFormProps {
  /** The event as it is stored; undefined for a new one. */
  event?: Event;
  submit: string;
  /** Another button that submits, with the value `DRAFT` for `status`. */
  submitDraft?: string;
  onSubmit: (draft: Draft, form: { isDraft: boolean; onTierAdded: TierAdded }) => Promise<unknown>;
}

/** The form of an event, for creating and changing it. */
export function EventForm({ event, submit, submitDraft, onSubmit }: EventFormProps) {
  const [rows, setRows] = useState<Row[]>(
    () => event?.tiers.map(({ id }, key) => ({ key, id })) ?? [{ key: 0 }],
  );
  const nextKey = useRef(rows.length);
  const [currency, setCurrency] = useState<Currency>(event?.currency ?? 'USD');
  const storedTiers = rows.map(({ id }) => event?.tiers.find((tier) => tier.id === id));
  const read = (data: FormData) =>
    readEventForm(data, { before: event, tiers: storedTiers, chainId: config.chainId, now: Date.now() });
  const onTierAdded: TierAdded = (at, id) =>
    setRows((latest) => latest.map((row, index) => (index === at ? { ...row, id } : row)));
  return (
    <Form
      submit={submit}
      check={(data) => read(data).problems}
      onSubmit={(values, form) =>
        onSubmit(
          { entered: read(new FormData(form)), tierIds: rows.map(({ id }) => id) },
          { isDraft: values.status === 'DRAFT', onTierAdded },
        )
      }
      onInput={({ currentTarget }) => setCurrency(currencyIn(currentTarget) ?? currency)}
      footer={
        submitDraft && (
          <button type="submit" name="status" value="DRAFT">
            {submitDraft}
          </button>
        )
      }
    >
      <AboutFields event={event} />
      <PlaceFields event={event} />
      <TimeFields event={event} />
      <fieldset class="tiers">
        <legend>Tickets</legend>
        <Field
          name="currency"
          label="Currency"
          as="select"
          hint={isSold(event) ? 'It stays as it is, since tickets are sold or held.' : undefined}
          disabled={isSold(event)}
        >
          {currencies.map((each) => (
            <option key={each} value={each} selected={each === (event?.currency ?? 'USD')}>
              {currencyLabel(each)}
            </option>
          ))}
        </Field>
        {rows.map((row, index) => (
          <TierFields
            key={row.key}
            index={index}
            currency={currency}
            stored={event && storedOf(event, storedTiers[index])}
            takesFocus={row.key > 0 && row.id === undefined}
            // Stored tiers stay, and so does a single one.
            onRemove={
              row.id === undefined && rows.length > 1
                ? () => setRows(rows.filter(({ key }) => key !== row.key))
                : undefined
            }
          />
        ))}
        <p>
          <button type="button" onClick={() => setRows([...rows, { key: nextKey.current++ }])}>
            Add a tier
          </button>
        </p>
      </fieldset>
      <RuleFields event={event} />
    </Form>
  );
}

function storedOf(event: Event, tier: Tier | undefined) {
  return tier && { event, tier };
}

function currencyIn(form: HTMLFormElement): Currency | undefined {
  return (new FormData(form).get('currency') as Currency | null) ?? undefined;
}

/** Returns whether tickets are sold or held, which fixes the currency, the contract and the kind of entry. */
function isSold(event: Event | undefined): boolean {
  return event?.tiers.some(({ quantity, available }) => available < quantity) ?? false;
}

interface PartProps {
  event: Event | undefined;
}

function AboutFields({ event }: PartProps) {
  return (
    <fieldset>
      <legend>What it is</legend>
      <Field name="title" label="Title" maxLength={200} defaultValue={event?.title} required />
      <Field name="category" label="Category" as="select">
        {categories.map(({ value, label }) => (
          <option key={value} value={value} selected={value === event?.category}>
            {label}
          </option>
        ))}
      </Field>
      <Field
        name="description"
        label="Description"
        as="textarea"
        rows={4}
        maxLength={5000}
        defaultValue={event?.description}
      />
      <ImageField defaultValue={event?.imageUrl ?? ''} />
    </fieldset>
  );
}

function PlaceFields({ event }: PartProps) {
  return (
    <fieldset>
      <legend>Where it is</legend>
      <div class="pair">
        <Field name="venue" label="Venue" maxLength={200} defaultValue={event?.venue} required />
        <Field name="address" label="Address" maxLength={500} defaultValue={event?.address} />
        <Field name="city" label="City" maxLength={200} defaultValue={event?.city} />
        <Field name="country" label="Country" maxLength={200} defaultValue={event?.country} />
      </div>
    </fieldset>
  );
}

/** Times are meant on the clocks of the event's zone, wherever the organizer is. */
function TimeFields({ event }: PartProps) {
  const zone = event?.timezone ?? visitorZone();
  const field = (name: string, label: string, stored: string | undefined, hint?: string) => (
    <Field
      name={name}
      label={label}
      type="datetime-local"
      max="9999-12-31T23:59"
      defaultValue={stored && wallTime(stored, zone)}
      hint={event ? undefined : hint}
      required={event !== undefined || hint === undefined}
    />
  );
  return (
    <fieldset>
      <legend>When it is</legend>
      <Field
        name="timezone"
        label="Time zone"
        as="select"
        hint="All times below are meant on the clocks of this zone."
      >
        {timeZones(zone, visitorZone()).map((each) => (
          <option key={each} value={each} selected={each === zone}>
            {each.replaceAll('_', ' ')}
          </option>
        ))}
      </Field>
      <div class="pair">
        {field('startDate', 'Begins', event?.eventDate)}
        {field('endDate', 'Ends', event?.endDate, 'Empty: two hours after it begins')}
      </div>
      <div class="pair">
        {field('saleStart', 'Sale begins', event?.saleStart, 'Empty: at once')}
        {field('saleEnd', 'Sale ends', event?.saleEnd, 'Empty: when the event ends')}
      </div>
    </fieldset>
  );
}

function RuleFields({ event }: PartProps) {
  const entry = event?.entry ?? 'token';
  return (
    <fieldset>
      <legend>Rules</legend>
      <Check
        name="isPublic"
        label="Listed among the events"
        hint="Otherwise only those who have its address find it."
        defaultChecked={event?.isPublic ?? true}
      />
      <Check
        name="allowTransfers"
        label="Tickets can be handed on"
        defaultChecked={event?.allowTransfers ?? true}
      />
      <Check
        name="requireKYC"
        label="Only for buyers whose identity was checked"
        defaultChecked={event?.requireKYC}
      />
      <Field
        name="contractAddress"
        label="Ticket contract"
        hint={
          isSold(event)
            ? 'It stays as it is, since tickets are sold or held.'
            : 'Each ticket is minted by it as an NFT. Leave it empty for an event without NFTs.'
        }
        defaultValue={event ? (event.contractAddress ?? '') : config.ticketContract}
        disabled={isSold(event)}
        placeholder="0x…"
        autocomplete="off"
        spellcheck={false}
      />
      <Field
        name="entry"
        label="Who is let in"
        as="select"
        hint="It makes a difference for tickets with a contract that can be handed on."
        disabled={isSold(event)}
      >
        <option value="token" selected={entry === 'token'}>
          The owner of the ticket’s NFT
        </option>
        <option value="account" selected={entry === 'account'}>
          The account that has the ticket
        </option>
      </Field>
    </fieldset>
  );
}
