import { type Event, ok, summarizeEvent } from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { Page } from '../components/page.tsx';
import { Loaded } from '../components/resource.tsx';
import { useResource } from '../components/use-resource.ts';
import { EventForm } from '../event-form/event-form.tsx';
import { readEvent, saveEvent } from '../event-form/save-event.ts';

/** Edits an event and its tiers, for its organizer and managers. */
export function EditEventPage() {
  const { id = '' } = useRoute().params;
  const resource = useResource(async () => {
    // Everybody may read the event. Reading the summary fails for users who may not edit the event.
    const [event] = await Promise.all([readEvent(id), ok(summarizeEvent(id))]);
    return event;
  }, [id]);
  return (
    <Page title={resource.state === 'ready' ? `Edit ${resource.value.title}` : 'Edit the event'}>
      <p>
        <a href={`/organizer/events/${id}`}>Sales</a>
      </p>
      <Loaded of={resource}>{(event) => <Editor event={event} />}</Loaded>
    </Page>
  );
}

function Editor({ event }: { event: Event }) {
  const { route } = useLocation();
  const [isPartlySaved, setPartlySaved] = useState(false);
  return (
    <div class="panel">
      <h1>Edit the event</h1>
      <p class="quiet">
        {event.status === 'DRAFT'
          ? 'This event is a draft: only you and its staff see it.'
          : 'Changes are visible at once. Buyers are notified by mail when the time or the place changes.'}
      </p>
      <EventForm
        event={event}
        submit="Save"
        onSubmit={async (edit, { onTierAdded }) => {
          let isAnySaved = false;
          try {
            await saveEvent(event, edit, (addedTier) => {
              isAnySaved = true;
              if (addedTier) onTierAdded(addedTier);
            });
            route(`/organizer/events/${event.id}`);
          } catch (error) {
            if (isAnySaved) setPartlySaved(true);
            throw error;
          }
        }}
        notice={isPartlySaved ? 'Some of your changes are saved. Save again to save the others.' : undefined}
      />
    </div>
  );
}
