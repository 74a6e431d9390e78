import { createEvent, type Event, listEvents, ok } from 'boxoffice-client';
import { useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { createdCategory } from '../categories.ts';
import { Page } from '../components/page.tsx';
import { isUncertain } from '../errors.ts';
import { EventForm } from '../event-form/event-form.tsx';
import { creationOf, type Entered, type EventValues } from '../event-form/event-values.ts';

/** An organizer creates an event: on sale at once, or as a draft that only they and their staff see. */
export function NewEventPage() {
  const { route } = useLocation();
  // What an earlier try sent, which may have created the event.
  const sent = useRef<string>(undefined);
  const create = async (entered: Entered, isDraft: boolean) => {
    const category = createdCategory(entered.event.category);
    const creation = creationOf(entered, category, isDraft ? 'DRAFT' : 'PUBLISHED');
    try {
      const earlier = sent.current && (await findCreated(entered.event));
      // It was created as it was then: what was changed since has to be entered again.
      if (earlier && sent.current !== JSON.stringify(creation)) return route(`/organizer/edit/${earlier.id}`);
      const { id } = earlier || (await ok(createEvent(creation))).event;
      route(`/organizer/events/${id}`);
    } catch (error) {
      if (isUncertain(error)) sent.current ??= JSON.stringify(creation);
      throw error;
    }
  };
  return (
    <Page title="Create an event">
      <p>
        <a href="/organizer">My events</a>
      </p>
      <div class="panel">
        <h1>Create an event</h1>
        <EventForm
          submit="Put on sale"
          submitDraft="Save as a draft"
          onSubmit={({ entered }, { isDraft }) => create(entered, isDraft)}
        />
      </div>
    </Page>
  );
}

/** Finds the event that an earlier request created whose answer was lost. The newest events come first. */
async function findCreated({ title, venue, eventDate }: EventValues): Promise<Event | undefined> {
  const { events } = await ok(listEvents({ organizerId: 'me', limit: 5 }));
  return events.find(
    (event) => event.title === title && event.venue === venue && event.eventDate === eventDate,
  );
}
