import { getEvent, listAdmissions, ok, type User } from 'boxoffice-client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { Field, Form } from '../components/form.tsx';
import { Page } from '../components/page.tsx';
import { Loaded } from '../components/resource.tsx';
import { useResource } from '../components/use-resource.ts';
import { check, type Verdict } from '../door/check.ts';
import { Scanner } from '../door/scanner.tsx';
import { Search } from '../door/search.tsx';
import { signal } from '../door/signals.ts';
import { isRefusal } from '../errors.ts';

/** Lets people in at the door of an event. */
export function CheckInPage({ user }: { user: User }) {
  const { id = '' } = useRoute().params;
  const found = useResource(() => ok(getEvent(id)), [id]);
  const isOwn = found.state === 'ready' && found.value.event.organizerId === user.id;
  return (
    <Page title={found.state === 'ready' ? `At the door of ${found.value.event.title}` : 'At the door'}>
      <Loaded of={found}>
        {({ event }) => (
          <>
            <h1 class="door-title">{event.title}</h1>
            <Door eventId={event.id} />
            <p>
              {isOwn ? <a href={`/organizer/events/${id}`}>Sales</a> : <a href="/work">Events you work at</a>}
            </p>
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** How long a code that was scanned may be out of view before it counts as scanned again, in milliseconds. */
const outOfView = 3_000;
/** How often the counts of all doors are read, in milliseconds. */
const refresh = 10_000;

function Door({ eventId }: { eventId: string }) {
  const [verdicts, setVerdicts] = useState<Verdict[]>([]);
  const [waiting, setWaiting] = useState<'checking' | 'no answer'>();
  const inSight = useRef({ code: '', seenAt: 0 });
  const isBusy = useRef(false);
  const scanIds = useRef(new Map<string, string>());
  const counts = useCounts(eventId);

  const present = async (code: string) => {
    isBusy.current = true;
    setWaiting('checking');
    // Kept until an answer comes, so that the next scan of this code repeats the one without an answer.
    const scanId = scanIds.current.get(code) ?? crypto.randomUUID();
    scanIds.current.set(code, scanId);
    const verdict = await check({ code, eventId, scanId }, () => setWaiting('no answer'));
    if (verdict.kind !== 'unsure') scanIds.current.delete(code);
    signal(verdict.kind === 'in');
    setVerdicts((earlier) => [verdict, ...earlier].slice(0, 20));
    setWaiting(undefined);
    isBusy.current = false;
    await counts.reload?.();
  };
  /** Takes a code from the camera, which sees it many times. */
  const see = (code: string) => {
    const now = Date.now();
    const isSame = inSight.current.code === code && now - inSight.current.seenAt < outOfView;
    if (!isSame && isBusy.current) return;
    inSight.current = { code, seenAt: now };
    if (!isSame) void present(code);
  };
  const enter = async ({ code }: { code: string }, form: HTMLFormElement) => {
    if (isBusy.current) return;
    await present(code);
    // Ready for the next in the line.
    form.reset();
    (form.elements.namedItem('code') as HTMLInputElement).focus();
  };
  return (
    <div class="door">
      <p class="counts" role="status">
        {counts.text}
      </p>
      <Scanner onCode={see} />
      {waiting && (
        <p class="verdict" aria-live="polite">
          {waiting === 'checking' ? 'Checking…' : 'No answer yet, trying again…'}
        </p>
      )}
      <div role="log" aria-label="Checked just now">
        <ul class="verdicts">
          {verdicts.map(({ kind, title, name, text }, index) => (
            <li key={verdicts.length - index} class={`verdict ${kind}`}>
              <h2>{title}</h2>
              {name && <b>{name}</b>}
              <p>{text}</p>
            </li>
          ))}
        </ul>
      </div>
      <details class="panel">
        <summary>Enter a code</summary>
        <Form<{ code: string }> submit="Check in" onSubmit={enter}>
          <Field
            name="code"
            label="Code of the ticket"
            hint="Paste it, or let a scanner type it. It stands beside the QR code."
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
        <Search eventId={eventId} />
      </details>
    </div>
  );
}

/** How many are in, of all doors. The page works without, so that a failure shows as such and nothing more. */
function useCounts(eventId: string): { text: string; reload?: () => Promise<void> } {
  const found = useResource(() => ok(listAdmissions(eventId)), [eventId]);
  const reload = found.state === 'loading' ? undefined : found.reload;
  useEffect(() => {
    const timer = reload && setInterval(reload, refresh);
    return () => clearInterval(timer);
  }, [reload]);
  if (found.state === 'loading') return { text: ' ' };
  if (found.state === 'ready') {
    const { admitted, expected } = found.value;
    const count = new Intl.NumberFormat().format;
    return { text: `${count(admitted)} of ${count(expected)} in`, reload };
  }
  const isForbidden = isRefusal(found.error, 403, 404);
  return { text: isForbidden ? 'You do not work at this event' : 'No count right now', reload };
}
