import * as z from 'zod';
import { absent, defineMachine } from '../../core/state-machine.ts';

const burnStatuses = ['open', 'done', 'failed'] as const;

/** The burning of a refunded or reissued order's tickets that are still in the buyer's wallet, as it is stored. */
const burn = z.object({
  orderId: z.string(),
  /** Which issue of the order's tickets is burned: 1 is the first mint, and each reissue adds one. Absent for 1. */
  issue: z.number().optional(),
  /** The reissue that the burn belongs to: the tickets are minted again to this wallet. Absent for a refund. */
  reissue: z.object({ wallet: z.string(), by: z.enum(['buyer', 'organizer']) }).optional(),
  /** The buyer. */
  userId: z.string(),
  quantity: z.number(),
  chainId: z.number(),
  contract: z.string(),
  /** The wallet that the tickets were minted to. Transferred tickets stay with their new owner. */
  holder: z.string(),
  status: z.enum(burnStatuses),
  /**
   * The number of tickets, from the first on, that earlier transactions covered. A large order needs several.
   * Absent for 0.
   */
  position: z.number().optional(),
  /** The nonce that the burn is bound to. */
  transaction: z.object({ signer: z.string(), nonce: z.number() }).optional(),
  /** The number of its cancelled nonces; absent for 0. */
  cancellations: z.number().optional(),
});
export type Burn = z.infer<typeof burn>;

/** Parses a stored item as a burn. @throws ZodError for any other item */
export function toBurn(item: unknown): Burn {
  return burn.parse(item);
}

/** Returns the id of a burn. An order has at most one for each issue of its tickets. */
export function burnId({ orderId, issue = 1 }: Pick<Burn, 'orderId' | 'issue'>): string {
  return issue === 1 ? orderId : `${orderId}.${issue}`;
}

/**
 * `open` until the burn is final on the chain. `failed` when the contract refuses it: an operator has to resolve the
 * cause, for example by granting a role, and request the refund again.
 */
export const burnLifecycle = defineMachine<Burn>()('status', burnStatuses, [
  { from: 'open', event: 'bind', to: 'open', guard: { transaction: absent }, sets: ['transaction'] },
  // The nonce was used, but nothing was burned.
  { from: 'open', event: 'unbind', to: 'open', maySet: ['cancellations'], clears: ['transaction'] },
  { from: 'open', event: 'advance', to: 'open', sets: ['position'], clears: ['transaction'] },
  { from: 'open', event: 'complete', to: 'done' },
  { from: 'open', event: 'fail', to: 'failed', clears: ['transaction'] },
  { from: 'failed', event: 'reopen', to: 'open', maySet: ['reissue'], clears: ['cancellations'] },
]);
