import { HttpError } from 'boxoffice-client';
import { locale, shortTime } from './format.ts';
import { Unreachable } from './session/session.ts';
import { t } from './texts/shop.ts';
import { findText, loadTexts } from './texts/texts.ts';

/** An invalid field of a request, as the API names it. */
export interface InvalidField {
  /** Its path in the request: `tiers.0.price`. */
  path: string;
  message: string;
}

/** The API's messages are English: other languages have their own, by error code and by what they say about a field. */
void loadTexts('errors');
void loadTexts('fields');

/**
 * Returns the message to show for an error: the language's own for its code, otherwise the API's where there is one, with
 * times in the visitor's zone.
 */
export function messageOf(error: unknown): string {
  if (error instanceof Refused) return error.message;
  if (error instanceof Unreachable) return t('errors.unreachable');
  const code = error instanceof HttpError ? (error.headers?.get('x-error-code') ?? '') : '';
  // The Idempotency-Key of the request was used before.
  if (code === 'in-progress') return t('errors.inProgress');
  if (code === 'idempotency-key-reused') return t('errors.keyReused');
  const ownMessage = code && findText('errors', code);
  if (ownMessage) return ownMessage;
  const fields = invalidFieldsOf(error);
  if (fields.length > 0) return fields.map((field) => toSentence(field)).join(' ');
  // The API's message for a 500 says no more than the sentence below.
  const sentence = error instanceof HttpError && error.status !== 500 ? error.data?.error : undefined;
  if (typeof sentence !== 'string') return t('errors.unknown');
  return findWords(sentence.replace(/^[a-z][\w.]* /, '')) ?? formatTimes(sentence);
}

/** Returns whether the API refused with one of these statuses. */
export function isRefusal(error: unknown, ...statuses: number[]): error is HttpError {
  return error instanceof HttpError && statuses.includes(error.status);
}

/**
 * Returns whether a failed request may have succeeded: no answer arrived, or the answer does not say whether it
 * succeeded. A retry has to repeat the same request.
 */
export function isUncertain(error: unknown): boolean {
  if (error instanceof Unreachable) return true;
  if (!(error instanceof HttpError)) return false;
  return error.status >= 500 || error.headers.get('x-error-code') === 'in-progress';
}

/** Returns the fields that the API refused; none for any other error. */
export function invalidFieldsOf(error: unknown): InvalidField[] {
  const header = isRefusal(error, 400) && error.headers?.get('x-error-fields');
  return header ? JSON.parse(header) : [];
}

/**
 * Returns a field's error as a sentence: `startDate is required` becomes Start date is required. In a language with its own
 * words, it is a sentence beside the field, without its name.
 * @param label the field's label; by default its name in words
 */
export function toSentence({ path, message }: InvalidField, label = labelOf(path)): string {
  const isAboutPath = path !== '' && message.startsWith(`${path} `);
  const words =
    findWords(isAboutPath ? message.slice(path.length + 1) : message) ?? findText('fields', 'other');
  if (words) return `${words}.`;
  const text = isAboutPath ? label + toWords(message.slice(path.length)) : message;
  return `${formatTimes(text)}.`;
}

/** Returns the language's own words for what the API says about a field; undefined without an entry, as in English. */
function findWords(message: string): string | undefined {
  const variable = /\d+(\.\d+)?|\b[A-Z]{3,4}\b/g;
  const last = message.match(variable)?.at(-1) ?? '';
  const value = /\d/.test(last) ? Number(last).toLocaleString(locale) : last;
  return findText('fields', message.replace(variable, '#'), { value });
}

/** Returns a field's name in words: `tiers.0.maxPerPerson` becomes Max per person. */
function labelOf(path: string): string {
  const name = path.split('.').findLast((part) => !/^\d+$/.test(part)) ?? '';
  return name.charAt(0).toUpperCase() + toWords(name.slice(1));
}

/** Replaces field names by words: `must not be before startDate` becomes must not be before start date. */
function toWords(text: string): string {
  return text.replace(/\b[a-z]+(?:[A-Z][a-z]+)+\b/g, (name) =>
    name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
  );
}

function formatTimes(sentence: string): string {
  return sentence.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => shortTime(time));
}

/** An error whose message is shown to the visitor. */
export class Refused extends Error {}

/** An error that a form's `onSubmit` throws to show messages at fields. */
export class FieldsRefused extends Error {
  /** Error messages by field name. */
  readonly fields: Record<string, string>;
  constructor(fields: Record<string, string>) {
    super(Object.values(fields).join(' '));
    this.fields = fields;
  }
}
