import * as z from 'zod';
import {
  absent,
  defineMachine,
  type Expected,
  expectUnchanged,
  type Transition,
  TransitionRefused,
  transition,
} from '../../core/state-machine.ts';
import { dueAttributes, keys } from '../../dynamo/keys.ts';
import { getItem, getItems, type Item } from '../../dynamo/read.ts';
import { put, toCondition, update, type Write } from '../../dynamo/write.ts';
import { type Order, seatNumbersOfIssue, tenantOf } from '../../orders/order.ts';
import { ticketId, toTicket } from '../../tickets/ticket.ts';

const burnStatuses = ['open', 'done', 'failed'] as const;

/** The burning of a refunded or reissued order's tickets that are still in the buyer's wallet, as it is stored. */
const burn = z.object({
  orderId: z.string(),
  /** Which issue of the order's tickets is burned: 1 is the first mint, and each reissue adds one. Absent for 1. */
  issue: z.number().optional(),
  /**
   * Which partial refund of the order burns its tickets: the number of the refunds before it, or `mintedPart`. Absent for
   * the whole issue, or what is left of it.
   */
  part: z.number().optional(),
  /** The positions of its tickets in the issue, from 0 on; absent for all. */
  positions: z.array(z.number()).optional(),
  /** The reissue that the burn belongs to: the tickets are minted again to this wallet. Absent for a refund. */
  reissue: z.object({ wallet: z.string(), by: z.enum(['buyer', 'organizer']) }).optional(),
  /** The order that is minted once the burn is done: its buyer has the seats. Absent for other refunds. */
  mintNext: z.string().optional(),
  /** The buyer. */
  userId: z.string(),
  /** Whose burns it waits behind: the organizer. */
  tenant: z.string(),
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

export function toBurn(item: unknown): Burn {
  return burn.parse(item);
}

/** Stands for all partial refunds that began before the tickets were minted. */
export const mintedPart = -1;

/** Returns the id of a burn. An order has at most one for each issue of its tickets, and one for each partial refund. */
export function burnId({ orderId, issue = 1, part }: Pick<Burn, 'orderId' | 'issue' | 'part'>): string {
  const issueId = issue === 1 ? orderId : `${orderId}.${issue}`;
  return part === undefined ? issueId : `${issueId}.part${part}`;
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

type Nonce = Required<Burn>['transaction'];

/** The burn exists already, or its state does not allow the transition. */
export class BurnTransitionRefused extends TransitionRefused<Burn | undefined> {}

function burnRefused(current: Item | undefined) {
  return new BurnTransitionRefused('The burn has changed', current && toBurn(current));
}

/**
 * Inserts an open burn, due at once.
 * @throws BurnTransitionRefused from the write when the burn exists already
 */
export function insertBurn(burn: Omit<Burn, 'status'>): Write {
  return put(
    { ...keys.burn(burnId(burn)), ...burn, status: 'open', ...dueAttributes(burn.orderId, Date.now()) },
    { when: 'attribute_not_exists(#pk)', orThrow: burnRefused },
  );
}

/** Finds a burn. @param id see `burnId` */
export async function findBurn(id: string): Promise<Burn | undefined> {
  const item = await getItem(keys.burn(id));
  return item && toBurn(item);
}

/** Finds burns, in the order of their ids. */
export async function findBurns(ids: readonly string[]): Promise<(Burn | undefined)[]> {
  return (await getItems(ids.map(keys.burn))).map((item) => item && toBurn(item));
}

/**
 * Binds an open burn to a nonce.
 * @throws BurnTransitionRefused from the write when the burn has a nonce or has changed
 */
export function bindBurn(burn: Burn, nonce: Nonce): Write {
  const bindTransition = transition(burnLifecycle, 'bind', { transaction: nonce });
  return transitionBurn(burn, bindTransition, expectUnchanged(burn, 'position'));
}

/**
 * Unbinds a burn from its nonce, so it can be bound to another.
 * @param cancellations the new count of cancelled nonces; unchanged when absent
 * @throws BurnTransitionRefused from the write when the burn has another nonce
 */
export function unbindBurn(burn: Burn, nonce: Nonce, cancellations?: number): Write {
  const unbindTransition = transition(
    burnLifecycle,
    'unbind',
    cancellations === undefined ? {} : { cancellations },
  );
  return transitionBurn(burn, unbindTransition, { transaction: nonce });
}

/**
 * Continues a burn with the tickets from `position` on.
 * @throws BurnTransitionRefused from the write when the burn has another nonce
 */
export function advanceBurn(burn: Burn, nonce: Nonce, position: number): Write {
  return transitionBurn(burn, transition(burnLifecycle, 'advance', { position }), { transaction: nonce });
}

/**
 * Ends an open burn.
 * @throws BurnTransitionRefused from the write when the burn has changed since it was read
 */
export function endBurn(burn: Burn, event: 'complete' | 'fail'): Write {
  return transitionBurn(
    burn,
    transition(burnLifecycle, event),
    expectUnchanged(burn, 'position', 'transaction'),
  );
}

/**
 * Reopens a failed burn, due at once.
 * @param reissue the reissue that the burn belongs to now; unchanged when absent
 * @throws BurnTransitionRefused from the write when the burn is no longer failed
 */
export function reopenBurn(burn: Burn, reissue?: Burn['reissue']): Write {
  const reopenTransition = transition(burnLifecycle, 'reopen', reissue ? { reissue } : {});
  return update(
    keys.burn(burnId(burn)),
    { set: { ...reopenTransition.set, ...dueAttributes(burn.orderId, Date.now()) } },
    { ...toCondition([reopenTransition]), orThrow: burnRefused },
  );
}

function transitionBurn(burn: Burn, burnTransition: Transition<Burn>, expected: Expected<Burn> = {}): Write {
  const removedDueAttributes = burnTransition.to !== 'open' && { duePk: undefined, dueAt: undefined };
  return update(
    keys.burn(burnId(burn)),
    { set: { ...burnTransition.set, ...removedDueAttributes } },
    { ...toCondition([burnTransition], expected), orThrow: burnRefused },
  );
}

/**
 * Builds the burn of a minted order's current tokens.
 * @param options.seats the numbers of the seats of a partial refund; absent for all seats that the order still has
 * @throws Error when the order has no ticket
 */
export async function burnOfCurrentIssue(
  order: Order,
  { part, seats }: { part?: number; seats?: readonly number[] | undefined } = {},
): Promise<Omit<Burn, 'status'>> {
  const { id: orderId, userId, issue, returned = [] } = order;
  const numbers = seatNumbersOfIssue(order);
  const positions = [...numbers.entries()].flatMap(([position, number]) =>
    (seats ? seats.includes(number) : !returned.includes(number)) ? [position] : [],
  );
  const [firstSeat = 1] = numbers;
  const item = await getItem(keys.ticket(userId, ticketId(orderId, firstSeat)));
  if (!item) throw new Error(`Order ${orderId} is minted, but has no ticket`);
  const { chainId, contractAddress: contract, owner: holder } = toTicket(item);
  return {
    orderId,
    userId,
    tenant: tenantOf(order),
    quantity: positions.length,
    chainId,
    contract,
    holder,
    ...(issue && { issue: issue.number }),
    ...(part !== undefined && { part }),
    ...(positions.length < numbers.length && { positions }),
  };
}
