import { admitSeat, type CheckIn, checkIn, HttpError, ok, undoAdmission } from 'boxoffice-client';
import { isRefusal, isUncertain, messageOf } from '../errors.ts';
import { t } from '../texts/door.ts';
import { door } from '../texts/en/door.ts';
import { deviceId } from './device.ts';

/** An admitted seat, and when the service admitted it: absent offline. */
export interface AdmittedSeat {
  orderId: string;
  number: number;
  checkedInAt?: string;
}

/** The result of a scan, as the check-in page shows it. */
export interface ScanResult {
  /**
   * `addon`: something to hand over, which lets nobody in. `offline`: this device decided, and the service has not confirmed it.
   * `unknown` when the API did not answer.
   */
  kind: 'admitted' | 'addon' | 'offline' | 'refused' | 'unknown';
  title: string;
  /** The attendee's name, or the buyer's for a ticket without one. */
  name?: string;
  text: string;
  /** The admitted seat, and when the service admitted it. */
  seat?: AdmittedSeat;
  /** The scan that admitted it offline. */
  scanId?: string;
  /** Lets somebody in whom the list of this device does not have. */
  letIn?: () => Promise<ScanResult>;
}

/** How many times a scan is sent before the page shows that there is no answer. */
const maximumAttempts = 3;
/** Milliseconds until an attempt fails, and between two attempts. */
const attemptTimeout = 5_000;
const retryDelay = 1_000;

/** How a door admits. */
export interface ScanOptions {
  listId: string | undefined;
  direction: 'entry' | 'exit';
}

/**
 * Checks a ticket in by its code, and tries again when no answer arrives. The API answers a repeated `scanId` with its
 * first answer, so a retry is not refused as already checked in.
 * @param onRetry called before each retry
 */
export const submitScan = (
  scan: { code: string; eventId: string; scanId: string } & ScanOptions,
  onRetry: () => void,
): Promise<ScanResult> => submit((options) => checkIn({ ...scan, deviceId: deviceId() }, options), onRetry);

/** Like `submitScan`, but gives up after two seconds: the device can decide by its list. */
export const submitScanBriefly = (
  scan: { code: string; eventId: string; scanId: string } & ScanOptions,
): Promise<ScanResult> => {
  const signal = AbortSignal.timeout(patience);
  return submit(
    (options) =>
      checkIn({ ...scan, deviceId: deviceId() }, { signal: AbortSignal.any([signal, options.signal]) }),
    () => {},
    signal,
  );
};

/** How long the door waits for an answer before it goes on without network, in milliseconds. */
const patience = 2_000;

/** Checks a seat in without its code, as `submitScan` does with it. */
export const submitSeat = (
  eventId: string,
  seat: { orderId: string; number: number; scanId: string } & ScanOptions,
): Promise<ScanResult> =>
  submit(
    (options) => admitSeat(eventId, { ...seat, deviceId: deviceId() }, options),
    () => {},
  );

/** Undoes the admission of a seat. A failure is a result too. */
export async function undoScan({ orderId, number, checkedInAt }: AdmittedSeat): Promise<ScanResult> {
  try {
    const signal = AbortSignal.timeout(attemptTimeout);
    const { seat } = await ok(undoAdmission(orderId, number, { checkedInAt }, { signal }));
    return {
      kind: 'refused',
      title: t('scan.undone'),
      text: t('scan.undoneTicket', { tier: seat.tierName, number }),
    };
  } catch (error) {
    return { kind: 'unknown', title: t('scan.notUndone'), text: messageOf(error) };
  }
}

async function submit(
  request: (options: { signal: AbortSignal }) => ReturnType<typeof checkIn> | ReturnType<typeof admitSeat>,
  onRetry: () => void,
  until?: AbortSignal,
): Promise<ScanResult> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { checkIn: admission } = await ok(request({ signal: AbortSignal.timeout(attemptTimeout) }));
      return describeAdmission(admission);
    } catch (error) {
      if (!isRetryable(error)) return describeRefusal(error);
      if (attempt === maximumAttempts || until?.aborted) return noAnswer();
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
  if (admission.direction === 'exit') return describeExit(admission.attendeeName ?? admission.customerName);
  const { orderId, customerName, attendeeName, tierName, number, quantity, chainChecked } = admission;
  const name = attendeeName ?? customerName;
  const seat = { orderId, number, checkedInAt: admission.checkedInAt };
  if (admission.kind === 'addon') return { ...describeAddOn(tierName, name), kind: 'addon', seat };
  const ticket =
    quantity === 1
      ? t('scan.ticket', { tier: tierName })
      : t('scan.ticketOf', { tier: tierName, number, quantity });
  return {
    kind: 'admitted',
    title: t('scan.checkedIn'),
    name,
    text: chainChecked === false ? `${ticket} ${t('scan.tokenUnchecked')}` : ticket,
    seat,
  };
}

/** Describes an add-on, by which nobody may come in. */
export const describeAddOn = (tier: string, name: string) => ({
  title: t('scan.addOn', { tier }),
  name,
  text: t('scan.addOnText'),
});

export const describeExit = (name: string): ScanResult => ({
  kind: 'admitted',
  title: t('scan.out'),
  name,
  text: t('scan.outText'),
});

const noAnswer = (): ScanResult => ({
  kind: 'unknown',
  title: t('scan.noAnswer'),
  text: t('scan.noAnswerText'),
});

/** Describes a refusal by the API's error code; undefined for another code. */
export function refusalOf(code: string): ScanResult | undefined {
  if (!(code in door.refusals)) return undefined;
  const key = code as keyof typeof door.refusals;
  return { kind: 'refused', title: t(`refusals.${key}.title`), text: t(`refusals.${key}.text`) };
}

function describeRefusal(error: unknown): ScanResult {
  const errorCode = errorCodeOf(error) ?? '';
  if (errorCode === 'wrong-list')
    return { kind: 'refused', title: t('scan.wrongDoor'), text: `${messageOf(error)}.` };
  if (errorCode === 'already-checked-in') {
    // The API's message has the person, the tier, the time and the one who admitted them.
    return { kind: 'refused', title: t('scan.alreadyIn'), text: `${messageOf(error)}.` };
  }
  return refusalOf(errorCode) ?? { kind: 'refused', title: t('scan.notAdmitted'), text: messageOf(error) };
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

/**
 * Plays one high beep for an admission, two middle ones for an add-on and what is not confirmed, and two low ones for a refusal. Phones
 * also vibrate.
 */
export function signalResult(kind: ScanResult['kind']): void {
  const isIn = kind === 'admitted';
  navigator.vibrate?.(isIn ? 80 : kind === 'offline' ? [80, 80, 80] : [200, 100, 200]);
  if (isIn) beep(1_320, 0, 0.12);
  else if (kind === 'offline' || kind === 'addon') for (const delay of [0, 0.18]) beep(880, delay, 0.1);
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
