import { type CheckIn, checkIn, HttpError, ok } from 'boxoffice-client';
import { isRefusal, isUncertain, messageOf } from '../errors.ts';
import { shortTime } from '../format.ts';

/** The result that the door sees: `unsure` when the API did not answer. */
export interface Verdict {
  kind: 'in' | 'out' | 'unsure';
  title: string;
  /** Who it is, where that is known. */
  name?: string;
  text: string;
}

/** How often a scan is sent while no answer comes, and for how long each, in milliseconds. */
const attempts = 3;
const timeout = 5_000;
const pause = 1_000;

/**
 * Checks a code in. Sends the scan again until an answer arrives. The API repeats its first answer to a scan's id, so a
 * person whose first answer was lost is not refused as already admitted.
 * @param onWait called before each repetition
 */
export async function check(
  scan: { code: string; eventId: string; scanId: string },
  onWait: () => void,
): Promise<Verdict> {
  for (let attempt = 1; ; attempt++) {
    try {
      return admitted((await ok(checkIn(scan, { signal: AbortSignal.timeout(timeout) }))).checkIn);
    } catch (error) {
      if (!isTemporary(error)) return refused(error);
      if (attempt === attempts) return unanswered;
      onWait();
      await new Promise((resume) => setTimeout(resume, pause));
    }
  }
}

/** No answer, or one that says nothing about the ticket. */
function isTemporary(error: unknown): boolean {
  return isUncertain(error) || isRefusal(error, 429) || codeOf(error) === 'busy';
}

function admitted(checkedIn: CheckIn): Verdict {
  const { customerName, attendeeName, tierName, number, quantity, chainChecked } = checkedIn;
  const place = quantity === 1 ? tierName : `${tierName}, ticket ${number} of ${quantity}`;
  const unchecked = chainChecked === false ? '. The chain gave no answer, so the token was not checked' : '';
  return {
    kind: 'in',
    title: 'Checked in',
    name: attendeeName ?? customerName,
    text: `${place}${unchecked}.`,
  };
}

const unanswered: Verdict = {
  kind: 'unsure',
  title: 'No answer',
  text: 'Check the connection, then scan this ticket again. It counts once.',
};

/** The reasons for refusing admission, by the API's error code. */
const refusals: Record<string, { title: string; text: string }> = {
  moved: { title: 'Old code', text: 'The ticket was handed to somebody else. Ask for the new code.' },
  'token-moved': {
    title: 'Token moved',
    text: 'The token of this ticket left the holder’s wallet. Its new owner has to claim the ticket first.',
  },
  refunded: { title: 'Refunded', text: 'The buyer got the money back for this ticket.' },
  'event-cancelled': { title: 'Cancelled', text: 'This event is cancelled.' },
  'not-paid': { title: 'Not paid', text: 'The order of this ticket is not paid.' },
  'no-seat': { title: 'No seat', text: 'It was paid when no tickets were left. The money goes back.' },
  'other-event': { title: 'Another event', text: 'The ticket is for another event.' },
  'code-expired': { title: 'Too late', text: 'The event ended more than a day ago.' },
  'invalid-code': { title: 'Not a ticket', text: 'This is not a check-in code.' },
  'order-not-found': { title: 'Unknown ticket', text: 'There is no order with this ticket.' },
  forbidden: {
    title: 'Not for this door',
    text: 'It is for another event, or you no longer work at this one.',
  },
};

function refused(error: unknown): Verdict {
  const code = codeOf(error) ?? '';
  if (code === 'already-checked-in') {
    const [at] = /\d{4}-\d\d-\d\dT[\d:.]+Z/.exec(String((error as HttpError).data?.error)) ?? [];
    return { kind: 'out', title: 'Already in', text: at ? `Checked in already at ${shortTime(at)}.` : '' };
  }
  return { kind: 'out', ...(refusals[code] ?? { title: 'Not let in', text: messageOf(error) }) };
}

function codeOf(error: unknown): string | undefined {
  return error instanceof HttpError ? (error.headers?.get('x-error-code') ?? undefined) : undefined;
}
