import type { createEvent, Event } from 'boxoffice-client';

type Created = NonNullable<Parameters<typeof createEvent>[0]['category']>;

interface Category {
  /** In responses, and in the request that updates an event. */
  value: Event['category'];
  /** In the request that creates an event. */
  created: Created;
  label: string;
}

/** The categories with their names in the API, and the word that people read. */
export const categories: readonly Category[] = [
  { value: 'MUSIC', created: 'concert', label: 'Concert' },
  { value: 'CONFERENCE', created: 'conference', label: 'Conference' },
  { value: 'FESTIVAL', created: 'festival', label: 'Festival' },
  { value: 'MEETUP', created: 'networking', label: 'Meetup' },
  { value: 'SPORTS', created: 'sports', label: 'Sports' },
  { value: 'THEATER', created: 'theater', label: 'Theater' },
  { value: 'WORKSHOP', created: 'workshop', label: 'Workshop' },
  { value: 'OTHER', created: 'other', label: 'Other' },
];

/** MUSIC as Concert. */
export function categoryLabel(value: Event['category']): string {
  return categories.find((category) => category.value === value)?.label ?? '';
}

/** MUSIC as concert: the name in the request that creates an event. */
export function createdCategory(value: Event['category']): Created {
  return categories.find((category) => category.value === value)?.created ?? 'other';
}
