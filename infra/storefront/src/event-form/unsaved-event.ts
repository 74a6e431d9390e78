import { controlsOf } from '../components/form.tsx';
import { tryStorage } from '../storage.ts';

/**
 * What was entered in the form of a new event. It stays in this browser until the event is created or its organizer
 * signs out, so that a reload does not lose it. A picture is too large to stay.
 */
export interface UnsavedEvent {
  userId: string;
  /** The index of the step that was shown. */
  step: number;
  /** The index of the last step that was shown. */
  reached: number;
  /** The fields that have a value: of checkboxes, the checked ones. */
  fields: Record<string, string>;
}

const storageKey = 'boxoffice.new-event';
/** Where the idempotency key of an unsaved event is, while nobody knows whether the event was created. */
export const requestStorageKey = 'boxoffice.new-event-request';

/** Returns undefined when the user has entered nothing. */
export function findUnsavedEvent(userId: string): UnsavedEvent | undefined {
  const unsaved: UnsavedEvent | null | undefined = tryStorage(() =>
    JSON.parse(localStorage.getItem(storageKey) ?? 'null'),
  );
  return unsaved?.userId === userId ? unsaved : undefined;
}

export function keepUnsavedEvent(form: HTMLFormElement, place: Omit<UnsavedEvent, 'fields'>): void {
  const texts = [...new FormData(form)].filter(([, value]) => typeof value === 'string');
  const unsaved = { ...place, fields: Object.fromEntries(texts) };
  tryStorage(() => localStorage.setItem(storageKey, JSON.stringify(unsaved)));
}

export function forgetUnsavedEvent(): void {
  for (const key of [storageKey, requestStorageKey]) tryStorage(() => localStorage.removeItem(key));
}

/** Returns how many tiers or questions were entered. */
export function countEntered({ fields }: UnsavedEvent, list: 'tiers' | 'questions'): number {
  const numbers = Object.keys(fields).map((name) =>
    Number(new RegExp(`^${list}\\.(\\d+)\\.`).exec(name)?.[1] ?? -1),
  );
  return Math.max(-1, ...numbers) + 1;
}

/** Enters the values again, as if the organizer did. */
export function enterAgain(form: HTMLFormElement, { fields }: UnsavedEvent): void {
  const controls = controlsOf(form).filter(({ type }) => !['file', 'button', 'submit'].includes(type));
  for (const control of controls) {
    const value = fields[control.name];
    if (control.type === 'checkbox') (control as HTMLInputElement).checked = value !== undefined;
    else if (value !== undefined) control.value = value;
  }
  // What depends on a value, such as the currency of prices, follows these events.
  for (const control of controls) {
    for (const type of ['input', 'change']) control.dispatchEvent(new Event(type, { bubbles: true }));
  }
}
