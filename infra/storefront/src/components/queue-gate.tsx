import { type Event, getQueue, joinQueue, ok, type Queue, type QueuePlace } from 'boxoffice-client';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type CheckedDraw, checkDraw } from '../check-draw.ts';
import { loginPath, send } from '../session/session.ts';
import { useSession } from '../session/user.tsx';
import { t } from '../texts/shop.ts';
import { setTitle } from './page.tsx';
import { isBeingDrawn, QueueInvitation } from './queue-invitation.tsx';
import { Failure, Loading } from './resource.tsx';
import { Time } from './values.tsx';

interface QueueGateProps {
  event: Event;
  /** The form to buy tickets. @param ticket of the visitor's place; undefined where no queue is in the way */
  children: (ticket: string | undefined) => ComponentChildren;
}

/** Shows the queue of an event, and the form to buy once it is the visitor's turn. */
export function QueueGate({ event, children }: QueueGateProps) {
  return event.queue ? <QueuedSale event={event}>{children}</QueuedSale> : children(undefined);
}

/** A place, with its ticket. */
interface Joined {
  place: QueuePlace;
  ticket: string;
  pollSeconds: number;
}

const storageKey = (eventId: string, userId: string) => `queue:${eventId}:${userId}`;

/** A queue with the visitor's place, read again and again. */
interface FollowedQueue {
  queue: Queue | undefined;
  joined: Joined | undefined;
  error: unknown;
  join: () => Promise<void>;
}

/** Follows the queue of an event. @param userId the visitor's; undefined without a session */
function useQueue(eventId: string, userId: string | undefined): FollowedQueue {
  const [queue, setQueue] = useState<Queue>();
  const [joined, setJoined] = useState<Joined>();
  const [error, setError] = useState<unknown>();
  const [poll, setPoll] = useState(0);
  const key = userId && storageKey(eventId, userId);

  /** Joins, or reads the place again: the same call answers the same place. */
  const join = async () => {
    const answer = await ok(joinQueue(eventId));
    // After a reload, the page asks for the place by itself.
    if (key) localStorage.setItem(key, 'joined');
    setJoined(answer);
    return answer;
  };

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let isLeft = false;
    const update = async () => {
      let seconds = 10;
      try {
        // Without the access token, so that a CDN answers it for all who wait.
        const state = await ok(getQueue(eventId, { fetch: send }));
        if (isLeft) return;
        setQueue(state);
        setError(undefined);
        const place = joined?.place;
        const isNews =
          place?.state === 'waiting' &&
          state.seed !== null &&
          (place.number === null || place.number <= state.admittedUpTo);
        const isEnded =
          place?.state === 'admitted' &&
          Date.parse(place.admittedUntil ?? '') <= Date.parse(state.serverTime);
        const isRemembered = key !== undefined && !joined && localStorage.getItem(key) !== null;
        if (state.state === 'over') return;
        const current = isNews || isEnded || isRemembered ? await join() : joined;
        if (current) seconds = pauseOf(state, current);
      } catch (failure) {
        setError(failure);
      }
      // Spread, so that not everybody asks at the same moment.
      if (!isLeft)
        timer = setTimeout(() => setPoll((count) => count + 1), seconds * (800 + Math.random() * 400));
    };
    void update();
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, [eventId, key, poll]);

  const joinNow = () => join().then(() => setPoll((count) => count + 1), setError);
  return { queue, joined, error, join: joinNow };
}

/** Returns when to read the queue again, in seconds: the more often, the closer the draw or the turn. */
function pauseOf(queue: Queue, { place: { number }, pollSeconds }: Joined): number {
  const expected =
    number === null
      ? (Date.parse(queue.drawAt) - Date.parse(queue.serverTime)) / 1_000
      : ((number - queue.admittedUpTo) * 60) / queue.perMinute;
  return Math.min(pollSeconds, Math.max(3, expected / 10));
}

