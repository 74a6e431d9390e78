import type { Event } from 'boxoffice-client';
import { Check, Field } from '../components/form.tsx';
import { config } from '../config.ts';
import { t } from '../texts/form.ts';
import { language } from '../texts/texts.ts';
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
      <legend>{t('questions.legend')}</legend>
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
          label={t('questions.later')}
          hint={t('questions.laterHint')}
          defaultChecked={event?.questionsWhen === 'later'}
        />
      )}
      {rows.length < maximumQuestions && (
        <p>
          <button type="button" onClick={add}>
            {t('questions.add')}
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
      <legend>{t('seller.legend')}</legend>
      <details>
        <summary>{t('seller.summary')}</summary>
        <Field name="seller.name" label={t('seller.name')} maxLength={200} defaultValue={seller?.name} />
        <Field
          name="seller.address"
          label={t('seller.address')}
          as="textarea"
          rows={3}
          maxLength={500}
          defaultValue={seller?.address}
        />
        <Field
          name="seller.taxId"
          label={t('seller.taxId')}
          maxLength={50}
          defaultValue={seller?.taxId ?? ''}
        />
      </details>
    </fieldset>
  );
}

/** The languages of mails, each by its own name. */
const languageNames: Record<Event['language'], string> = { en: 'English', de: 'Deutsch' };

function RuleFields({ event }: PartProps) {
  return (
    <fieldset>
      <legend>{t('rules.legend')}</legend>
      <Check
        name="isPublic"
        label={t('rules.listed')}
        hint={t('rules.listedHint')}
        defaultChecked={event?.isPublic ?? true}
      />
      <Check
        name="allowTransfers"
        label={t('rules.transfers')}
        defaultChecked={event?.allowTransfers ?? true}
      />
      <Check
        name="sellsToAnyone"
        label={t('rules.anyone')}
        hint={t('rules.anyoneHint')}
        defaultChecked={(event?.buyers ?? 'anyone') === 'anyone'}
      />
      <Check name="requireKYC" label={t('rules.identity')} defaultChecked={event?.requireKYC} />
      <Check
        name="waitingList"
        label={t('rules.waitingList')}
        hint={t('rules.waitingListHint')}
        defaultChecked={event?.waitingList}
      />
      <Check
        name="attachPdf"
        label={t('rules.pdf')}
        hint={t('rules.pdfHint')}
        defaultChecked={event?.attachPdf}
      />
      <Field name="language" label={t('rules.language')} as="select">
        {Object.entries(languageNames).map(([value, name]) => (
          <option key={value} value={value} selected={value === (event?.language ?? language)}>
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
          label={t('rules.returns')}
          type="datetime-local"
          max="9999-12-31T23:59"
          hint={t('rules.returnsHint')}
          defaultValue={event && returns ? wallTime(returns.until, event.timezone) : undefined}
        />
        <Field
          name="returns.feePercent"
          label={t('rules.returnsFee')}
          type="number"
          min={0}
          max={100}
          defaultValue={`${returns?.feePercent ?? 0}`}
        />
      </div>
      <Check
        name="returns.whenResold"
        label={t('rules.whenResold')}
        hint={t('rules.whenResoldHint')}
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
      <summary>{t('rules.nfts')}</summary>
      <Field
        name="contractAddress"
        label={t('rules.contract')}
        hint={t(hasSales(event) ? 'fixed' : 'rules.contractHint')}
        defaultValue={event ? (event.contractAddress ?? '') : config.ticketContract}
        disabled={hasSales(event)}
        placeholder="0x…"
        autocomplete="off"
        spellcheck={false}
      />
      <Field
        name="entry"
        label={t('rules.entry')}
        as="select"
        hint={t('rules.entryHint')}
        disabled={hasSales(event)}
      >
        <option value="token" selected={entry === 'token'}>
          {t('rules.entryToken')}
        </option>
        <option value="account" selected={entry === 'account'}>
          {t('rules.entryAccount')}
        </option>
      </Field>
      <Check
        name="lockAfterAdmission"
        label={t('rules.lock')}
        hint={t('rules.lockHint')}
        defaultChecked={event?.lockAfterAdmission}
      />
    </details>
  );
}
