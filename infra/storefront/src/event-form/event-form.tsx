import type { Currency, Event, Tier } from 'boxoffice-client';
import { useRef, useState } from 'preact/hooks';
import { Check, Field, Form } from '../components/form.tsx';
import { useLeaveGuard } from '../components/leave-guard.ts';
import { config } from '../config.ts';
import { messageOf } from '../errors.ts';
import { categories, shortTime } from '../format.ts';
import { currencies, currencyLabel } from '../money.ts';
import { type EventEdit, type EventValues, hasSales, readEventForm } from './event-values.ts';
import { toJpeg } from './picture.ts';
import { QuestionFields } from './question-fields.tsx';
import { TierFields } from './tier-fields.tsx';
import { moveWallTime, timeZones, visitorZone, wallTime } from './zoned-time.ts';

/** The API's maximum number of questions of an event. */
const maximumQuestions = 20;

/** A tier or a question in the form. */
interface Row {
  key: number;
  /** The id of a stored one. */
  id?: string;
}

/** Called with the index in the form and the id of a tier that was added. */
type OnTierAdded = (added: { index: number; id: string }) => void;

interface SubmittedForm {
  isDraft: boolean;
  /** The data URL of a picture to upload. */
  picture: string | undefined;
  onTierAdded: OnTierAdded;
}

interface EventFormProps {
  /** The event as it is stored; undefined for a new one. */
  event?: Event;
  /** The label of the button. */
  submit: string;
  /** The label of a second button, which submits the event as a draft. */
  submitDraft?: string;
  /** A message below the button. */
  notice?: string;
  onSubmit: (edit: EventEdit, form: SubmittedForm) => Promise<unknown>;
}

/** The form that creates or edits an event. */
export function EventForm({ event, submit, submitDraft, notice, onSubmit }: EventFormProps) {
  const [rows, setRows] = useState<Row[]>(
    () => event?.tiers.map(({ id }, key) => ({ key, id })) ?? [{ key: 0 }],
  );
  const [questionRows, setQuestionRows] = useState<Row[]>(
    () => event?.questions.map(({ id }, key) => ({ key, id })) ?? [],
  );
  const nextKey = useRef(rows.length + questionRows.length);
  const [currency, setCurrency] = useState<Currency>(event?.currency ?? 'USD');
  const storedTiers = rows.map(({ id }) => event?.tiers.find((tier) => tier.id === id));
  const storedQuestions = questionRows.map(({ id }) => event?.questions.find((each) => each.id === id));
  const read = (data: FormData) =>
    readEventForm(data, {
      storedEvent: event,
      storedTiers,
      storedQuestions,
      chainId: config.chainId,
      now: Date.now(),
    });
  const onTierAdded: OnTierAdded = (added) =>
    setRows((latest) => latest.map((row, index) => (index === added.index ? { ...row, id: added.id } : row)));
  const [isChanged, setChanged] = useState(false);
  const picture = useRef<string>(undefined);
  const [moves, setMoves] = useState<Move[]>([]);
  useLeaveGuard(isChanged);
  return (
    <Form
      submit={submit}
      validate={(data) => read(data).errors}
      onSubmit={async (values, form) => {
        await onSubmit(
          { entered: read(new FormData(form)), tierIds: rows.map(({ id }) => id) },
          { isDraft: values.status === 'DRAFT', picture: picture.current, onTierAdded },
        );
        setChanged(false);
      }}
      onInput={({ currentTarget }) => {
        setCurrency(readCurrency(currentTarget) ?? currency);
        setChanged(true);
        if (event) setMoves(findMoves(event, read(new FormData(currentTarget)).event));
      }}
      footer={
        <>
          {submitDraft && (
            <button type="submit" name="status" value="DRAFT">
              {submitDraft}
            </button>
          )}
          {event && moves.length > 0 && <Moves moves={moves} event={event} />}
          {notice && <p role="status">{notice}</p>}
        </>
      }
    >
      <AboutFields event={event} onPicture={(chosen) => (picture.current = chosen)} />
      <PlaceFields event={event} />
      <TimeFields event={event} />
      <fieldset class="tiers">
        <legend>Tickets</legend>
        <Field
          name="currency"
          label="Currency"
          as="select"
          hint={hasSales(event) ? 'It can’t be changed, since tickets are sold or held.' : undefined}
          disabled={hasSales(event)}
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
            stored={event && withEvent(storedTiers[index], event)}
            takesFocus={row.key > 0 && row.id === undefined}
            // Stored tiers can't be removed, nor can the only tier.
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
      <fieldset class="tiers">
        <legend>Questions to buyers</legend>
        {questionRows.map((row, index) => (
          <QuestionFields
            key={row.key}
            index={index}
            stored={storedQuestions[index]}
            tiers={event?.tiers ?? []}
            takesFocus={row.id === undefined}
            onRemove={() => setQuestionRows(questionRows.filter(({ key }) => key !== row.key))}
          />
        ))}
        {questionRows.length > 0 && (
          <Check
            name="questionsLater"
            label="Buyers answer later, on the page of their order"
            hint="Otherwise they answer before they pay."
            defaultChecked={event?.questionsWhen === 'later'}
          />
        )}
        {questionRows.length < maximumQuestions && (
          <p>
            <button
              type="button"
              onClick={() => setQuestionRows([...questionRows, { key: nextKey.current++ }])}
            >
              Add a question
            </button>
          </p>
        )}
      </fieldset>
      <SellerFields event={event} />
      <RuleFields event={event} />
    </Form>
  );
}