function QueuedSale({ event, children }: QueueGateProps) {
  const { user } = useSession();
  const { queue, joined, error, join } = useQueue(event.id, user?.id);
  const isTurn = joined?.place.state === 'admitted' && queue?.state !== 'over';
  useAnnouncement(isTurn, event.title);
  if (!queue) return error === undefined ? <Loading /> : <Failure error={error} />;
  if (queue.state === 'over') return children(undefined);
  return (
    <>
      <section class="panel" aria-labelledby="queue-title">
        <h2 id="queue-title">{t(isTurn ? 'queue.turn' : 'queue.title')}</h2>
        <div role="status">
          {joined ? <PlaceState queue={queue} place={joined.place} /> : <QueueInvitation queue={queue} />}
        </div>
        {!joined && queue.state !== 'closed' && (
          <p>
            {user ? (
              <button type="button" class="primary" onClick={join}>
                {t('queue.join')}
              </button>
            ) : (
              <a class="button primary" href={loginPath()}>
                {t('queue.signIn')}
              </a>
            )}
          </p>
        )}
        {joined && queue.seed !== null && queue.commitment !== null && (
          <DrawCheck eventId={event.id} place={joined.place} commitment={queue.commitment} />
        )}
        {error !== undefined && <Failure error={error} />}
      </section>
      {isTurn && children(joined.ticket)}
    </>
  );
}

function PlaceState({ queue, place }: { queue: Queue; place: QueuePlace }) {
  const { number, state, admittedUntil } = place;
  if (state === 'admitted')
    return <p>{t('queue.orderUntil', { time: <Time at={admittedUntil ?? ''} /> })}</p>;
  if (state === 'over') return <p>{t('queue.over')}</p>;
  if (number === null)
    return (
      <p>
        {t('queue.hasPlace')}{' '}
        {isBeingDrawn(queue)
          ? t('queue.beingDrawn')
          : t('queue.drawnAt', { time: <Time at={queue.drawAt} /> })}{' '}
        {t('queue.comeBack')}
      </p>
    );
  const ahead = Math.max(0, number - queue.admittedUpTo - 1);
  return (
    <>
      <p>
        {t('queue.number', { number: <b>{number}</b> })} {t('queue.ahead', { count: ahead })}
      </p>
      <p>
        {queue.state === 'paused'
          ? t('queue.paused')
          : `${describeWait((ahead + 1) / queue.perMinute)} ${t('queue.stay')}`}
      </p>
    </>
  );
}

function describeWait(minutes: number): string {
  return minutes < 1 ? t('queue.waitShort') : t('queue.wait', { count: Math.round(minutes) });
}

function DrawCheck({
  eventId,
  place,
  commitment,
}: {
  eventId: string;
  place: QueuePlace;
  commitment: string;
}) {
  const [checked, setChecked] = useState<CheckedDraw>();
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const check = async () => {
    setIsBusy(true);
    await checkDraw(eventId, place.id, commitment).then(setChecked, setError);
    setIsBusy(false);
  };
  return (
    <div role="status">
      {checked ? (
        <p class={checked.isCorrect ? 'status good' : 'status bad'}>
          {checked.isCorrect ? t('queue.correct', { places: checked.count }) : t('queue.wrong')}
        </p>
      ) : (
        <button type="button" disabled={isBusy} onClick={check}>
          {t('queue.check')}
        </button>
      )}
      {error !== undefined && <Failure error={error} />}
    </div>
  );
}

/** Says by the title and by a sound that it is the visitor's turn. */
function useAnnouncement(isTurn: boolean, title: string): void {
  const wasTurn = useRef(false);
  useEffect(() => {
    if (isTurn && !wasTurn.current) {
      setTitle(t('queue.turnTitle', { title }));
      playSound();
    }
    if (!isTurn && wasTurn.current) setTitle(title);
    wasTurn.current = isTurn;
  }, [isTurn]);
}

function playSound(): void {
  const context = new AudioContext();
  const tone = context.createOscillator();
  const volume = context.createGain();
  volume.gain.value = 0.2;
  tone.frequency.value = 660;
  tone.connect(volume).connect(context.destination);
  tone.onended = () => void context.close();
  tone.start();
  tone.stop(context.currentTime + 0.6);
}
