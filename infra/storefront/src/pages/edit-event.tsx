import {
  createEvent,
  type Event,
  listEvents,
  ok,
  requestPicture,
  summarizeEvent,
  type User,
} from 'boxoffice-client';
import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { Page } from '../components/page.tsx';
import { Loaded, useResource } from '../components/resource.tsx';
import { useIdempotencyKey } from '../components/use-idempotency-key.ts';
import { EventForm } from '../event-form/event-form.tsx';
import { type EnteredValues, toCreation } from '../event-form/event-values.ts';
import { uploadPicture } from '../event-form/picture.ts';
import { readEvent, saveEvent } from '../event-form/save-event.ts';
import { forgetUnsavedEvent, requestStorageKey } from '../event-form/unsaved-event.ts';
import { visitorZone } from '../event-form/zoned-time.ts';
import { categoryForCreation } from '../format.ts';
import { t } from '../texts/form.ts';
import { t as organizingText } from '../texts/organizing.ts';

/** Edits an event and its tiers, for its organizer and managers. */
export function EditEventPage({ user }: { user: User }) {
  const { id = '' } = useRoute().params;
  const resource = useResource(async () => {
    // Everybody may read the event. Reading the summary fails for users who may not edit the event.
    const [event] = await Promise.all([readEvent(id), ok(summarizeEvent(id))]);
    return event;
  }, [id]);
  return (
    <Page title={resource.state === 'ready' ? t('editOf', { event: resource.value.title }) : t('edit')}>
      <p>
        <a href={`/organizer/events/${id}`}>{organizingText('sales')}</a>
      </p>
      <Loaded of={resource}>{(event) => <Editor event={event} user={user} />}</Loaded>
    </Page>
  );
}

function Editor({ event, user }: { event: Event; user: User }) {
  const { route } = useLocation();
  const [isPartlySaved, setPartlySaved] = useState(false);
  return (
    <div class="panel">
      <h1>{t('edit')}</h1>
      <p class="quiet">{t(event.status === 'DRAFT' ? 'draft' : 'visible')}</p>
      <EventForm
        event={event}
        defaults={event}
        userId={user.id}
        onSubmit={async (edit, { picture, onTierAdded }) => {
          let isAnySaved = false;
          try {
            await saveEvent(event, edit, (addedTier) => {
              isAnySaved = true;
              if (addedTier) onTierAdded(addedTier);
            });
            if (picture) await uploadPictureOf(event.id, picture);
            route(`/organizer/events/${event.id}?saved`);
          } catch (error) {
            if (isAnySaved) setPartlySaved(true);
            throw error;
          }
        }}
        notice={isPartlySaved ? t('partlySaved') : undefined}
      />
    </div>
  );
}

/** Creates an event: on sale at once, or as a draft that only its organizer and staff see. */
export function NewEventPage({ user }: { user: User }) {
  const { route } = useLocation();
  const defaults = useResource(findDefaults, []);
  const [attempt, setAttempt] = useState(0);
  const { sendOnce, reset } = useIdempotencyKey(requestStorageKey);
  const create = async (entered: EnteredValues, isDraft: boolean, picture: string | undefined) => {
    const category = categoryForCreation(entered.event.category);
    const creation = toCreation(entered, category, isDraft ? 'DRAFT' : 'PUBLISHED');
    const { event } = await sendOnce((options) => ok(createEvent(creation, options)));
    // The event is created, with or without its picture.
    const isComplete = await (picture ? uploadPictureOf(event.id, picture) : Promise.resolve()).then(
      () => true,
      () => false,
    );
    route(`/organizer/events/${event.id}?${isDraft ? 'saved' : 'on-sale'}${isComplete ? '' : '&no-picture'}`);
  };
  return (
    <Page title={t('create')}>
      <p>
        <a href="/organizer">{organizingText('myEvents')}</a>
      </p>
      <div class="panel">
        <h1>{t('create')}</h1>
        <Loaded of={defaults}>
          {(values) => (
            <EventForm
              key={attempt}
              defaults={values}
              userId={user.id}
              onSubmit={({ entered }, { isDraft, picture }) => create(entered, isDraft, picture)}
              onStartAgain={() => {
                forgetUnsavedEvent();
                reset();
                setAttempt(attempt + 1);
                document.getElementById('content')?.focus();
              }}
            />
          )}
        </Loaded>
      </div>
    </Page>
  );
}

/** Uploads the picture of an event. @throws as `uploadPicture` */
const uploadPictureOf = (eventId: string, picture: string) =>
  uploadPicture(
    picture,
    (body) => ok(requestPicture(eventId, body)),
    async () => (await readEvent(eventId)).imageUrl,
  );

/** Returns what a new event begins with: the currency and the time zone of the organizer’s last one. */
async function findDefaults(): Promise<Pick<Event, 'currency' | 'timezone' | 'organizer'>> {
  const first = { currency: 'USD' as const, timezone: visitorZone(), organizer: null };
  // The form works without them.
  const answer = await ok(listEvents({ organizerId: 'me', limit: 1 })).catch(() => undefined);
  return answer?.events[0] ?? first;
}
