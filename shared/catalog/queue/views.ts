import * as z from 'zod';
import { time, toView } from '../../core/schemas.ts';
import { commitmentOf } from './draw.ts';
import { admittedUpTo, perMinuteOf, phaseOf, type QueuedEvent, queuePhases } from './queue.ts';

const hex = (description: string) => z.string().nullable().meta({ description });

const drawSource = {
  commitment: z.string().meta({ description: 'SHA-256 of the seed, in hex, as of its bytes' }),
  seed: z.string().meta({ description: '32 bytes in hex' }),
  publicValue: z.string().meta({
    description:
      'The hash of the event’s chain’s first block at or after `drawAt`, in hex without 0x. Empty if no chain answered',
  }),
  publicValueSource: z
    .string()
    .meta({ description: 'The chain and the block', examples: ['block 65000000 of chain 137'] }),
};

/** The public state of a queue, the same for everybody. */
export const queueView = z
  .object({
    state: z.enum(queuePhases).meta({
      description:
        '`closed`: not open yet. `open`: people join. `admitting`: people are admitted in the order of their numbers. `paused`: nobody is, for now. `over`: everybody may order',
    }),
    opensAt: time,
    drawAt: time,
    until: time,
    commitment: hex('SHA-256 of the secret seed, in hex; null until the queue opens'),
    seed: hex('The seed of the draw, in hex; null before the draw'),
    publicValue: hex(
      'The hash of the event’s chain’s first block at or after `drawAt`; empty if no chain answered; null before the draw',
    ),
    publicValueSource: hex('The chain and the block; null before the draw'),
    admittedUpTo: z.int().meta({ description: 'The highest number that was admitted; 0 before the draw' }),
    perMinute: z.int().meta({ description: 'How many people are admitted a minute' }),
    serverTime: time,
  })
  .meta({ id: 'Queue' });
export type QueueView = z.infer<typeof queueView>;

export const drawView = z.object({
  ...drawSource,
  count: z.int().meta({ description: 'The number of places that were drawn' }),
  pages: z.int().meta({ description: 'The number of pages' }),
  places: z
    .array(z.object({ id: z.string(), number: z.int() }))
    .meta({ description: 'The places of this page, in the order of their numbers' }),
});

/** Returns the public values of a draw; null for what is not public yet. */
export function drawSourceOf({ queue, queueState }: QueuedEvent, now: number) {
  const isOpened = queue && queueState && now >= Date.parse(queue.opensAt);
  const { block } = queueState ?? {};
  const drawn = queueState?.draw && queueState;
  return {
    commitment: isOpened ? commitmentOf(queueState.seed) : null,
    seed: drawn?.seed ?? null,
    publicValue: drawn?.publicValue ?? null,
    publicValueSource:
      drawn === undefined ? null : block ? `block ${block.number} of chain ${block.chainId}` : 'none',
  };
}

export function toQueueView(event: QueuedEvent & { queue: object }, now: number): QueueView {
  const { queue, queueState } = event;
  return toView(queueView, queue, {
    state: phaseOf(event, now),
    ...drawSourceOf(event, now),
    admittedUpTo: admittedUpTo(queueState?.rates ?? [], now),
    perMinute: queueState ? perMinuteOf(queueState) : 0,
    serverTime: new Date(now).toISOString(),
  });
}

export const placeView = z
  .object({
    id: z.string().meta({ description: 'Random. The draw is computed from it' }),
    state: z.enum(['waiting', 'admitted', 'over']).meta({
      description: '`admitted`: the caller can order until `admittedUntil`. `over`: the caller could have',
    }),
    number: z.int().nullable().meta({ description: 'From 1 on; null before the draw' }),
    estimatedSeconds: z
      .int()
      .nullable()
      .meta({ description: 'How long until the turn, at the present rate; null while nobody knows' }),
    admittedUntil: time.optional(),
  })
  .meta({ id: 'QueuePlace' });

export const joinedView = z.object({
  place: placeView,
  ticket: z.string().meta({ description: 'For the header `x-queue-ticket` of an order' }),
  pollSeconds: z.int().meta({ description: 'When to read the state of the queue again' }),
});

export const queueControl = z
  .object({
    perMinute: z
      .int()
      .min(1)
      .max(60_000)
      .nullable()
      .optional()
      .meta({ description: 'How many people are admitted a minute; null: automatic' }),
    paused: z.boolean().optional().meta({ description: 'Whether nobody is admitted' }),
  })
  .meta({ examples: [{ perMinute: 1_000, paused: false }] });
export type QueueControl = z.infer<typeof queueControl>;
