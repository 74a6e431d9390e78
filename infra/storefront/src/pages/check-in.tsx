import { getEvent, listAdmissions, ok, type User } from 'boxoffice-client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { Field, Form } from '../components/form.tsx';
import { Page } from '../components/page.tsx';
import { Loaded, useResource } from '../components/resource.tsx';
import { Scanner } from '../door/scanner.tsx';
import { type FoundSeat, Search } from '../door/search.tsx';
import { type ScanResult, signalResult, submitScan, submitSeat, undoScan } from '../door/submit-scan.ts';
import { isRefusal } from '../errors.ts';
import { locale } from '../format.ts';

/** Checks tickets in at the door of an event. */
export function CheckInPage({ user }: { user: User }) {
  const { id = '' } = useRoute().params;
  const resource = useResource(() => ok(getEvent(id)), [id]);
  const isOrganizer = resource.state === 'ready' && resource.value.event.organizerId === user.id;
  return (
    <Page title={resource.state === 'ready' ? `At the door of ${resource.value.event.title}` : 'At the door'}>
      <Loaded of={resource}>
        {({ event }) => (
          <>
            <h1 class="door-title">{event.title}</h1>
            <Door eventId={event.id} />
            <p>
              {isOrganizer ? (
                <a href={`/organizer/events/${id}`}>Sales</a>
              ) : (
                <a href="/work">Events you work at</a>
              )}
            </p>
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** Milliseconds that a code has to be out of view before the camera scans it again. */
const rescanDelay = 3_000;
/** Milliseconds between two requests for the counts of all doors. */
const countsInterval = 10_000;
/** The number of latest scans whose results are shown. */
const maximumResults = 20;

function Door({ eventId }: { eventId: string }) {
  const [results, setResults] = useState<(ScanResult & { number: number })[]>([]);
  const [progress, setProgress] = useState<'checking' | 'retrying'>();
  const lastSeen = useRef({ code: '', seenAt: 0 });
  const isBusy = useRef(false);
  const lastScan = useRef(Promise.resolve());
  const scanIds = useRef(new Map<string, string>());
  const counts = useCounts(eventId);

  const show = (result: ScanResult) =>
    setResults((earlier) =>
      [{ ...result, number: (earlier[0]?.number ?? 0) + 1 }, ...earlier].slice(0, maximumResults),
    );
  const undo = async (seat: FoundSeat) => {
    show(await undoScan(seat));
    void counts.reload?.();
  };
  /** @param key the code, or what identifies a seat without its code */
  const submit = async (key: string, send: (scanId: string) => Promise<ScanResult>) => {
    isBusy.current = true;
    setProgress('checking');
    // The id is kept until an answer arrives, so that another scan of the code repeats the unanswered one.
    const scanId = scanIds.current.get(key) ?? crypto.randomUUID();
    scanIds.current.set(key, scanId);
    const result = await send(scanId);
    if (result.kind !== 'unknown') scanIds.current.delete(key);
    signalResult(result.kind === 'admitted');
    show(result);
    setProgress(undefined);
    isBusy.current = false;
    void counts.reload?.();
  };
  /** Submits a code after the earlier ones. A scanner that types codes does not wait for results. */
  const enqueue = (code: string) => {
    const send = (scanId: string) => submitScan({ code, eventId, scanId }, () => setProgress('retrying'));
    lastScan.current = lastScan.current.then(() => submit(code, send));
  };
  const admit = ({ orderId, number }: FoundSeat) => {
    const send = (scanId: string) => submitSeat(eventId, { orderId, number, scanId });
    lastScan.current = lastScan.current.then(() => submit(`${orderId} ${number}`, send));
    scrollTo(0, 0);
    return lastScan.current;
  };
  /** Submits a code from the camera once, although the camera reads it many times. */
  const handleCameraCode = (code: string) => {
    const now = Date.now();
    const isSame = lastSeen.current.code === code && now - lastSeen.current.seenAt < rescanDelay;
    if (!isSame && isBusy.current) return;
    lastSeen.current = { code, seenAt: now };
    if (!isSame) enqueue(code);
  };
  const submitForm = async ({ code }: { code: string }, form: HTMLFormElement) => {
    enqueue(code);
    form.reset();
    (form.elements.namedItem('code') as HTMLInputElement).focus();
  };
  return (
    <div class="door">
      <p class="counts" role="status">
        {counts.text}
      </p>
      <Scanner onCode={handleCameraCode} />
      {progress && (
        <p class="scan-result" aria-live="polite">
          {progress === 'checking' ? 'Checking…' : 'No answer yet, trying again…'}
        </p>
      )}
      <div role="log" aria-label="Latest scans">
        <ul class="scan-results">
          {results.map(({ number, kind, title, name, text, seat }) => (
            <li key={number} class={`scan-result ${kind}`}>
              <h2>{title}</h2>
              {name && <b>{name}</b>}
              <p>{text}</p>
              {seat && (
                <button type="button" onClick={() => undo(seat)}>
                  Undo
                </button>
              )}
            </li>
          ))}
        </ul>
      </div>
      <details class="panel">
        <summary>Enter a code</summary>
        <Form<{ code: string }> submit="Check in" onSubmit={submitForm}>
          <Field
            name="code"
            label="Code of the ticket"
            hint="The code is next to the QR code. Paste it, or use a scanner that types it."
            maxLength={200}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            required
          />
        </Form>
      </details>
      <details class="panel">
        <summary>Find a name</summary>
        <p class="quiet">
          For visitors whose phone is empty. Check who they are first: each ticket admits one person.
        </p>
        <Search eventId={eventId} onAdmit={admit} />
      </details>
    </div>
  );
}

/**
 * Returns a text with the number of tickets that all doors have checked in, as last loaded. When the latest load failed,
 * the text says so.
 */
function useCounts(eventId: string): { text: string; reload?: () => Promise<void> } {
  const resource = useResource(() => ok(listAdmissions(eventId)), [eventId]);
  const reload = resource.state === 'loading' ? undefined : resource.reload;
  useEffect(() => {
    const timer = reload && setInterval(reload, countsInterval);
    return () => clearInterval(timer);
  }, [reload]);
  if (resource.state === 'loading') return { text: ' ' };
  if (isRefusal(resource.error, 403, 404)) return { text: 'You do not work at this event', reload };
  if (resource.state === 'failed') return { text: 'The count is not available right now', reload };
  const { admitted, expected } = resource.value;
  const format = new Intl.NumberFormat(locale).format;
  const count = `${format(admitted)} of ${format(expected)} in`;
  return { text: resource.error === undefined ? count : `${count} (not up to date)`, reload };
}