/** A time of the event that the form changes. */
interface Move {
  label: string;
  before: string;
  after: string;
}

function findMoves(stored: Event, entered: EventValues): Move[] {
  const labels = {
    eventDate: 'Begins',
    endDate: 'Ends',
    saleStart: 'Sale begins',
    saleEnd: 'Sale ends',
  } as const;
  const names = Object.keys(labels) as (keyof typeof labels)[];
  return names
    .filter((name) => entered[name] && entered[name] !== stored[name])
    .map((name) => ({ label: labels[name], before: stored[name], after: entered[name] }));
}

/** The times that saving the form changes. */
function Moves({ moves, event: { timezone } }: { moves: Move[]; event: Event }) {
  return (
    <div class="status" role="status">
      You change:
      <ul>
        {moves.map(({ label, before, after }) => (
          <li key={label}>
            {label}: {shortTime(before, timezone)} → <b>{shortTime(after, timezone)}</b>
          </li>
        ))}
      </ul>
    </div>
  );
}

function withEvent(tier: Tier | undefined, event: Event) {
  return tier && { event, tier };
}

function readCurrency(form: HTMLFormElement): Currency | undefined {
  return (new FormData(form).get('currency') as Currency | null) ?? undefined;
}

interface PartProps {
  event: Event | undefined;
}

function AboutFields({ event, onPicture }: PartProps & { onPicture: (picture: string | undefined) => void }) {
  return (
    <fieldset>
      <legend>Event</legend>
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
      <PictureField onPicture={onPicture} />
      <ImageField defaultValue={event?.imageUrl ?? ''} />
    </fieldset>
  );
}

function PlaceFields({ event }: PartProps) {
  return (
    <fieldset>
      <legend>Place</legend>
      <div class="pair">
        <Field name="venue" label="Venue" maxLength={200} defaultValue={event?.venue} required />
        <Field name="address" label="Address" maxLength={500} defaultValue={event?.address} />
        <Field name="city" label="City" maxLength={200} defaultValue={event?.city} />
        <Field name="country" label="Country" maxLength={200} defaultValue={event?.country} />
      </div>
    </fieldset>
  );
}

/** The times are in the event's time zone, wherever the organizer is. */
function TimeFields({ event }: PartProps) {
  const zone = event?.timezone ?? visitorZone();
  // The end keeps its distance from the start.
  const [begins, setBegins] = useState(event?.eventDate && wallTime(event.eventDate, zone));
  const moveEnd = ({ target }: globalThis.Event) => {
    const { name, value, form } = target as HTMLInputElement;
    const endField = form?.elements.namedItem('endDate') as HTMLInputElement | null;
    if (name !== 'startDate' || !value || !endField) return;
    if (begins && endField.value) {
      endField.value = moveWallTime(endField.value, begins, value);
      endField.dispatchEvent(new InputEvent('input', { bubbles: true }));
    }
    setBegins(value);
  };
  const followsEnd = event !== undefined && event.saleEnd === event.endDate;
  const field = (name: string, label: string, stored: string | undefined, hint?: string) => (
    <Field
      name={name}
      label={label}
      type="datetime-local"
      max="9999-12-31T23:59"
      defaultValue={stored && wallTime(stored, zone)}
      hint={event && !canBeEmpty(name) ? undefined : hint}
      required={hint === undefined || (event !== undefined && !canBeEmpty(name))}
    />
  );
  return (
    <fieldset onChange={moveEnd}>
      <legend>Time</legend>
      <Field name="timezone" label="Time zone" as="select" hint="All times below are in this zone.">
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
        {field('saleEnd', 'Sale ends', followsEnd ? undefined : event?.saleEnd, 'Empty: when the event ends')}
      </div>
    </fieldset>
  );
}

