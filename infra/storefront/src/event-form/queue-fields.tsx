import type { Event } from 'boxoffice-client';
import { Field } from '../components/form.tsx';
import { t } from '../texts/form.ts';
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
      hint={disabled ? t('queue.fixed') : hint}
      defaultValue={event && queue ? wallTime(queue[name], event.timezone) : undefined}
      disabled={disabled}
    />
  );
  return (
    <details open={Boolean(queue)}>
      <summary>{t('queue.summary')}</summary>
      <p class="quiet">{t('queue.explanation')}</p>
      <div class="pair">
        {timeField('opensAt', t('queue.opens'), t('queue.opensHint'), hasOpened)}
        {timeField('drawAt', t('queue.draw'), t('queue.drawHint'), hasOpened)}
      </div>
      <div class="pair">
        {timeField('until', t('queue.until'), t('queue.untilHint'))}
        <Field
          name="queue.perMinute"
          label={t('queue.rate')}
          type="number"
          min={1}
          max={60_000}
          hint={t(hasOpened ? 'queue.rateElsewhere' : 'queue.rateHint')}
          defaultValue={queue?.perMinute ? `${queue.perMinute}` : undefined}
          disabled={hasOpened}
        />
      </div>
    </details>
  );
}
