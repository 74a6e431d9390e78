import { createEvent, ok } from 'boxoffice-client';
import { useLocation } from 'preact-iso';
import { categoryForCreation } from '../categories.ts';
import { Page } from '../components/page.tsx';
import { useIdempotencyKey } from '../components/use-idempotency-key.ts';
import { EventForm } from '../event-form/event-form.tsx';
import { type EnteredValues, toCreation } from '../event-form/event-values.ts';

/** Creates an event: on sale at once, or as a draft that only its organizer and staff see. */
export function NewEventPage() {
  const { route } = useLocation();
  const { sendOnce } = useIdempotencyKey();
  const create = async (entered: EnteredValues, isDraft: boolean) => {
    const category = categoryForCreation(entered.event.category);
    const creation = toCreation(entered, category, isDraft ? 'DRAFT' : 'PUBLISHED');
    const { event } = await sendOnce((options) => ok(createEvent(creation, options)));
    route(`/organizer/events/${event.id}`);
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
