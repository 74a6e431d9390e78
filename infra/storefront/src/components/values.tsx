import type { Event } from 'boxoffice-client';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { explorerLink, shorten } from '../chain.ts';
import {
  durationBetween,
  formatPlace,
  longTime,
  shortTime,
  timeFormat,
  timeOfDay,
  visitorTime,
} from '../format.ts';
import { formatMoney } from '../money.ts';
import type { shop } from '../texts/en/shop.ts';
import { t } from '../texts/shop.ts';

/** An amount with its currency. */
export function Money({ amount, currency }: { amount: number | string; currency: string }) {
  return <>{formatMoney(amount, currency)}</>;
}

/** The price of a ticket. */
export function Price({ amount, currency }: { amount: number; currency: string }) {
  return amount === 0 ? t('values.free') : <Money amount={amount} currency={currency} />;
}

/** A time in the visitor's own zone. */
export function Time({ at }: { at: string }) {
  return <time dateTime={at}>{shortTime(at)}</time>;
}

interface EventTimeProps {
  event: Pick<Event, 'eventDate' | 'timezone'>;
  /** Omits the weekday. */
  short?: boolean;
}

/** An event's start in the event's time zone, with the visitor's time where it differs. */
export function EventTime({ event: { eventDate, timezone }, short }: EventTimeProps) {
  const timeForVisitor = visitorTime(eventDate, timezone);
  return (
    <>
      <time dateTime={eventDate}>
        {short ? shortTime(eventDate, timezone) : longTime(eventDate, timezone)}
      </time>
      {timeForVisitor && (
        <>
          {' '}
          <span class="quiet">{t('values.yourTime', { time: timeForVisitor })}</span>
        </>
      )}
    </>
  );
}

/** An event's start, end and duration. */
export function EventPeriod({ event }: { event: Pick<Event, 'eventDate' | 'endDate' | 'timezone'> }) {
  return (
    <>
      <b>
        <EventTime event={event} />
      </b>
      <br />
      <span class="quiet">
        {t('values.until', {
          end: <time dateTime={event.endDate}>{timeOfDay(event)}</time>,
          duration: durationBetween(event.eventDate, event.endDate),
        })}
      </span>
    </>
  );
}

/** An event's time and place, on two lines. */
export function WhenAndWhere({
  event,
}: {
  event: Pick<Event, 'eventDate' | 'timezone'> & Parameters<typeof formatPlace>[0];
}) {
  return (
    <p class="quiet">
      <EventTime event={event} />
      <br />
      {formatPlace(event)}
    </p>
  );
}

/** An event's date: month, day and year, one above the other. */
export function DateTile({ event }: { event: Pick<Event, 'eventDate' | 'timezone'> }) {
  const format = (options: Intl.DateTimeFormatOptions) =>
    timeFormat({ ...options, timeZone: event.timezone }).format(new Date(event.eventDate));
  return (
    <p class="date-tile">
      <span>{format({ month: 'short' })}</span> <b>{format({ day: 'numeric' })}</b>{' '}
      <span>{format({ year: 'numeric' })}</span>
    </p>
  );
}

interface HashProps {
  /** What the value is. */
  name: CopiedName;
  value: string;
  chainId?: number;
  /** The path of the value's page in a block explorer. */
  path?: `${'tx' | 'address' | 'nft'}/${string}`;
}

/**
 * A transaction's hash, an address or a token id: shortened, linked to the block explorer, with a button that copies
 * all of it.
 */
export function Hash({ name, value, chainId, path }: HashProps) {
  const link = chainId !== undefined && path && explorerLink(chainId, path);
  const text = (
    <code title={value} class="hash">
      {shorten(value)}
    </code>
  );
  return (
    <span class="copyable">
      {link ? (
        <a href={link} target="_blank" rel="noreferrer">
          {text}
        </a>
      ) : (
        text
      )}
      <CopyButton name={name} text={value} />
    </span>
  );
}

/** A button that shares a page by the apps of the device. Where the browser can't, it copies the link. */
export function ShareButton({ title, url }: { title: string; url: string }) {
  if (!('share' in navigator)) return <CopyButton name="link" text={url} isLong />;
  // The visitor may close the choice of apps, which rejects.
  const share = () => navigator.share({ title, url }).catch(() => {});
  return (
    <button type="button" onClick={share}>
      {t('event.share')}
    </button>
  );
}

type CopiedName = Exclude<keyof typeof shop.copy, 'button' | 'copied' | 'byHand'>;

interface CopyButtonProps {
  /** What is copied. */
  name: CopiedName;
  text: string;
  /** Says what it copies; by default, only screen readers do. */
  isLong?: boolean;
}

/** A button that copies a text to the clipboard, and confirms it for two seconds. */
export function CopyButton({ name, text, isLong }: CopyButtonProps) {
  const [message, setMessage] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setMessage(''), 2_000);
    return () => clearTimeout(timer);
  }, [message]);
  const copy = async () => {
    try {
      // Browsers define `clipboard` only over HTTPS and on localhost.
      await navigator.clipboard.writeText(text);
      setMessage(t('copy.copied'));
    } catch {
      setMessage(t('copy.byHand'));
    }
  };
  return (
    <>
      <button
        type="button"
        class={isLong ? undefined : 'small'}
        aria-label={isLong ? undefined : t(`copy.${name}`)}
        onClick={copy}
      >
        {isLong ? t(`copy.${name}`) : t('copy.button')}
      </button>{' '}
      <small class="quiet" role="status">
        {message}
      </small>
    </>
  );
}

/** A name and its value, as an entry of a `<dl class="facts">`. */
export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
