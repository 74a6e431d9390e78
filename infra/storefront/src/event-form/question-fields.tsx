import type { Event } from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { Check, Field } from '../components/form.tsx';
import { TierChoice } from '../components/tier-choice.tsx';
import { form } from '../texts/en/form.ts';
import { t } from '../texts/form.ts';
import { hasOptions } from './event-values.ts';

type Question = Event['questions'][number];

const kinds = Object.keys(form.questions.kinds) as Question['kind'][];

interface QuestionFieldsProps {
  index: number;
  /** The stored question; undefined for a new one. */
  stored: Question | undefined;
  /** The kind that a new one begins with. */
  kind?: Question['kind'];
  /** The stored tiers of the event. */
  tiers: Event['tiers'];
  /** Whether the first field gets the focus when it appears. */
  takesFocus: boolean;
  onRemove: () => void;
}

/** A question to buyers in the form of an event. A stored one keeps its kind, since it may have been answered. */
export function QuestionFields({
  index,
  stored,
  kind: firstKind,
  tiers,
  takesFocus,
  onRemove,
}: QuestionFieldsProps) {
  const fieldName = (field: string) => `questions.${index}.${field}`;
  const [kind, setKind] = useState<Question['kind']>(stored?.kind ?? firstKind ?? 'text');
  return (
    <fieldset class="tier-row">
      <legend>{stored?.label ?? t('questions.number', { number: index + 1 })}</legend>
      <Field
        name={fieldName('label')}
        label={t('questions.label')}
        maxLength={200}
        defaultValue={stored?.label}
        autoFocus={takesFocus}
        required
      />
      <div onChange={({ target }) => setKind((target as HTMLSelectElement).value as Question['kind'])}>
        <Field
          name={fieldName('kind')}
          label={t('questions.kind')}
          as="select"
          disabled={stored !== undefined}
        >
          {kinds.map((value) => (
            <option key={value} value={value} selected={value === kind}>
              {t(`questions.kinds.${value}`)}
            </option>
          ))}
        </Field>
      </div>
      <Field name={fieldName('per')} label={t('questions.per')} as="select" disabled={stored !== undefined}>
        <option value="order" selected={stored?.per === 'order'}>
          {t('questions.perOrder')}
        </option>
        <option value="ticket" selected={stored?.per === 'ticket'}>
          {t('questions.perTicket')}
        </option>
      </Field>
      {hasOptions(kind) && (
        <Field
          name={fieldName('options')}
          label={t('questions.options')}
          as="textarea"
          rows={4}
          hint={t('questions.optionsHint')}
          defaultValue={stored?.options.join('\n')}
          required
        />
      )}
      <Check
        name={fieldName('required')}
        label={t(kind === 'checkbox' ? 'questions.ticked' : 'questions.answered')}
        defaultChecked={stored?.required}
      />
      {tiers.length > (stored?.tierIds.length ? 0 : 1) && (
        <TierChoice
          name={fieldName('tierIds')}
          legend={t('questions.tiers')}
          hint={t('questions.tiersHint')}
          tiers={tiers}
          chosen={stored?.tierIds}
        />
      )}
      <button type="button" onClick={onRemove}>
        {t('remove')}
      </button>
    </fieldset>
  );
}
