import type { Event, Tier } from 'boxoffice-client';
import { ticketsFirst } from '../buying/selection.ts';
import { EventPicture } from '../components/event-card.tsx';
import { EventHead } from '../components/event-head.tsx';
import { Markdown } from '../components/markdown.tsx';
import { brandProps } from '../components/page.tsx';
import { TierSummary } from '../components/tier-quantity.tsx';
import { t } from '../texts/form.ts';
import { type EventEdit, findTier } from './event-values.ts';

interface PreviewStepProps {
  edit: EventEdit;
  /** The event as it is stored; undefined for a new one. */
  stored: Event | undefined;
  organizer: Event['organizer'];
  /** The data URL of a picture to upload. */
  picture: string | undefined;
}

/** The event as buyers see it, with the entered values. */
export function PreviewStep({ edit, stored, organizer, picture }: PreviewStepProps) {
  if (!edit.entered.event.eventDate) return <p class="status">{t('preview.noTime')}</p>;
  const event = toEvent(edit, stored, organizer);
  const tiers = ticketsFirst(event.tiers).filter(({ hidden }) => !hidden);
  return (
    <>
      <p class="quiet">{t('preview.explanation')}</p>
      <div {...brandProps(organizer)}>
        <article class="event">
          {picture ? <img class="picture" src={picture} alt={event.title} /> : <EventPicture event={event} />}
          <EventHead event={event} as="h3" />
          <div class="buy choices">
            {tiers.map((tier) => (
              <div key={tier.id} class="tier">
                <TierSummary tier={tier} currency={event.currency} />
              </div>
            ))}
            {tiers.length === 0 && <p class="quiet">{t('preview.withCodeOnly')}</p>}
          </div>
          <section class="details">{event.description && <Markdown text={event.description} />}</section>
        </article>
      </div>
    </>
  );
}

/** What the parts of the event's page show. */
type PreviewedEvent = Parameters<typeof EventHead>[0]['event'] &
  Pick<Event, 'description' | 'imageUrl' | 'currency' | 'tiers'>;

const twoHours = 2 * 60 * 60 * 1000;

/** Returns the entered event, with the API's defaults for times that are not entered. */
function toEvent(
  { entered, tierIds }: EventEdit,
  stored: Event | undefined,
  organizer: Event['organizer'],
): PreviewedEvent {
  const { event, tiers } = entered;
  const endDate = event.endDate || new Date(Date.parse(event.eventDate) + twoHours).toISOString();
  const saleStart = event.saleStart || new Date().toISOString();
  const saleEnd = event.saleEnd || endDate;
  return {
    ...event,
    endDate,
    organizer,
    latitude: stored?.latitude ?? null,
    longitude: stored?.longitude ?? null,
    status: stored?.status === 'CANCELLED' ? 'CANCELLED' : 'PUBLISHED',
    tiers: tiers.map((tier, index): Tier => {
      const storedTier = stored && findTier(stored, tierIds[index]);
      const sold = storedTier ? storedTier.quantity - storedTier.available : 0;
      return {
        ...tier,
        id: tierIds[index] ?? `${index}`,
        available: Math.max(0, tier.quantity - sold),
        saleStart: tier.saleStart ?? saleStart,
        saleEnd: tier.saleEnd ?? saleEnd,
      };
    }),
  };
}
