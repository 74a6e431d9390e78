import { keys } from '../dynamo/keys.ts';
import { update, type Write } from '../dynamo/write.ts';
import { conflict } from '../errors.ts';

/** How many tickets of one tier of an event an order of a buyer is for. */
export interface Purchase {
  eventId: string;
  userId: string;
  tierId: string;
  quantity: number;
}

export interface Caps {
  /** Per user over all tiers of the event. */
  maxPerWallet: number;
  /** Per user within the tier. */
  maxPerPerson: number;
}

/**
 * Counts tickets held and bought towards a buyer's caps.
 * @throws DomainError 409, here or from the transaction, naming the cap that was hit
 */
export function countPurchase(purchase: Purchase, caps: Caps): Write {
  const { tierId, quantity } = purchase;
  // A buyer without counters yet has nothing the condition could compare: the order itself must fit.
  if (quantity > caps.maxPerPerson) throw tierLimit(caps);
  if (quantity > caps.maxPerWallet) throw walletLimit(caps);
  const tier = tierCounter(tierId);
  return update(
    keys.buyer(purchase.eventId, purchase.userId),
    { add: { total: quantity, [tier]: quantity } },
    {
      when: [
        `(attribute_not_exists(#${tier}) OR #${tier} <= :personRoom)`,
        '(attribute_not_exists(#total) OR #total <= :walletRoom)',
      ].join(' AND '),
      values: { walletRoom: caps.maxPerWallet - quantity, personRoom: caps.maxPerPerson - quantity },
      refused: (current) =>
        (current?.[tier] ?? 0) + quantity > caps.maxPerPerson ? tierLimit(caps) : walletLimit(caps),
    },
  );
}

/** Takes tickets off a buyer's counters again. */
export function uncountPurchase({ eventId, userId, tierId, quantity }: Purchase): Write {
  return update(keys.buyer(eventId, userId), { add: { total: -quantity, [tierCounter(tierId)]: -quantity } });
}

const tierCounter = (tierId: string) => `tier_${tierId}`;

const tierLimit = ({ maxPerPerson }: Caps) =>
  conflict('tier-limit', `At most ${maxPerPerson} tickets per person in this tier`);
const walletLimit = ({ maxPerWallet }: Caps) =>
  conflict('wallet-limit', `At most ${maxPerWallet} tickets per person for this event`);
