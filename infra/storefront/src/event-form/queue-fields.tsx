import type { Event } from 'boxoffice-client';
import { Field } from '../components/form.tsx';
import { wallTime } from './zoned-time.ts';

/** The queue of a sale that more people want to buy at than there are tickets. */
export function QueueFields({ event }: { event: Event | undefined }) {
  const queue = event?.queue;
  const hasOpened = queue ? Date.parse(queue.opensAt) <= Date.now() : false;
  const timeField = (name: 'opensAt' | 'drawAt' | 'until', label: string, hint: string, disabled = false) => (
    <Field
      name={`queue.${name}`}
      label={label}
      type="datetime-local"
      max="9999-12-31T23:59"
      hint={disabled ? 'It can’t be changed, since the queue has opened.' : hint}
      defaultValue={event && queue ? wallTime(queue[name], event.timezone) : undefined}
      disabled={disabled}
    />
  );
  return (
    <details open={Boolean(queue)}>
      <summary>Queue for a sale with many buyers</summary>
      <p class="quiet">
        People join the queue before the sale. Their order is then drawn, so nobody gains by being first, and
        anybody can check the draw. They buy in this order. Only people with an account can join.
      </p>
      <div class="pair">
        {timeField('opensAt', 'The queue opens', 'Empty: there is no queue.', hasOpened)}
        {timeField('drawAt', 'The order is drawn', 'Empty: when the sale begins', hasOpened)}
      </div>
      <div class="pair">
        {timeField('until', 'The queue ends', 'Anybody can buy after it. Empty: when the sale ends')}
        <Field
          name="queue.perMinute"
          label="People admitted a minute"
          type="number"
          min={1}
          max={60_000}
          hint={
            hasOpened ? 'Change it on the page of the queue.' : 'Empty: automatic, from 600 to 6,000 a minute'
          }
          defaultValue={queue?.perMinute ? `${queue.perMinute}` : undefined}
          disabled={hasOpened}
        />
      </div>
    </details>
  );
}
