import type { Event } from 'boxoffice-client';
import { Check, Field } from '../components/form.tsx';
import { config } from '../config.ts';
import { hasSales } from './event-values.ts';
import { QuestionFields } from './question-fields.tsx';
import { QueueFields } from './queue-fields.tsx';
import type { Rows } from './rows.ts';
import type { UnsavedEvent } from './unsaved-event.ts';
import { wallTime } from './zoned-time.ts';

/** The API's maximum number of questions of an event. */
const maximumQuestions = 20;

type Question = Event['questions'][number];

interface PartProps {
  event: Event | undefined;
}

interface RulesStepProps extends PartProps {
  questions: Rows;
  /** What was entered before the page was loaded again. */
  unsaved: UnsavedEvent | undefined;
}

/** What buyers are asked, and what applies to them and their tickets. */
export function RulesStep({ event, questions, unsaved }: RulesStepProps) {
  return (
    <>
      <QuestionList event={event} questions={questions} unsaved={unsaved} />
      <SellerFields event={event} />
      <RuleFields event={event} />
    </>
  );
}

function QuestionList({ event, questions: { rows, add, remove }, unsaved }: RulesStepProps) {
  return (
    <fieldset>
      <legend>Questions to buyers</legend>
      {rows.map((row, index) => (
        <QuestionFields
          key={row.key}
          index={index}
          stored={event?.questions.find(({ id }) => id === row.id)}
          kind={row.isAdded ? undefined : kindIn(unsaved, index)}
          tiers={event?.tiers ?? []}
          takesFocus={row.isAdded === true}
          onRemove={() => remove(row)}
        />
      ))}
      {rows.length > 0 && (
        <Check
          name="questionsLater"
          label="Buyers answer later, on the page of their order"
          hint="Otherwise they answer before they pay."
          defaultChecked={event?.questionsWhen === 'later'}
        />
      )}
      {rows.length < maximumQuestions && (
        <p>
          <button type="button" onClick={add}>
            Add a question
          </button>
        </p>
      )}
    </fieldset>
  );
}

function kindIn(unsaved: UnsavedEvent | undefined, index: number) {
  return unsaved?.fields[`questions.${index}.kind`] as Question['kind'] | undefined;
}

function SellerFields({ event }: PartProps) {
  const seller = event?.seller;
  return (
    <fieldset>
      <legend>Seller</legend>
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
      <NftFields event={event} />
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
          defaultValue={event && returns ? wallTime(returns.until, event.timezone) : undefined}
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

/** Tickets that are minted as NFTs. */
function NftFields({ event }: PartProps) {
  const entry = event?.entry ?? 'account';
  return (
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
  );
}
