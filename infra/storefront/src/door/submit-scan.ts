import { admitSeat, type CheckIn, checkIn, HttpError, ok, undoAdmission } from 'boxoffice-client';
import { isRefusal, isUncertain, messageOf } from '../errors.ts';

/** The result of a scan, as the check-in page shows it. */
export interface ScanResult {
  /** `unknown` when the API did not answer. */
  kind: 'admitted' | 'refused' | 'unknown';
  title: string;
  /** The attendee's name, or the buyer's for a ticket without one. */
  name?: string;
  text: string;
  /** The admitted seat. */
  seat?: { orderId: string; number: number };
}

/** How many times a scan is sent before the page shows that there is no answer. */
const maximumAttempts = 3;
/** Milliseconds until an attempt fails, and between two attempts. */
const attemptTimeout = 5_000;
const retryDelay = 1_000;

/**
 * Checks a ticket in by its code, and tries again when no answer arrives. The API answers a repeated `scanId` with its
 * first answer, so a retry is not refused as already checked in.
 * @param onRetry called before each retry
 */
export const submitScan = (
  scan: { code: string; eventId: string; scanId: string },
  onRetry: () => void,
): Promise<ScanResult> => submit((options) => checkIn(scan, options), onRetry);

/** Checks a seat in without its code, as `submitScan` does with it. */
export const submitSeat = (
  eventId: string,
  seat: { orderId: string; number: number; scanId: string },
): Promise<ScanResult> =>
  submit(
    (options) => admitSeat(eventId, seat, options),
    () => {},
  );

/** Undoes the admission of a seat. A failure is a result too. */
export async function undoScan({
  orderId,
  number,
}: {
  orderId: string;
  number: number;
}): Promise<ScanResult> {
  try {
    const { seat } = await ok(
      undoAdmission(orderId, number, { signal: AbortSignal.timeout(attemptTimeout) }),
    );
    return {
      kind: 'refused',
      title: 'Undone',
      text: `${seat.tierName}, ticket ${number}: not admitted. The code can be scanned again.`,
    };
  } catch (error) {
    return { kind: 'unknown', title: 'Not undone', text: messageOf(error) };
  }
}

async function submit(
  request: (options: { signal: AbortSignal }) => ReturnType<typeof checkIn> | ReturnType<typeof admitSeat>,
  onRetry: () => void,
): Promise<ScanResult> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { checkIn: admission } = await ok(request({ signal: AbortSignal.timeout(attemptTimeout) }));
      return describeAdmission(admission);
    } catch (error) {
      if (!isRetryable(error)) return describeRefusal(error);
      if (attempt === maximumAttempts) return noAnswer;
      onRetry();
      await new Promise((resolve) => setTimeout(resolve, retryDelay));
    }
  }
}

/** Returns whether no answer arrived, or one that says nothing about the ticket. */
function isRetryable(error: unknown): boolean {
  return isUncertain(error) || isRefusal(error, 429) || errorCodeOf(error) === 'busy';
}

function describeAdmission(admission: CheckIn): ScanResult {
  const { orderId, customerName, attendeeName, tierName, number, quantity, chainChecked } = admission;
  const ticket = quantity === 1 ? tierName : `${tierName}, ticket ${number} of ${quantity}`;
  const warning = chainChecked === false ? '. The chain did not answer, so the token was not checked' : '';
  return {
    kind: 'admitted',
    title: 'Checked in',
    name: attendeeName ?? customerName,
    text: `${ticket}${warning}.`,
    seat: { orderId, number },
  };
}

const noAnswer: ScanResult = {
  kind: 'unknown',
  title: 'No answer',
  text: 'Check the connection, then scan this ticket again. It is checked in only once.',
};

/** The reasons for refusing admission, by the API's error code. */
const refusals: Record<string, { title: string; text: string }> = {
  moved: { title: 'Old code', text: 'The ticket was transferred to somebody else. Ask for its new code.' },
  'token-moved': {
    title: 'Token moved',
    text: 'The token of this ticket left the holder’s wallet. Its new owner has to claim the ticket first.',
  },
  refunded: { title: 'Refunded', text: 'The ticket was refunded, and is no longer valid.' },
  'event-cancelled': { title: 'Cancelled', text: 'This event is cancelled.' },
  'not-paid': { title: 'Not paid', text: 'The order of this ticket is not paid.' },
  'no-seat': {
    title: 'No seat',
    text: 'The order was paid after the tickets were sold out. The buyer gets the money back.',
  },
  'other-event': { title: 'Another event', text: 'The ticket is for another event.' },
  'code-expired': { title: 'Too late', text: 'The event ended more than a day ago.' },
  'invalid-code': { title: 'Not a ticket', text: 'This is not a check-in code.' },
  'order-not-found': { title: 'Unknown ticket', text: 'There is no order with this ticket.' },
  forbidden: {
    title: 'Not for this door',
    text: 'The ticket is for another event, or you no longer work at this one.',
  },
};

function describeRefusal(error: unknown): ScanResult {
  const errorCode = errorCodeOf(error) ?? '';
  if (errorCode === 'already-checked-in') {
    // The API's message has the person, the tier, the time and the one who admitted them.
    return { kind: 'refused', title: 'Already in', text: `${messageOf(error)}.` };
  }
  return { kind: 'refused', ...(refusals[errorCode] ?? { title: 'Not admitted', text: messageOf(error) }) };
}

function errorCodeOf(error: unknown): string | undefined {
  return error instanceof HttpError ? (error.headers?.get('x-error-code') ?? undefined) : undefined;
}

let audio: AudioContext | undefined;

/** Enables sounds. Browsers require the call to come from a click. */
export function enableSounds(): void {
  audio ??= new AudioContext();
  void audio.resume();
}

/** Plays one high beep for an admission and two low ones for any other result. Phones also vibrate. */
export function signalResult(isAdmitted: boolean): void {
  navigator.vibrate?.(isAdmitted ? 80 : [200, 100, 200]);
  if (isAdmitted) beep(1_320, 0, 0.12);
  else for (const delay of [0, 0.3]) beep(220, delay, 0.2);
}

/** Plays a tone of `length` seconds, `delay` seconds from now. */
function beep(hertz: number, delay: number, length: number): void {
  if (audio?.state !== 'running') return;
  const startTime = audio.currentTime + delay;
  const oscillator = new OscillatorNode(audio, { frequency: hertz, type: 'square' });
  const volume = new GainNode(audio, { gain: 0.2 });
  oscillator.connect(volume).connect(audio.destination);
  oscillator.start(startTime);
  oscillator.stop(startTime + length);
}