/** The end of the sale may stay empty in a stored event, whose sale then ends with the event. */
const canBeEmpty = (name: string) => name === 'saleEnd';

function SellerFields({ event }: PartProps) {
  const seller = event?.seller;
  return (
    <fieldset>
      <legend>Seller</legend>
      <Check
        name="organizerPaysFee"
        label="You pay the fee of 2.5 %"
        hint="Buyers then pay the price only, and the fee is taken out of it."
        defaultChecked={event?.feePaidBy === 'organizer'}
      />
      <details>
        <summary>The seller on invoices</summary>
        <Field name="seller.name" label="Seller’s name" maxLength={200} defaultValue={seller?.name} />
        <Field
          name="seller.address"
          label="Seller’s address"
          as="textarea"
          rows={3}
          maxLength={500}
          defaultValue={seller?.address}
        />
        <Field name="seller.taxId" label="Tax number" maxLength={50} defaultValue={seller?.taxId ?? ''} />
      </details>
    </fieldset>
  );
}

/** The languages of mails, each by its own name. */
const languageNames: Record<Event['language'], string> = { en: 'English', de: 'Deutsch' };

function RuleFields({ event }: PartProps) {
  const entry = event?.entry ?? 'account';
  return (
    <fieldset>
      <legend>Rules</legend>
      <Check
        name="isPublic"
        label="Listed among the events"
        hint="An event that is not listed is found only by its link."
        defaultChecked={event?.isPublic ?? true}
      />
      <Check
        name="allowTransfers"
        label="Tickets can be transferred"
        defaultChecked={event?.allowTransfers ?? true}
      />
      <Check
        name="sellsToAnyone"
        label="Anyone can buy, also without an account"
        hint="Buyers without an account only give their name and e-mail address."
        defaultChecked={(event?.buyers ?? 'anyone') === 'anyone'}
      />
      <Check
        name="requireKYC"
        label="Only for buyers whose identity was checked"
        defaultChecked={event?.requireKYC}
      />
      <Check
        name="waitingList"
        label="People can wait for tickets of sold-out tiers"
        hint="Tickets that come free are offered in the order of joining."
        defaultChecked={event?.waitingList}
      />
      <Check
        name="attachPdf"
        label="Attach the tickets to the mail, as a PDF file"
        hint="For orders of up to ten tickets. Every order has its tickets as a PDF file on its page."
        defaultChecked={event?.attachPdf}
      />
      <Field name="language" label="Language of mails about orders" as="select">
        {Object.entries(languageNames).map(([value, name]) => (
          <option key={value} value={value} selected={value === event?.language}>
            {name}
          </option>
        ))}
      </Field>
      <ReturnFields event={event} />
      <QueueFields event={event} />
      <details>
        <summary>Advanced: tickets as NFTs</summary>
        <Field
          name="contractAddress"
          label="Ticket contract"
          hint={
            hasSales(event)
              ? 'It can’t be changed, since tickets are sold or held.'
              : 'It mints each ticket as an NFT. Leave it empty for an event without NFTs.'
          }
          defaultValue={event ? (event.contractAddress ?? '') : config.ticketContract}
          disabled={hasSales(event)}
          placeholder="0x…"
          autocomplete="off"
          spellcheck={false}
        />
        <Field
          name="entry"
          label="Who is admitted"
          as="select"
          hint="The owner of the NFT only matters for tickets that can be transferred. Buyers then transfer the NFT, and not the ticket."
          disabled={hasSales(event)}
        >
          <option value="token" selected={entry === 'token'}>
            The owner of the ticket’s NFT
          </option>
          <option value="account" selected={entry === 'account'}>
            The account that has the ticket
          </option>
        </Field>
        <Check
          name="lockAfterAdmission"
          label="A ticket can’t be transferred once somebody was admitted with it"
          hint="This matters only for tickets that are NFTs. It applies to admissions from now on."
          defaultChecked={event?.lockAfterAdmission}
        />
      </details>
    </fieldset>
  );
}

