import type { Event } from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { Field } from '../components/form.tsx';
import { t } from '../texts/form.ts';
import { moveWallTime, timeZones, visitorZone, wallTime } from './zoned-time.ts';

interface PlaceAndTimeStepProps {
  event: Event | undefined;
  /** The time zone that the form begins with. */
  timezone: string;
}

/** Where and when the event takes place, and when its tickets are sold. */
export function PlaceAndTimeStep({ event, timezone }: PlaceAndTimeStepProps) {
  return (
    <>
      <PlaceFields event={event} />
      <TimeFields event={event} timezone={timezone} />
    </>
  );
}

function PlaceFields({ event }: Pick<PlaceAndTimeStepProps, 'event'>) {
  return (
    <fieldset>
      <legend>{t('place.legend')}</legend>
      <div class="pair">
        <Field name="venue" label={t('place.venue')} maxLength={200} defaultValue={event?.venue} required />
        <Field name="address" label={t('place.address')} maxLength={500} defaultValue={event?.address} />
        <Field name="city" label={t('place.city')} maxLength={200} defaultValue={event?.city} />
        <Field name="country" label={t('place.country')} maxLength={200} defaultValue={event?.country} />
      </div>
    </fieldset>
  );
}

/** The times are in the event's time zone, wherever the organizer is. */
function TimeFields({ event, timezone: zone }: PlaceAndTimeStepProps) {
  // The end keeps its distance from the start.
  const [begins, setBegins] = useState(event?.eventDate && wallTime(event.eventDate, zone));
  const moveEnd = ({ target }: globalThis.Event) => {
    const { name, value, form } = target as HTMLInputElement;
    const endField = form?.elements.namedItem('endDate') as HTMLInputElement | null;
    if (name !== 'startDate' || !value || !endField) return;
    if (begins && endField.value) {
      endField.value = moveWallTime(endField.value, begins, value);
      endField.dispatchEvent(new InputEvent('input', { bubbles: true }));
    }
    setBegins(value);
  };
  const followsEnd = event !== undefined && event.saleEnd === event.endDate;
  const field = (name: string, label: string, stored: string | undefined, hint?: string) => (
    <Field
      name={name}
      label={label}
      type="datetime-local"
      max="9999-12-31T23:59"
      defaultValue={stored && wallTime(stored, zone)}
      hint={event && !canBeEmpty(name) ? undefined : hint}
      required={hint === undefined || (event !== undefined && !canBeEmpty(name))}
    />
  );
  return (
    <fieldset onChange={moveEnd}>
      <legend>{t('place.time')}</legend>
      <Field name="timezone" label={t('place.zone')} as="select" hint={t('place.zoneHint')}>
        {timeZones(zone, visitorZone()).map((each) => (
          <option key={each} value={each} selected={each === zone}>
            {each.replaceAll('_', ' ')}
          </option>
        ))}
      </Field>
      <div class="pair">
        {field('startDate', t('times.eventDate'), event?.eventDate)}
        {field('endDate', t('times.endDate'), event?.endDate, t('place.endHint'))}
      </div>
      <div class="pair">
        {field('saleStart', t('times.saleStart'), event?.saleStart, t('place.saleStartHint'))}
        {field(
          'saleEnd',
          t('times.saleEnd'),
          followsEnd ? undefined : event?.saleEnd,
          t('place.saleEndHint'),
        )}
      </div>
    </fieldset>
  );
}

/** The end of the sale may stay empty in a stored event, whose sale then ends with the event. */
const canBeEmpty = (name: string) => name === 'saleEnd';
