import { HttpError } from 'boxoffice-client';
import { shortTime } from './format.ts';
import { Unreachable } from './session/session.ts';

/** An invalid field of a request, as the API names it. */
export interface InvalidField {
  /** Its path in the request: `tiers.0.price`. */
  path: string;
  message: string;
}

/** The messages for a request whose Idempotency-Key was used before, by error code. */
const repeatedRequestMessages: Record<string, string | undefined> = {
  'in-progress': 'Your first attempt is still being processed. Please try again in a moment.',
  'idempotency-key-reused':
    'Your first attempt, with other details, may have succeeded although no answer arrived. Please check whether it did before you try again.',
};

/** An error as people read it: the API's own sentences where there are some, with times in the visitor's zone. */
export function messageOf(error: unknown): string {
  if (error instanceof Unreachable) return 'The service can’t be reached. Please try again.';
  const repetition =
    error instanceof HttpError && repeatedRequestMessages[error.headers?.get('x-error-code') ?? ''];
  if (repetition) return repetition;
  const fields = invalidFieldsOf(error);
  if (fields.length > 0) return fields.map((field) => sentenceAbout(field)).join(' ');
  // The message of a 500 has no more information than this one.
  const sentence = error instanceof HttpError && error.status !== 500 ? error.data?.error : undefined;
  if (typeof sentence !== 'string') return 'Something went wrong. Please try again.';
  return withTimes(sentence);
}

/** Returns whether the API refused with one of these statuses. */
export function isRefusal(error: unknown, ...statuses: number[]): error is HttpError {
  return error instanceof HttpError && statuses.includes(error.status);
}

/**
 * Returns whether a failed request may have succeeded: there was no answer, or an answer that leaves it open. A retry has
 * to repeat the same request.
 */
export function isUncertain(error: unknown): boolean {
  if (error instanceof Unreachable) return true;
  if (!(error instanceof HttpError)) return false;
  return error.status >= 500 || error.headers.get('x-error-code') === 'in-progress';
}

/** All fields that the API refused; none for any other error. */
export function invalidFieldsOf(error: unknown): InvalidField[] {
  const header = isRefusal(error, 400) && error.headers?.get('x-error-fields');
  return header ? JSON.parse(header) : [];
}

/**
 * What is wrong with a field, as a sentence: `startDate is required` as Start date is required.
 * @param label what people know the field as; by default its name in words
 */
export function sentenceAbout({ path, message }: InvalidField, label = labelOf(path)): string {
  const isAboutPath = path !== '' && message.startsWith(`${path} `);
  const text = isAboutPath ? label + inWords(message.slice(path.length)) : message;
  return `${withTimes(text)}.`;
}

/** `tiers.0.maxPerPerson` as Max per person. */
function labelOf(path: string): string {
  const name = path.split('.').findLast((part) => !/^\d+$/.test(part)) ?? '';
  return name.charAt(0).toUpperCase() + inWords(name.slice(1));
}

/** The names of other fields in words: `must not be before startDate` as must not be before start date. */
function inWords(text: string): string {
  return text.replace(/\b[a-z]+(?:[A-Z][a-z]+)+\b/g, (name) =>
    name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
  );
}

function withTimes(sentence: string): string {
  return sentence.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => shortTime(time));
}

/** Values that were refused for another reason than the API’s validation of them. */
export class FieldsRefused extends Error {
  /** Sentences, by the names of the fields. */
  readonly fields: Record<string, string>;
  constructor(fields: Record<string, string>) {
    super(Object.values(fields).join(' '));
    this.fields = fields;
  }
}