/** How buyers may return tickets. An order keeps what applied when it was bought. */
function ReturnFields({ event }: PartProps) {
  const returns = event?.returns;
  return (
    <>
      <div class="pair">
        <Field
          name="returns.until"
          label="Buyers can return tickets until"
          type="datetime-local"
          max="9999-12-31T23:59"
          hint="Empty: tickets can’t be returned. A change applies to new orders."
          defaultValue={returns ? wallTime(returns.until, event?.timezone ?? visitorZone()) : undefined}
        />
        <Field
          name="returns.feePercent"
          label="You keep of a returned ticket, in percent"
          type="number"
          min={0}
          max={100}
          defaultValue={`${returns?.feePercent ?? 0}`}
        />
      </div>
      <Check
        name="returns.whenResold"
        label="A returned ticket is refunded when somebody on the waiting list takes it"
        hint="It stays valid until then. This needs the waiting list, and entry by account."
        defaultChecked={returns?.mode === 'when-resold'}
      />
    </>
  );
}

/** The queue of a sale that more people want to buy at than there are tickets. */
function QueueFields({ event }: PartProps) {
  const queue = event?.queue;
  const hasOpened = queue ? Date.parse(queue.opensAt) <= Date.now() : false;
  const timeField = (name: 'opensAt' | 'drawAt' | 'until', label: string, hint: string, disabled = false) => (
    <Field
      name={`queue.${name}`}
      label={label}
      type="datetime-local"
      max="9999-12-31T23:59"
      hint={disabled ? 'It can’t be changed, since the queue has opened.' : hint}
      defaultValue={queue ? wallTime(queue[name], event?.timezone ?? visitorZone()) : undefined}
      disabled={disabled}
    />
  );
  return (
    <details open={Boolean(queue)}>
      <summary>Queue for a sale with many buyers</summary>
      <p class="quiet">
        People join the queue before the sale. Their order is then drawn, so nobody gains by being first, and
        anybody can check the draw. They buy in this order. Only people with an account can join.
      </p>
      <div class="pair">
        {timeField('opensAt', 'The queue opens', 'Empty: there is no queue.', hasOpened)}
        {timeField('drawAt', 'The order is drawn', 'Empty: when the sale begins', hasOpened)}
      </div>
      <div class="pair">
        {timeField('until', 'The queue ends', 'Anybody can buy after it. Empty: when the sale ends')}
        <Field
          name="queue.perMinute"
          label="People admitted a minute"
          type="number"
          min={1}
          max={60_000}
          hint={
            hasOpened ? 'Change it on the page of the queue.' : 'Empty: automatic, from 600 to 6,000 a minute'
          }
          defaultValue={queue?.perMinute ? `${queue.perMinute}` : undefined}
          disabled={hasOpened}
        />
      </div>
    </details>
  );
}

/** The field for a picture to upload, with a preview. The picture is uploaded when the form is submitted. */
function PictureField({ onPicture }: { onPicture: (picture: string | undefined) => void }) {
  const [preview, setPreview] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const choose = async ({ target }: globalThis.Event) => {
    const [file] = (target as HTMLInputElement).files ?? [];
    setProblem(undefined);
    const picture = file && (await toJpeg(file).catch((error) => setProblem(messageOf(error)) as undefined));
    setPreview(picture);
    onPicture(picture);
  };
  return (
    <div class="field" onChange={choose}>
      <Field
        name="picture"
        label="Picture to upload"
        type="file"
        accept="image/*"
        hint="At best 1600 by 900 pixels. It is made smaller here, and the place where it was taken is removed."
      />
      {problem && (
        <p role="status" class="bad">
          {problem}
        </p>
      )}
      {preview && <img class="image-preview" src={preview} alt="The event, as buyers see it" />}
    </div>
  );
}

/** The field for the address of an event's picture, with a preview of the picture. */
export function ImageField({ defaultValue }: { defaultValue: string }) {
  const [address, setAddress] = useState(defaultValue);
  return (
    <div
      class="field"
      // `onChange` waits for the whole address; `onInput` would request a picture for each letter.
      onChange={({ target }) => setAddress((target as HTMLInputElement).value.trim())}
    >
      <Field
        name="imageUrl"
        label="Or the address of a picture"
        type="url"
        hint="It begins with https://"
        defaultValue={defaultValue}
        maxLength={2000}
        autocomplete="off"
        spellcheck={false}
      />
      {(/^https:\/\/./i.test(address) || address.startsWith(`${location.origin}/`)) && (
        <Preview key={address} address={address} />
      )}
    </div>
  );
}

function Preview({ address }: { address: string }) {
  const [isBroken, setBroken] = useState(false);
  return isBroken ? (
    <p role="status" class="bad">
      No picture can be loaded from this address, so buyers will not see one either.
    </p>
  ) : (
    <img
      class="image-preview"
      src={address}
      alt="The event, as buyers see it"
      onError={() => setBroken(true)}
    />
  );
}
