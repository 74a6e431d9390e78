import {
  controlQueue,
  type Event,
  type EventSummary,
  getDraw,
  getEvent,
  getQueue,
  ok,
  type Queue,
  summarizeEvent,
} from 'boxoffice-client';
import { useEffect, useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { Field, Form } from '../components/form.tsx';
import { Page } from '../components/page.tsx';
import { Failure, Loaded, useResource } from '../components/resource.tsx';
import { CopyButton, Fact, Time } from '../components/values.tsx';

/** The pause between two readings of the queue and the sales, in milliseconds. */
const updateInterval = 5_000;

/** The queue of an event's sale, for its organizer and managers, who can pause it and change its rate. */
export function ManagedQueuePage() {
  const { id = '' } = useRoute().params;
  const resource = useResource(async () => {
    const [{ event }, queue, { summary }] = await Promise.all([
      ok(getEvent(id)),
      ok(getQueue(id)),
      ok(summarizeEvent(id)),
    ]);
    const drawn = queue.seed === null ? undefined : (await ok(getDraw(id))).count;
    return { event, queue, summary, drawn };
  }, [id]);
  const [controlled, setControlled] = useState<Queue>();
  const reload = resource.state === 'ready' ? resource.reload : undefined;
  useEffect(() => {
    const timer = reload && setInterval(reload, updateInterval);
    return () => clearInterval(timer);
  }, [reload]);
  return (
    <Page title={resource.state === 'ready' ? `Queue of ${resource.value.event.title}` : 'Queue'}>
      <p>
        <a href={`/organizer/events/${id}`}>Sales</a>
      </p>
      <h1>Queue</h1>
      <Loaded of={resource}>
        {({ event, queue, summary, drawn }) => (
          <>
            <p class="quiet">{event.title}</p>
            {resource.state === 'ready' && resource.error !== undefined && <Failure error={resource.error} />}
            <ShownQueue
              event={event}
              queue={laterOf(queue, controlled)}
              summary={summary}
              drawn={drawn}
              onControl={async (changed) => {
                setControlled(changed);
                await reload?.();
              }}
            />
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** A CDN may answer with the state of up to two seconds before a change. */
const laterOf = (read: Queue, controlled: Queue | undefined) =>
  controlled && controlled.serverTime > read.serverTime ? controlled : read;

const states: Record<Queue['state'], string> = {
  closed: 'The queue has not opened yet.',
  open: 'People join the queue. Nobody is admitted before the order is drawn.',
  admitting: 'People are admitted in the order of their numbers.',
  paused: 'The queue is paused: nobody is admitted. People who were admitted can still buy.',
  over: 'The queue is over: anybody can buy what is left.',
};

interface ShownQueueProps {
  event: Event;
  queue: Queue;
  summary: EventSummary;
  /** The number of places that were drawn; undefined before the draw. */
  drawn: number | undefined;
  /** Called with the queue as it is after a change. */
  onControl: (queue: Queue) => Promise<void>;
}

function ShownQueue(props: ShownQueueProps) {
  const { queue } = props;
  return (
    <>
      <p role="status">{states[queue.state]}</p>
      <Facts {...props} />
      {queue.commitment && (
        <p>
          Commitment of the draw: <code>{queue.commitment}</code>{' '}
          <CopyButton name="commitment" text={queue.commitment} />
          <br />
          <small class="quiet">
            Publish it while people join. After the draw it proves that the draw was not changed.
          </small>
        </p>
      )}
      {queue.state !== 'over' && <Controls {...props} />}
    </>
  );
}

function Facts({ event, queue, summary, drawn }: ShownQueueProps) {
  return (
    <dl class="panel facts">
      {drawn === undefined ? (
        <>
          <Fact name="Opens">
            <Time at={queue.opensAt} />
          </Fact>
          <Fact name="Order is drawn">
            <Time at={queue.drawAt} />
          </Fact>
        </>
      ) : (
        <>
          <Fact name="People drawn">{drawn}</Fact>
          <Fact name="Admitted up to number">{queue.admittedUpTo}</Fact>
        </>
      )}
      <Fact name="Admitted a minute">
        {queue.perMinute}
        {event.queue?.perMinute === null && ' (automatic)'}
      </Fact>
      <Fact name="Ends">
        <Time at={queue.until} />
      </Fact>
      <Fact name="Tickets sold">{summary.sold}</Fact>
      <Fact name="Tickets held by unpaid orders">{summary.held}</Fact>
      <Fact name="Tickets left">{summary.available}</Fact>
    </dl>
  );
}

function Controls({ event, queue, onControl }: ShownQueueProps) {
  const [error, setError] = useState<unknown>();
  const control = (change: Parameters<typeof controlQueue>[1]) =>
    ok(controlQueue(event.id, change)).then(onControl);
  const pause = (paused: boolean) => control({ paused }).then(() => setError(undefined), setError);
  const isPaused = queue.state === 'paused';
  return (
    <>
      {queue.seed !== null && (
        <p>
          <button type="button" class={isPaused ? 'primary' : undefined} onClick={() => pause(!isPaused)}>
            {isPaused ? 'Resume admission' : 'Pause admission'}
          </button>
        </p>
      )}
      {error !== undefined && <Failure error={error} />}
      <div class="panel">
        <Form<{ perMinute: string }>
          submit="Set the rate"
          onSubmit={({ perMinute }) => control({ perMinute: perMinute ? Number(perMinute) : null })}
        >
          <Field
            name="perMinute"
            label="People admitted a minute"
            type="number"
            min={1}
            max={60_000}
            hint="Empty: automatic, from 600 to 6,000. Lower it when payments are slow."
            defaultValue={event.queue?.perMinute ? `${event.queue.perMinute}` : undefined}
          />
        </Form>
      </div>
    </>
  );
}
