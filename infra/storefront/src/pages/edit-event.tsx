import { type Event, ok, summarizeEvent } from 'boxoffice-client';
import { useRef, useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { Page } from '../components/page.tsx';
import { Loaded } from '../components/resource.tsx';
import { useResource } from '../components/use-resource.ts';
import { EventForm } from '../event-form/event-form.tsx';
import {
  ConflictingChanges,
  type EventEdit,
  type OnTierAdded,
  readEvent,
  refuseConflicts,
  saveEvent,
} from '../event-form/save-event.ts';

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

function Editor({ event: initialEvent }: { event: Event }) {
  const { route } = useLocation();
  const [shownEvent, setShownEvent] = useState(initialEvent);
  // The event that the form was filled with, updated by what was saved since.
  const base = useRef(initialEvent);
  const [isPartlySaved, setPartlySaved] = useState(false);
  const save = async (edit: EventEdit, { onTierAdded }: { onTierAdded: OnTierAdded }) => {
    const stored = await readEvent(shownEvent.id);
    try {
      refuseConflicts(base.current, stored, edit);
    } catch (error) {
      if (error instanceof ConflictingChanges) {
        base.current = error.base;
        setShownEvent(error.shown);
      }
      throw error;
    }
    const baseBefore = base.current;
    const onSaved = (saved: Event) => {
      base.current = saved;
    };
    try {
      await saveEvent(baseBefore, stored, edit, { onTierAdded, onSaved });
    } catch (error) {
      if (base.current !== baseBefore) setPartlySaved(true);
      throw error;
    }
    route(`/organizer/events/${shownEvent.id}`);
  };
  return (
    <div class="panel">
      <h1>Edit the event</h1>
      <p class="quiet">
        {shownEvent.status === 'DRAFT'
          ? 'This event is a draft: only you and its staff see it.'
          : 'Changes are visible at once. Buyers are notified by mail when the time or the place changes.'}
      </p>
      <EventForm
        event={shownEvent}
        submit="Save"
        onSubmit={save}
        notice={isPartlySaved ? 'Some of your changes are saved. Save again to save the others.' : undefined}
      />
    </div>
  );
}
