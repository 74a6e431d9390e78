import { HttpError } from 'boxoffice-client';
import { shortTime } from './format.ts';
import { Unreachable } from './session/session.ts';

/** An error as people read it: the API's own sentence where there is one, with its times in the visitor's zone. */
export function messageOf(error: unknown): string {
  if (error instanceof Unreachable) return 'The service can’t be reached. Please try again.';
  // The sentence of a 500 says no more than this one.
  const sentence = error instanceof HttpError && error.status !== 500 ? error.data?.error : undefined;
  if (typeof sentence !== 'string') return 'Something went wrong. Please try again.';
  return sentence.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => shortTime(time));
}

/** Whether the API refused with one of these statuses. */
export function isRefusal(error: unknown, ...statuses: number[]): error is HttpError {
  return error instanceof HttpError && statuses.includes(error.status);
}
