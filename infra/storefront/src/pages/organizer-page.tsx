import { getPage, listEvents, ok } from 'boxoffice-client';
import { useRoute } from 'preact-iso';
import { EventCards } from '../components/event-card.tsx';
import { Markdown } from '../components/markdown.tsx';
import { Contact } from '../components/organizer.tsx';
import { Page } from '../components/page.tsx';
import { Loaded, PagedList, useResource } from '../components/resource.tsx';
import { inWidth } from '../pictures.ts';
import { t } from '../texts/shop.ts';

/** An organizer with their public upcoming events. */
export function PublicOrganizerPage() {
  const { slug = '' } = useRoute().params;
  const resource = useResource(() => ok(getPage(slug)), [slug]);
  const organizer = resource.state === 'ready' ? resource.value.organizer : undefined;
  return (
    <Page title={organizer?.name ?? t('organizer.title')} brand={organizer}>
      <Loaded of={resource}>
        {({ organizer: { organizerId, name, about, contact, logoUrl } }) => (
          <>
            <header class="organizer-head">
              {logoUrl && <img class="logo" src={inWidth(logoUrl, 400)} alt="" />}
              <h1>{name}</h1>
              {about && <Markdown text={about} />}
              {contact && (
                <p>
                  <Contact contact={contact} />
                </p>
              )}
            </header>
            <section class="part">
              <h2>{t('organizer.upcoming')}</h2>
              <PagedList
                load={(cursor) => ok(listEvents({ organizerId, $from: new Date().toISOString(), cursor }))}
                items={({ events }) => events}
                inputs={[organizerId]}
                empty={t('organizer.none')}
              >
                {(events) => <EventCards events={events} />}
              </PagedList>
            </section>
          </>
        )}
      </Loaded>
    </Page>
  );
}
