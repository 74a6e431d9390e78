import * as z from 'zod';
import type { Event } from './event.ts';

/**
 * The descriptions of an event and its tiers, in an item of their own: what sells tickets and examines lists reads the
 * event without them.
 */
const texts = z.object({
  description: z.string(),
  /** By the tier's id. */
  tiers: z.record(z.string(), z.string()),
});
export type EventTexts = z.infer<typeof texts>;

/** Reads a stored item as texts. @throws ZodError for an item that is none */
export function toEventTexts(item: unknown): EventTexts {
  return texts.parse(item);
}

export function textsOf({ description, tiers }: Event): EventTexts {
  return { description, tiers: Object.fromEntries(tiers.map((tier) => [tier.id, tier.description])) };
}

/** The event as its item holds it. The empty texts are for versions that expect the fields. */
export function withoutTexts(event: Event): Event {
  return { ...event, description: '', tiers: event.tiers.map((tier) => ({ ...tier, description: '' })) };
}

/** The event with its texts. Events that did not change since texts got their own item hold them themselves. */
export function withTexts(event: Event, found: EventTexts | undefined): Event {
  return {
    ...event,
    description: event.description || (found?.description ?? ''),
    tiers: event.tiers.map((tier) => ({
      ...tier,
      description: tier.description || (found?.tiers[tier.id] ?? ''),
    })),
  };
}

/** Characters of all descriptions together. */
export const maximumTextLength = 20_000;

export function textLength({ description, tiers }: Event): number {
  return tiers.reduce((sum, tier) => sum + tier.description.length, description.length);
}
