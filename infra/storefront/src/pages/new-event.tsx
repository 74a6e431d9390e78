import { createEvent, ok } from 'boxoffice-client';
import { useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { categoryForCreation } from '../categories.ts';
import { Page } from '../components/page.tsx';
import { isUncertain } from '../errors.ts';
import { EventForm } from '../event-form/event-form.tsx';
import { type EnteredValues, toCreation } from '../event-form/event-values.ts';

/** Creates an event: on sale at once, or as a draft that only its organizer and staff see. */
export function NewEventPage() {
  const { route } = useLocation();
  const key = useRef<string>(undefined);
  const create = async (entered: EnteredValues, isDraft: boolean) => {
    const category = categoryForCreation(entered.event.category);
    const creation = toCreation(entered, category, isDraft ? 'DRAFT' : 'PUBLISHED');
    key.current ??= crypto.randomUUID();
    try {
      const { event } = await ok(createEvent(creation, { idempotencyKey: key.current }));
      route(`/organizer/events/${event.id}`);
    } catch (error) {
      // It may have been created all the same: then the next try asks for the same one.
      if (!isUncertain(error)) key.current = undefined;
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
