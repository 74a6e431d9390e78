import { checkIn, getEvent, ok } from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { Field, Form } from '../components/form.tsx';
import { Page } from '../components/page.tsx';
import { Loaded } from '../components/resource.tsx';
import { EventTime } from '../components/time.tsx';
import { useResource } from '../components/use-resource.ts';
import { isRefusal, messageOf } from '../errors.ts';

interface Verdict {
  kind: 'success' | 'warning';
  verdict: string;
  reason: string;
}

/** Lets people in at the door of an event. */
export function CheckInPage() {
  const { id = '' } = useRoute().params;
  const found = useResource(() => ok(getEvent(id)), [id]);
  return (
    <Page title={found.state === 'ready' ? `At the door of ${found.value.event.title}` : 'At the door'}>
      <p>
        <a href={`/organizer/events/${id}`}>Sales</a>
      </p>
      <h1>At the door</h1>
      <Loaded of={found}>
        {({ event }) => (
          <>
            <p>
              <b>{event.title}</b>
              <br />
              <span class="quiet">
                <EventTime event={event} />
              </span>
            </p>
            <Door eventId={event.id} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Door({ eventId }: { eventId: string }) {
  const [verdicts, setVerdicts] = useState<Verdict[]>([]);
  const check = async ({ code }: { code: string }, form: HTMLFormElement) => {
    const verdict = await verdictOn(code, eventId);
    setVerdicts((earlier) => [verdict, ...earlier]);
    // Ready for the next in the line.
    form.reset();
    (form.elements.namedItem('code') as HTMLInputElement).focus();
  };
  return (
    <>
      <div class="panel">
        <Form<{ code: string }> submit="Check in" onSubmit={check}>
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
      </div>
      <div class="part" role="log" aria-label="Checked just now">
        <ul class="list">
          {verdicts.map(({ kind, verdict, reason }, index) => (
            <li key={verdicts.length - index} class={`panel notification ${kind}`}>
              <h2>{verdict}</h2>
              <p>{reason}</p>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

/** Whether the person is let in: a refusal is an answer too. @throws HttpError, Unreachable */
async function verdictOn(code: string, eventId: string): Promise<Verdict> {
  try {
    const { customerName, tierName, number, quantity } = (await ok(checkIn({ code, eventId }))).checkIn;
    const reason = `${customerName}: ${tierName}, ticket ${number} of ${quantity}.`;
    return { kind: 'success', verdict: 'Checked in', reason };
  } catch (error) {
    if (!isRefusal(error, 400, 403, 409)) throw error;
    return { kind: 'warning', verdict: 'Not let in', reason: `${messageOf(error)}.` };
  }
}
