import { type CheckInList, type Event, getEvent, listAdmissions, ok } from 'boxoffice-client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { Field, Form } from '../components/form.tsx';
import { Page } from '../components/page.tsx';
import { Loaded, useResource } from '../components/resource.tsx';
import { scanOffline, undoOffline } from '../door/scan-offline.ts';
import { Scanner } from '../door/scanner.tsx';
import { type FoundSeat, Search } from '../door/search.tsx';
import { doorId, findStoredEvent } from '../door/storage.ts';
import {
  type AdmittedSeat,
  type ScanResult,
  signalResult,
  submitScan,
  submitScanBriefly,
  submitSeat,
  undoScan,
} from '../door/submit-scan.ts';
import { type Sync, useSync } from '../door/use-sync.ts';
import { isRefusal, isUncertain } from '../errors.ts';
import { locale } from '../format.ts';
import { loginPath } from '../session/session.ts';
import { RedirectToSignIn, useSession } from '../session/user.tsx';
import { t } from '../texts/door.ts';

/** An event as its door knows it, also without network. */
type DoorEvent = Pick<Event, 'id' | 'title' | 'offlineMode' | 'checkInLists'> & { organizerId?: string };

/** Checks tickets in at the door of an event. Works without network once it was open on this device. */
export function CheckInPage() {
  const { id = '' } = useRoute().params;
  const { user, isUnreachable } = useSession();
  const resource = useResource(() => loadEvent(id), [id]);
  if (!user && !isUnreachable) return <RedirectToSignIn />;
  const isOrganizer = resource.state === 'ready' && resource.value.organizerId === user?.id;
  return (
    <Page title={resource.state === 'ready' ? t('titleOf', { event: resource.value.title }) : t('title')}>
      <Loaded of={resource}>
        {(event) => (
          <>
            <h1 class="door-title">{event.title}</h1>
            <DoorOfList event={event} />
            <p class="part">
              {isOrganizer ? (
                <a href={`/organizer/events/${id}`}>{t('sales')}</a>
              ) : (
                <a href="/work">{t('work')}</a>
              )}
            </p>
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** Loads an event, from this device when the service can't be reached. */
async function loadEvent(id: string): Promise<DoorEvent> {
  try {
    return (await ok(getEvent(id))).event;
  } catch (error) {
    const stored = isUncertain(error) ? await findStoredEvent(id) : undefined;
    if (stored) return stored;
    throw error;
  }
}

/** Asks by which check-in list the door admits, where the event has lists. */
function DoorOfList({ event }: { event: DoorEvent }) {
  const { query, path } = useLocation();
  const { checkInLists } = event;
  const list = checkInLists.find(({ id }) => id === query.list);
  if (checkInLists.length === 0) return <Door event={event} list={undefined} />;
  return (
    <>
      <nav class="door-lists" aria-label={t('lists')}>
        {checkInLists.map(({ id, name }) => (
          <a key={id} href={`${path}?list=${id}`} aria-current={id === list?.id ? 'page' : undefined}>
            {name}
          </a>
        ))}
      </nav>
      {list ? <Door key={list.id} event={event} list={list} /> : <p>{t('chooseList')}</p>}
    </>
  );
}

/** Milliseconds that a code has to be out of view before the camera scans it again. */
const rescanDelay = 3_000;
/** Milliseconds between two requests for the counts of all doors. */
const countsInterval = 10_000;
/** The number of latest scans whose results are shown. */
const maximumResults = 20;

function Door({ event, list }: { event: DoorEvent; list: CheckInList | undefined }) {
  const { id: eventId, offlineMode } = event;
  const listId = list?.id;
  const door = doorId(eventId, listId);
  const sync = useSync({ eventId, listId }, offlineMode !== 'never');
  const [direction, setDirection] = useState<'entry' | 'exit'>('entry');
  const [isOffline, setOffline] = useState(false);
  const [question, setQuestion] = useState<(isAccepted: boolean) => void>();
  const [results, setResults] = useState<(ScanResult & { number: number })[]>([]);
  const [progress, setProgress] = useState<'checking' | 'retrying'>();
  const lastSeen = useRef({ code: '', seenAt: 0 });
  const isBusy = useRef(false);
  const lastScan = useRef(Promise.resolve());
  const scanIds = useRef(new Map<string, string>());
  const counts = useCounts(eventId);
  // The service answers again.
  useEffect(() => {
    if (sync.state === 'online') setOffline(false);
  }, [sync]);
  // Codes wait in a queue, so that they are decided by the state at their turn.
  const latest = useRef({ sync, isOffline });
  latest.current = { sync, isOffline };

  const show = (result: ScanResult) =>
    setResults((earlier) =>
      [{ ...result, number: (earlier[0]?.number ?? 0) + 1 }, ...earlier].slice(0, maximumResults),
    );
  const undo = async (seat: AdmittedSeat, scanId?: string) => {
    const wasWaiting = scanId !== undefined && (await undoOffline(door, scanId));
    show(wasWaiting ? undone() : await undoScan(seat));
    void counts.reload?.();
    void sync.refresh();
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
    signalResult(result.kind);
    show(result);
    setProgress(undefined);
    isBusy.current = false;
    void counts.reload?.();
    void sync.refresh();
  };
  /** Asks the service; where it does not answer, this device, if the event and its staff agree. */
  const decide = async (code: string, scanId: string): Promise<ScanResult> => {
    const scan = { code, eventId, scanId, listId, direction };
    const decideOffline = () => scanOffline({ ...scan, door });
    if (latest.current.isOffline) return decideOffline();
    if (!latest.current.sync.stored?.isComplete || offlineMode === 'never')
      return submitScan(scan, () => setProgress('retrying'));
    const result = await submitScanBriefly(scan);
    if (result.kind !== 'unknown') return result;
    if (offlineMode === 'ask') {
      signalResult('unknown');
      const isAccepted = await new Promise<boolean>((resolve) => setQuestion(() => resolve));
      setQuestion(undefined);
      if (!isAccepted) return submitScan(scan, () => setProgress('retrying'));
    }
    setOffline(true);
    return decideOffline();
  };
  /** Submits a code after the earlier ones. A scanner that types codes does not wait for results. */
  const enqueue = (code: string) => {
    lastScan.current = lastScan.current.then(() => submit(code, (scanId) => decide(code, scanId)));
  };
  const admit = ({ orderId, number }: FoundSeat) => {
    const send = (scanId: string) => submitSeat(eventId, { orderId, number, scanId, listId, direction });
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
        {isOffline ? t('offline') : counts.text}
      </p>
      {offlineMode !== 'never' && <SyncNote sync={sync} isOffline={isOffline} />}
      {list?.allowExit && (
        <fieldset class="door-direction">
          <legend>{t('direction')}</legend>
          {(['entry', 'exit'] as const).map((value) => (
            <label key={value} class="check">
              <input
                type="radio"
                name="direction"
                checked={direction === value}
                onChange={() => {
                  setDirection(value);
                  // The code in view counts again.
                  lastSeen.current = { code: '', seenAt: 0 };
                }}
              />
              {t(value)}
            </label>
          ))}
        </fieldset>
      )}
      <Scanner onCode={handleCameraCode} />
      {question && (
        <div class="scan-result offline-question" role="alertdialog" aria-label={t('question.name')}>
          <h2>{t('question.title')}</h2>
          <p>{t('question.warning')}</p>
          <button class="primary" type="button" onClick={() => question(true)}>
            {t('question.accept')}
          </button>
          <button type="button" onClick={() => question(false)}>
            {t('question.refuse')}
          </button>
        </div>
      )}
      {progress && !question && (
        <p class="scan-result" aria-live="polite">
          {t(progress)}
        </p>
      )}
      <div role="log" aria-label={t('latest')}>
        <ul class="scan-results">
          {results.map(({ number, kind, title, name, text, seat, scanId, letIn }) => (
            <li key={number} class={`scan-result ${kind}`}>
              <h2>{title}</h2>
              {name && <b>{name}</b>}
              <p>{text}</p>
              {seat && (
                <button type="button" onClick={() => undo(seat, scanId)}>
                  {t('undo')}
                </button>
              )}
              {letIn && (
                <button type="button" onClick={() => letIn().then(show).then(sync.refresh)}>
                  {t('letIn')}
                </button>
              )}
            </li>
          ))}
        </ul>
      </div>
      <details class="panel">
        <summary>{t('enterCode')}</summary>
        <Form<{ code: string }> submit={t('checkIn')} onSubmit={submitForm}>
          <Field
            name="code"
            label={t('code')}
            hint={t('codeHint')}
            maxLength={200}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            required
          />
        </Form>
      </details>
      <details class="panel">
        <summary>{t('findName')}</summary>
        <p class="quiet">{t('findNameHint')}</p>
        <Search eventId={eventId} admitsAgain={list !== undefined} onAdmit={admit} />
      </details>
    </div>
  );
}

/** Says how old the list of this device is, how many scans wait, and what to do when they can't be sent. */
function SyncNote({ sync, isOffline }: { sync: Sync; isOffline: boolean }) {
  const { state, stored, isReady, waiting } = sync;
  const age = isReady && stored ? t('sync.age', { time: clockTime(stored.syncedAt) }) : t('sync.loading');
  return (
    <p class={isOffline || waiting > 0 ? 'sync-note waiting' : 'sync-note quiet'}>
      {age}
      {waiting > 0 && ` · ${t('sync.scans', { count: waiting })}`}
      {isOffline && ` · ${t('sync.alone')}`}
      {state === 'signed-out' && (
        <>
          {' · '}
          <a href={loginPath()}>{t('sync.signIn')}</a>
        </>
      )}
      {state === 'refused' && ` · ${t('sync.refused')}`}
    </p>
  );
}

const clockTime = (time: number) => new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(time);

const undone = (): ScanResult => ({
  kind: 'refused',
  title: t('scan.undone'),
  text: t('scan.undoneText'),
});

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
  if (isRefusal(resource.error, 403, 404)) return { text: t('counts.forbidden'), reload };
  if (resource.state === 'failed') return { text: t('counts.unknown'), reload };
  const { admitted, expected } = resource.value;
  const format = new Intl.NumberFormat(locale).format;
  const values = { admitted: format(admitted), expected: format(expected) };
  return { text: t(resource.error === undefined ? 'counts.in' : 'counts.stale', values), reload };
}
