import type { Event, OrderItem, OrderWithAdmissions } from 'boxoffice-client';
import { useId } from 'preact/hooks';
import { t } from '../texts/shop.ts';
import { Check, Field, useFieldError } from './form.tsx';

/** The organizer's questions to buyers, and the fields for their answers. */

type Question = Event['questions'][number];
type Answer = OrderWithAdmissions['answers'][number];
type AskedItem = Pick<OrderItem, 'tierId' | 'name' | 'kind' | 'quantity' | 'firstNumber'>;

/** Questions that are asked together: for the order, or for the ticket of this number. */
export interface QuestionGroup {
  legend: string;
  number?: number;
  /** Required ones first. */
  questions: Question[];
}

/** Returns the questions that are asked for these items: those for the order, then those for each ticket. */
export function groupQuestions(questions: readonly Question[], items: readonly AskedItem[]): QuestionGroup[] {
  const requiredFirst = questions.toSorted((a, b) => Number(b.required) - Number(a.required));
  const find = (per: Question['per'], asked: readonly AskedItem[]) =>
    requiredFirst.filter(
      (question) => question.per === per && asked.some((item) => isAskedFor(question, item)),
    );
  const ofTickets = items.flatMap((item) =>
    Array.from({ length: item.quantity }, (_, index): QuestionGroup => {
      const number = item.firstNumber + index;
      return {
        legend: t('questions.ofTicket', { number, tier: item.name }),
        number,
        questions: find('ticket', [item]),
      };
    }),
  );
  return [{ legend: t('questions.title'), questions: find('order', items) }, ...ofTickets].filter(
    (group) => group.questions.length > 0,
  );
}

/** Returns whether a question is asked for an item. Without tiers, it is asked for all tickets, but not for add-ons. */
function isAskedFor({ tierIds }: Question, { tierId, kind }: AskedItem): boolean {
  return tierIds.length === 0 ? kind === 'ticket' : tierIds.includes(tierId);
}

const fieldNameOf = ({ id }: Question, { number }: QuestionGroup) => `answers.${id}.${number ?? 'order'}`;

/** Reads the answers from a form. An unanswered question has an empty or false value. */
export function readAnswers(data: FormData, groups: readonly QuestionGroup[]): Answer[] {
  return groups.flatMap((group) =>
    group.questions.map((question): Answer => {
      const values = data.getAll(fieldNameOf(question, group)).map(String);
      const value = toValue(question.kind, values);
      return { questionId: question.id, ...(group.number && { number: group.number }), value };
    }),
  );
}

/** Converts the values of a question's field to an answer. */
function toValue(kind: Question['kind'], values: string[]): Answer['value'] {
  if (kind === 'multiple') return values;
  return kind === 'checkbox' ? values.length > 0 : (values[0] ?? '');
}

export function isAnswered({ value }: Answer): boolean {
  return typeof value === 'boolean' ? value : value.length > 0;
}

/** Returns whether a required question has no answer. */
export function isAnswerMissing(groups: readonly QuestionGroup[], answers: readonly Answer[]): boolean {
  return groups.some((group) =>
    group.questions.some(({ id, required }) => required && !findAnswer(answers, id, group.number)),
  );
}

function findAnswer(answers: readonly Answer[], id: string, number: number | undefined): Answer | undefined {
  return answers.find((answer) => answer.questionId === id && answer.number === number && isAnswered(answer));
}

/** Returns the errors that the browser's validation misses: it does not require one of several boxes. */
export function findUnchosen(data: FormData, groups: readonly QuestionGroup[]): Record<string, string> {
  const names = groups.flatMap((group) =>
    group.questions
      .filter(({ kind, required }) => kind === 'multiple' && required)
      .map((question) => fieldNameOf(question, group)),
  );
  const unchosen = names.filter((name) => !data.has(name));
  return Object.fromEntries(unchosen.map((name) => [name, t('questions.chooseOne')]));
}

interface QuestionFieldsProps {
  groups: readonly QuestionGroup[];
  /** The answers so far. */
  answers?: readonly Answer[];
}

export function QuestionFields({ groups, answers = [] }: QuestionFieldsProps) {
  return (
    <>
      {groups.map((group) => (
        <fieldset key={group.legend}>
          <legend>{group.legend}</legend>
          {group.questions.map((question) => (
            <QuestionField
              key={question.id}
              name={fieldNameOf(question, group)}
              question={question}
              value={findAnswer(answers, question.id, group.number)?.value}
            />
          ))}
        </fieldset>
      ))}
    </>
  );
}

interface QuestionFieldProps {
  name: string;
  question: Question;
  value: Answer['value'] | undefined;
}

function QuestionField({ name, question, value }: QuestionFieldProps) {
  const { kind, required, options } = question;
  const label = required ? question.label : t('questions.optional', { label: question.label });
  const text = { name, label, required, defaultValue: typeof value === 'string' ? value : undefined };
  switch (kind) {
    case 'text':
      return <Field {...text} maxLength={200} />;
    case 'longtext':
      return <Field {...text} as="textarea" rows={3} maxLength={2000} />;
    case 'date':
      return <Field {...text} type="date" max="9999-12-31" />;
    case 'checkbox':
      return <Check name={name} label={label} required={required} defaultChecked={value === true} />;
    case 'choice':
      return (
        <Field name={name} label={label} required={required} as="select">
          <option value="">{t('questions.choose')}</option>
          {options.map((option) => (
            <option key={option} value={option} selected={option === value}>
              {option}
            </option>
          ))}
        </Field>
      );
    case 'multiple':
      return <Boxes name={name} label={label} options={options} chosen={Array.isArray(value) ? value : []} />;
  }
}

interface BoxesProps {
  name: string;
  label: string;
  options: readonly string[];
  chosen: readonly string[];
}

/** A checkbox for each option. */
function Boxes({ name, label, options, chosen }: BoxesProps) {
  const error = useFieldError(name);
  const id = useId();
  return (
    <fieldset class="field">
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option} class="check">
          <input
            type="checkbox"
            name={name}
            value={option}
            defaultChecked={chosen.includes(option)}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? id : undefined}
          />
          {option}
        </label>
      ))}
      {error && (
        <small class="bad" id={id}>
          {error}
        </small>
      )}
    </fieldset>
  );
}
