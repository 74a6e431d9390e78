import { useEffect, useState } from 'preact/hooks';
import { Time } from './time.tsx';

interface HoldProps {
  createdAt: string;
  /** When the order's tickets are released. */
  expiresAt: string;
  onEnd: () => void;
}

/**
 * Counts down to the release of an order's tickets. Screen readers do not announce the timer, but they do announce when
 * five minutes and when one minute are left.
 */
export function HoldCountdown({ createdAt, expiresAt, onEnd }: HoldProps) {
  const [remainingSeconds, setRemainingSeconds] = useState(() => secondsLeft(createdAt, expiresAt));
  useEffect(() => {
    const tick = () => {
      const seconds = secondsLeft(createdAt, expiresAt);
      setRemainingSeconds(seconds);
      if (seconds === 0) onEnd();
    };
    tick();
    const timer = setInterval(tick, 1_000);
    return () => clearInterval(timer);
  }, [createdAt, expiresAt]);
  const minutes = Math.floor(remainingSeconds / 60);
  return (
    <>
      <p>
        Your tickets are held for you until <Time at={expiresAt} />.{' '}
        <span role="timer">
          <b>
            {minutes}:{`${remainingSeconds % 60}`.padStart(2, '0')}
          </b>{' '}
          left
        </span>
      </p>
      <p class="visually-hidden" role="status">
        {warningAt(remainingSeconds)}
      </p>
    </>
  );
}

/** Returns at most the length of the hold, since the visitor's clock may be wrong. */
function secondsLeft(createdAt: string, expiresAt: string): number {
  const end = Date.parse(expiresAt);
  const left = Math.min(end - Date.now(), end - Date.parse(createdAt));
  return Math.max(0, Math.ceil(left / 1_000));
}

function warningAt(seconds: number): string {
  if (seconds === 0) return '';
  if (seconds <= 60) return 'One minute is left to pay.';
  return seconds <= 300 ? 'Five minutes are left to pay.' : '';
}
