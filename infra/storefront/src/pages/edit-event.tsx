import { type Event, ok, summarizeEvent } from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { Page } from '../components/page.tsx';
import { Loaded } from '../components/resource.tsx';
import { useResource } from '../components/use-resource.ts';
import { EventForm } from '../event-form/event-form.tsx';
import {
  type Draft,
  readEvent,
  refuseConflicts,
  saveEvent,
  type TierAdded,
} from '../event-form/save-event.ts';

/** The organizer or a manager changes an event and its tiers. */
export function EditEventPage() {
  const { id = '' } = useRoute().params;
  const found = useResource(async () => {
    // The event is for everybody, its summary only for those who may change it.
    const [event] = await Promise.all([readEvent(id), ok(summarizeEvent(id))]);
    return event;
  }, [id]);
  return (
    <Page title={found.state === 'ready' ? `Edit ${found.value.title}` : 'Edit the event'}>
      <p>
        <a href={`/organizer/events/${id}`}>Sales</a>
      </p>
      <Loaded of={found}>{(event) => <Editor event={event} />}</Loaded>
    </Page>
  );
}

function Editor({ event: first }: { event: Event }) {
  const { route } = useLocation();
  const [shown, setShown] = useState(first);
  const save = async (draft: Draft, { onTierAdded }: { onTierAdded: TierAdded }) => {
    const stored = await readEvent(shown.id);
    try {
      refuseConflicts(shown, stored, draft);
      await saveEvent(shown, stored, draft, onTierAdded);
    } catch (error) {
      // A part may have been saved: saving again compares with the event as it is by then.
      setShown(await readEvent(shown.id).catch(() => stored));
      throw error;
    }
    route(`/organizer/events/${shown.id}`);
  };
  return (
    <div class="panel">
      <h1>Edit the event</h1>
      <p class="quiet">
        {shown.status === 'DRAFT'
          ? 'It is a draft: only you and its staff see it.'
          : 'Changes show at once. Buyers of tickets are mailed when the time or the place changes.'}
      </p>
      <EventForm event={shown} submit="Save" onSubmit={save} />
    </div>
  );
}
