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
import { t } from '../texts/organizing.ts';

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
    <Page
      title={
        resource.state === 'ready'
          ? t('queue.titleOf', { event: resource.value.event.title })
          : t('queue.title')
      }
    >
      <p>
        <a href={`/organizer/events/${id}`}>{t('sales')}</a>
      </p>
      <h1>{t('queue.title')}</h1>
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
      <p role="status">{t(`queue.states.${queue.state}`)}</p>
      <Facts {...props} />
      {queue.commitment && (
        <p>
          {t('queue.commitment', { commitment: <code>{queue.commitment}</code> })}{' '}
          <CopyButton name="commitment" text={queue.commitment} />
          <br />
          <small class="quiet">{t('queue.commitmentHint')}</small>
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
          <Fact name={t('queue.opens')}>
            <Time at={queue.opensAt} />
          </Fact>
          <Fact name={t('queue.drawn')}>
            <Time at={queue.drawAt} />
          </Fact>
        </>
      ) : (
        <>
          <Fact name={t('queue.peopleDrawn')}>{drawn}</Fact>
          <Fact name={t('queue.admittedUpTo')}>{queue.admittedUpTo}</Fact>
        </>
      )}
      <Fact name={t('queue.perMinute')}>
        {event.queue?.perMinute === null ? t('queue.automatic', { rate: queue.perMinute }) : queue.perMinute}
      </Fact>
      <Fact name={t('queue.ends')}>
        <Time at={queue.until} />
      </Fact>
      <Fact name={t('queue.sold')}>{summary.sold}</Fact>
      <Fact name={t('queue.held')}>{summary.held}</Fact>
      <Fact name={t('queue.left')}>{summary.available}</Fact>
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
            {t(isPaused ? 'queue.resume' : 'queue.pause')}
          </button>
        </p>
      )}
      {error !== undefined && <Failure error={error} />}
      <div class="panel">
        <Form<{ perMinute: string }>
          submit={t('queue.setRate')}
          onSubmit={({ perMinute }) => control({ perMinute: perMinute ? Number(perMinute) : null })}
        >
          <Field
            name="perMinute"
            label={t('queue.rate')}
            type="number"
            min={1}
            max={60_000}
            hint={t('queue.rateHint')}
            defaultValue={event.queue?.perMinute ? `${event.queue.perMinute}` : undefined}
          />
        </Form>
      </div>
    </>
  );
}
