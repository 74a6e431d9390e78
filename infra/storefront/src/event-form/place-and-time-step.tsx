import type { Event } from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { Field } from '../components/form.tsx';
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
      <legend>Place</legend>
      <div class="pair">
        <Field name="venue" label="Venue" maxLength={200} defaultValue={event?.venue} required />
        <Field name="address" label="Address" maxLength={500} defaultValue={event?.address} />
        <Field name="city" label="City" maxLength={200} defaultValue={event?.city} />
        <Field name="country" label="Country" maxLength={200} defaultValue={event?.country} />
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
      <legend>Time</legend>
      <Field name="timezone" label="Time zone" as="select" hint="All times below are in this zone.">
        {timeZones(zone, visitorZone()).map((each) => (
          <option key={each} value={each} selected={each === zone}>
            {each.replaceAll('_', ' ')}
          </option>
        ))}
      </Field>
      <div class="pair">
        {field('startDate', 'Begins', event?.eventDate)}
        {field('endDate', 'Ends', event?.endDate, 'Empty: two hours after it begins')}
      </div>
      <div class="pair">
        {field('saleStart', 'Sale begins', event?.saleStart, 'Empty: at once')}
        {field('saleEnd', 'Sale ends', followsEnd ? undefined : event?.saleEnd, 'Empty: when the event ends')}
      </div>
    </fieldset>
  );
}

/** The end of the sale may stay empty in a stored event, whose sale then ends with the event. */
const canBeEmpty = (name: string) => name === 'saleEnd';
