import type { createEvent, Event } from 'boxoffice-client';

type CreationName = NonNullable<Parameters<typeof createEvent>[0]['category']>;

interface Category {
  /** The name in responses and in the request that updates an event. */
  value: Event['category'];
  /** The name in the request that creates an event. */
  creationName: CreationName;
  label: string;
}

/** The categories of events: their names in the API, and their labels. */
export const categories: readonly Category[] = [
  { value: 'MUSIC', creationName: 'concert', label: 'Concert' },
  { value: 'CONFERENCE', creationName: 'conference', label: 'Conference' },
  { value: 'FESTIVAL', creationName: 'festival', label: 'Festival' },
  { value: 'MEETUP', creationName: 'networking', label: 'Meetup' },
  { value: 'SPORTS', creationName: 'sports', label: 'Sports' },
  { value: 'THEATER', creationName: 'theater', label: 'Theater' },
  { value: 'WORKSHOP', creationName: 'workshop', label: 'Workshop' },
  { value: 'OTHER', creationName: 'other', label: 'Other' },
];

/** Returns a category's label, such as Concert for MUSIC. */
export function categoryLabel(value: Event['category']): string {
  return categories.find((category) => category.value === value)?.label ?? '';
}

/** Returns a category's name in the request that creates an event, such as concert for MUSIC. */
export function categoryForCreation(value: Event['category']): CreationName {
  return categories.find((category) => category.value === value)?.creationName ?? 'other';
}
