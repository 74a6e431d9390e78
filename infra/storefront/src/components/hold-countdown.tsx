import { useEffect, useState } from 'preact/hooks';
import { t } from '../texts/shop.ts';
import { Time } from './values.tsx';

interface HoldProps {
  /** When the order's tickets are released. */
  expiresAt: string;
  /** `expiresAt` on the visitor's clock, which may be wrong; epoch milliseconds. */
  endsAt: number;
  onEnd: () => void;
}

/**
 * Counts down to the release of an order's tickets. Screen readers do not announce the timer, but they do announce when
 * less than five minutes and less than one minute are left.
 */
export function HoldCountdown({ expiresAt, endsAt, onEnd }: HoldProps) {
  const remainingSeconds = useRemainingSeconds(endsAt, onEnd);
  return (
    <>
      <p>
        {t('held.until', { time: <Time at={expiresAt} /> })} <RemainingTime seconds={remainingSeconds} />
      </p>
      <p class="visually-hidden" role="status">
        {warningAt(remainingSeconds)}
      </p>
    </>
  );
}

/** The time until a hold ends, which nothing announces. */
export function Remaining({ endsAt, onEnd }: Omit<HoldProps, 'expiresAt'>) {
  return <RemainingTime seconds={useRemainingSeconds(endsAt, onEnd)} />;
}

function RemainingTime({ seconds }: { seconds: number }) {
  return (
    <span role="timer">
      {t('held.left', {
        time: (
          <b>
            {Math.floor(seconds / 60)}:{`${seconds % 60}`.padStart(2, '0')}
          </b>
        ),
      })}
    </span>
  );
}

function useRemainingSeconds(endsAt: number, onEnd: () => void): number {
  const [remainingSeconds, setRemainingSeconds] = useState(() => secondsUntil(endsAt));
  useEffect(() => {
    const tick = () => {
      const seconds = secondsUntil(endsAt);
      setRemainingSeconds(seconds);
      if (seconds === 0) onEnd();
    };
    tick();
    const timer = setInterval(tick, 1_000);
    return () => clearInterval(timer);
  }, [endsAt]);
  return remainingSeconds;
}

function secondsUntil(time: number): number {
  return Math.max(0, Math.ceil((time - Date.now()) / 1_000));
}

function warningAt(seconds: number): string {
  if (seconds === 0) return '';
  if (seconds < 60) return t('held.oneMinute');
  return seconds < 300 ? t('held.fiveMinutes') : '';
}
