import * as z from 'zod';
import type { Question } from '../../catalog/events/event.ts';
import { type InvalidField, invalid, invalidFields } from '../../core/errors.ts';
import { identifier, text } from '../../core/schemas.ts';
import { numberItems, type OrderItem } from '../order.ts';

const value = z
  .union([text(2_000), z.array(text(200)).max(50), z.boolean()])
  .meta({ description: 'Text, the chosen options, or whether it is ticked. A day is `YYYY-MM-DD`' });

/** An answer to a question of an event. Empty text and an empty list are no answer. */
export const answer = z.object({
  questionId: identifier.meta({ description: 'The id of a question of the event' }),
  number: z
    .int()
    .min(1)
    .optional()
    .meta({ description: 'The number of the ticket, for questions per ticket', examples: [1] }),
  value,
});
export type Answer = z.infer<typeof answer>;

/** The maximum size of an order's answers, in bytes of JSON: an item of the table has at most 400 KB. */
const maximumBytes = 100_000;

export const answers = z.array(answer).max(2_000);

/** The tickets that a question is asked for, by their numbers; for a question per order, whether it is asked. */
function seatsOf({ tierIds }: Question, items: readonly OrderItem[]): number[] {
  return numberItems({ items: [...items] })
    .filter(({ tierId, isAddOn }) => (tierIds.length === 0 ? !isAddOn : tierIds.includes(tierId)))
    .flatMap(({ firstNumber, quantity }) =>
      Array.from({ length: quantity }, (_, index) => firstNumber + index),
    );
}

/**
 * Checks answers to the questions of an event.
 * @param given the answers of the request
 * @param isComplete whether all required questions have to be answered
 * @throws DomainError 400 with the invalid fields, and for required answers that are missing
 */
export function requireValidAnswers(
  questions: readonly Question[],
  items: readonly OrderItem[],
  given: readonly Answer[],
  isComplete: boolean,
): void {
  const invalidAnswers = given.flatMap((answer, index): InvalidField[] => {
    const problem = findProblem(questions, items, answer);
    return problem === undefined ? [] : [{ path: `answers.${index}`, message: problem }];
  });
  const missing = isComplete ? questions.filter(({ required }) => required).flatMap(findMissing) : [];
  const [first, ...others] = [...invalidAnswers, ...missing];
  if (first) throw invalidFields(first, ...others);
  if (new Set(given.map(keyOf)).size < given.length) throw invalid('answers must have each question once');
  refuseLongAnswers(given);

  function findMissing(question: Question): InvalidField[] {
    const seats = seatsOf(question, items);
    const asked = question.per === 'ticket' ? seats : seats.length > 0 ? [undefined] : [];
    const isAnswered = (number: number | undefined) =>
      given.some(
        (answer) => answer.questionId === question.id && answer.number === number && !isEmpty(answer),
      );
    return asked.every(isAnswered) ? [] : [{ path: 'answers', message: `Please answer: ${question.label}` }];
  }
}

function findProblem(
  questions: readonly Question[],
  items: readonly OrderItem[],
  { questionId, number, value }: Answer,
): string | undefined {
  const question = questions.find(({ id }) => id === questionId);
  const seats = question ? seatsOf(question, items) : [];
  if (!question || seats.length === 0) return 'This question is not asked for these tickets';
  const { label, per, kind, options } = question;
  if (per === 'order' && number !== undefined) return `${label}: answer it once for the order`;
  if (per === 'ticket' && (number === undefined || !seats.includes(number)))
    return `${label}: answer it for a ticket that it is asked for`;
  if (isEmpty({ value }) && !question.required) return undefined;
  const isRight = {
    text: () => typeof value === 'string' && value.length <= 200 && !/[\n\r]/.test(value),
    longtext: () => typeof value === 'string',
    choice: () => typeof value === 'string' && options.includes(value),
    multiple: () =>
      Array.isArray(value) &&
      new Set(value).size === value.length &&
      value.every((choice) => options.includes(choice)),
    checkbox: () => typeof value === 'boolean',
    date: () => typeof value === 'string' && isDay(value),
  }[kind]();
  if (!isRight) return `${label}: the answer is not valid`;
  return isEmpty({ value }) ? `Please answer: ${label}` : undefined;
}

/** A box that has to be ticked is not answered until it is. */
const isEmpty = ({ value }: Pick<Answer, 'value'>) =>
  value === false || (typeof value !== 'boolean' && value.length === 0);

function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return (
    /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
  );
}

const keyOf = ({ questionId, number }: Answer) => `${questionId} ${number ?? ''}`;

function refuseLongAnswers(given: readonly Answer[]): void {
  if (Buffer.byteLength(JSON.stringify(given)) > maximumBytes) throw invalid('The answers are too long');
}

/** Returns the answers with the changed ones in place of the earlier. @throws DomainError 400 when they are too long together */
export function mergeAnswers(before: readonly Answer[], changed: readonly Answer[]): Answer[] {
  const replaced = new Set(changed.map(keyOf));
  const merged = [...before.filter((answer) => !replaced.has(keyOf(answer))), ...changed];
  refuseLongAnswers(merged);
  return merged;
}

/** Formats an answer for a cell of a table. */
export function formatAnswer({ value }: Answer): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return Array.isArray(value) ? value.join(', ') : value;
}
