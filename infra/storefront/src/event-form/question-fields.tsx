import type { Event } from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { Check, Field } from '../components/form.tsx';
import { TierChoice } from '../components/tier-choice.tsx';
import { hasOptions } from './event-values.ts';

type Question = Event['questions'][number];

const kinds: readonly [Question['kind'], label: string][] = [
  ['text', 'A line'],
  ['longtext', 'A longer text'],
  ['choice', 'One of several answers'],
  ['multiple', 'Any of several answers'],
  ['checkbox', 'A box to tick'],
  ['date', 'A date'],
];

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
      <legend>{stored?.label ?? `Question ${index + 1}`}</legend>
      <Field
        name={fieldName('label')}
        label="What you ask"
        maxLength={200}
        defaultValue={stored?.label}
        autoFocus={takesFocus}
        required
      />
      <div onChange={({ target }) => setKind((target as HTMLSelectElement).value as Question['kind'])}>
        <Field name={fieldName('kind')} label="Kind of answer" as="select" disabled={stored !== undefined}>
          {kinds.map(([value, label]) => (
            <option key={value} value={value} selected={value === kind}>
              {label}
            </option>
          ))}
        </Field>
      </div>
      <Field name={fieldName('per')} label="Asked for" as="select" disabled={stored !== undefined}>
        <option value="order" selected={stored?.per === 'order'}>
          The order, once
        </option>
        <option value="ticket" selected={stored?.per === 'ticket'}>
          Each ticket
        </option>
      </Field>
      {hasOptions(kind) && (
        <Field
          name={fieldName('options')}
          label="Possible answers"
          as="textarea"
          rows={4}
          hint="Each on its own line"
          defaultValue={stored?.options.join('\n')}
          required
        />
      )}
      <Check
        name={fieldName('required')}
        label={kind === 'checkbox' ? 'Has to be ticked' : 'Has to be answered'}
        defaultChecked={stored?.required}
      />
      {tiers.length > (stored?.tierIds.length ? 0 : 1) && (
        <TierChoice
          name={fieldName('tierIds')}
          legend="Only for these tiers"
          hint="Without a choice: for all tickets, but no add-ons"
          tiers={tiers}
          chosen={stored?.tierIds}
        />
      )}
      <button type="button" onClick={onRemove}>
        Remove
      </button>
    </fieldset>
  );
}
