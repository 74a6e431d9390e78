import * as z from 'zod';
import { type Actor, authorize, buyerOf } from '../../accounts/auth/authorize.ts';
import { countOnce } from '../../accounts/rate-limit.ts';
import { getChain } from '../../chain/chains.ts';
import { connect, findAgreedAnswer, readFromAllNodes } from '../../chain/connection.ts';
import { type InvalidReason, readPayment } from '../../chain/read-payment.ts';
import {
  conflict,
  type DomainError,
  type ErrorCode,
  invalid,
  notFound,
  unavailable,
} from '../../core/errors.ts';
import { expectUnchanged } from '../../core/state-machine.ts';
import { keys } from '../../dynamo/keys.ts';
import { transact, type Write } from '../../dynamo/write.ts';
import { incrementCounter, log } from '../../runtime/telemetry.ts';
import {
  encodeReference,
  type Order,
  type PaymentStatus,
  reviewOtherPayments,
  unknownAmount,
} from '../order.ts';
import {
  ChainPaymentTaken,
  changeOrder,
  claimChainPayment,
  getOrder,
  type NextDue,
  type OrderChange,
  OrderTransitionRefused,
  writeOrder,
} from '../store.ts';
import { failOrder } from './fail-order.ts';
import { settle } from './settle-order.ts';

/** The result of looking for an order's payment on the chain. */
export type ChainOutcome =
  | 'settled'
  /** The transaction may pay the order, but its block is not final. */
  | 'unconfirmed'
  /** The transaction is known, but not in a block. */
  | 'unmined'
  /** No node knows the transaction. */
  | 'unknown'
  /** The nodes do not answer, or disagree. */
  | 'unclear'
  /** The transaction can't pay this order. */
  | InvalidReason
  | 'taken'
  | 'too-little'
  /** The transaction is a payment besides the one that completed the order. */
  | 'additional';

/** Returns whether a node knows the transaction and it may still pay. */
export function mayStillPay(outcome: ChainOutcome): boolean {
  return outcome === 'unmined' || outcome === 'unconfirmed';
}

/**
 * Reads a transaction from the chain, and completes the order when the transaction is a final payment of it. A payment
 * that does not complete it is kept with the order.
 */
export async function settleCryptoPayment(order: Order, hash: string): Promise<ChainOutcome> {
  const observation = await readAgreedPayment(order, hash);
  if (observation === undefined) return 'unclear';
  if (observation.kind === 'invalid') {
    if (observation.reason === 'indirect') await keepPayment(order, hash, unknownAmount);
    return observation.reason;
  }
  if (observation.kind !== 'final') return observation.kind;
  const signal = {
    kind: 'paid' as const,
    reference: order.reference,
    transactionId: hash,
    amount: BigInt(observation.amount),
    currency: order.currency,
    paidAt: observation.minedAt,
  };
  try {
    const claim = claimChainPayment(chainTermsOf(order).chainId, hash, order.id);
    const result = await settle(order, signal, { otherWrites: [claim] });
    if (result === 'completed') return 'settled';
    const isPayer = (await keepPayment(await getOrder(order.id), hash, signal.amount)) === 'pays';
    if (isPayer) return 'settled';
    return result === 'under-review' ? 'too-little' : 'additional';
  } catch (error) {
    if (error instanceof ChainPaymentTaken) return 'taken';
    throw error;
  }
}

/** The most transactions to other addresses that are kept with an order: sending them costs little. */
const maximumIndirect = 10;

/** The most payments below a hundredth of the total that are kept with an order: thousands would fill its item. */
const maximumSmall = 100;

/**
 * Keeps a final payment with its order, unless it is the one that completed the order. A completed order is put under
 * review: an operator returns what exceeds its total. So is an order whose reference a transaction to another address carries.
 * @param amount `unknownAmount` for such a transaction: it may bundle payments of others, so it is not claimed for the order
 * @returns `kept` also for one of too many small payments
 * @throws ChainPaymentTaken
 */
async function keepPayment(order: Order, hash: string, amount: bigint): Promise<'pays' | 'kept'> {
  if (order.paymentTxId === hash) return 'pays';
  if (order.otherPayments?.[hash] !== undefined) return 'kept';
  const isIndirect = amount === unknownAmount;
  const kept = Object.values(order.otherPayments ?? {});
  if (isIndirect && kept.filter((each) => each === unknownAmount).length >= maximumIndirect) return 'kept';
  if (amount * 100n < order.totalAmount && kept.length >= maximumSmall) return 'kept';
  const otherPayments = { ...order.otherPayments, [hash]: amount };
  const isReviewed = isIndirect || order.paymentStatus === 'COMPLETED';
  const review = isReviewed ? reviewOtherPayments({ ...order, otherPayments }) : undefined;
  const change = { otherPayments, ...(review && { paymentReview: review }) };
  const unchanged = expectUnchanged(order, 'paymentStatus', 'otherPayments');
  try {
    await transact([
      changeOrder(order.id, change, { unchanged }),
      ...(isIndirect ? [] : [claimChainPayment(chainTermsOf(order).chainId, hash, order.id)]),
    ]);
  } catch (error) {
    // The order was completed, or another payment was kept, in the meantime.
    if (error instanceof OrderTransitionRefused) return keepPayment(error.current, hash, amount);
    throw error;
  }
  log.warn('Payment besides that of an order', { orderId: order.id });
  incrementCounter('PaymentsUnderReview');
  return 'kept';
}

/**
 * Reads the payment from all nodes. Returns the answer that two nodes agree on, or that of the only configured node.
 * Without such an answer, or when it is `unknown`, one node that knows the transaction suffices for `unconfirmed` or
 * `unmined`: the caller waits, but does not complete the order.
 * @returns undefined when the nodes don't agree, and none knows a transaction that may still pay
 */
async function readAgreedPayment(order: Order, hash: string) {
  const { chainId, to, token } = chainTermsOf(order);
  const connection = await connect(chainId);
  if (!connection) return undefined;
  const expected = {
    to,
    token,
    reference: encodeReference(order.reference),
    notBefore: Date.parse(order.createdAt),
  };
  const observations = await readFromAllNodes(connection, (node) =>
    readPayment(node, connection.chain, hash, expected),
  );
  const agreement = findAgreedAnswer(connection, observations);
  if (agreement && agreement.kind !== 'unknown') return agreement;
  const kinds = new Set(observations.map(({ kind }) => kind));
  if (kinds.has('final') || kinds.has('unconfirmed')) return { kind: 'unconfirmed' as const };
  return kinds.has('unmined') ? { kind: 'unmined' as const } : agreement;
}

/** Returns how many seconds to wait before the next check of a transaction that is not final: at most 60. */
export function finalityDelaySeconds(order: Order): number {
  return Math.min(getChain(chainTermsOf(order).chainId).finalitySeconds, 60);
}

function chainTermsOf({ id, chainTerms }: Order) {
  if (!chainTerms) throw new Error(`Order ${id} is not paid on a chain`);
  return chainTerms;
}

const minuteMilliseconds = 60_000;

/**
 * How long an order keeps its tickets after the end of its hold: while its payment is in a block but not final, or
 * while the nodes disagree.
 */
const graceMillisecondsByOutcome: Partial<Record<ChainOutcome, number>> = {
  unconfirmed: 60 * minuteMilliseconds,
  unclear: 15 * minuteMilliseconds,
};
/** For this long after the end of the hold, a transaction in a block is checked every minute or more often. */
const frequentCheckMilliseconds = 6 * 60 * minuteMilliseconds;
/**
 * How long after the end of the hold a transaction that is in no block is looked up. Nodes keep one with a low fee for hours,
 * and its sender can keep it waiting for as long as they like.
 */
const lookupMillisecondsByOutcome: Partial<Record<ChainOutcome, number>> = {
  unmined: 3 * 24 * 60 * minuteMilliseconds,
  unknown: 6 * 60 * minuteMilliseconds,
};
/** The longest pause between two checks. */
const longestPauseMilliseconds = 15 * minuteMilliseconds;

/** The result of checking a transaction that the buyer submitted. */
interface Check {
  hash: string;
  outcome: ChainOutcome;
}

/** The outcomes after which a transaction is checked again, the one that may keep the order's tickets longest first. */
const openOutcomes: readonly ChainOutcome[] = ['unconfirmed', 'unclear', 'unmined', 'unknown'];

/**
 * Checks the submitted transactions again: completes the order, or fails it once its hold has ended. A transaction in a
 * block is checked until it is final or fails, even after the order or its event was cancelled; one that is in no block for
 * up to three days.
 */
export async function followCryptoPayment(order: Order): Promise<void> {
  const checks = await settleSubmittedPayments(order);
  if (checks.some(({ outcome }) => outcome === 'settled')) return;
  const millisecondsPastHold = Date.now() - Date.parse(order.expiresAt);
  const openChecks = checks.filter(
    ({ outcome }) =>
      openOutcomes.includes(outcome) &&
      millisecondsPastHold < (lookupMillisecondsByOutcome[outcome] ?? Number.POSITIVE_INFINITY),
  );
  const outcome = openOutcomes.find((open) => openChecks.some((check) => check.outcome === open));
  if (
    millisecondsPastHold >= ((outcome && graceMillisecondsByOutcome[outcome]) ?? 0) &&
    order.paymentStatus === 'PENDING'
  ) {
    const nextDueAt = outcome ? nextCheckAt(order, outcome, millisecondsPastHold) : 'never';
    const currentOrder = await failOrder(order, 'expired', nextDueAt);
    if (currentOrder.failureReason === 'expired') incrementCounter('OrdersExpired');
  }
  try {
    await writeOrder(scheduleCheck(order, openChecks, outcome, millisecondsPastHold));
  } catch (error) {
    // The order was completed, or has another transaction, in the meantime.
    if (!(error instanceof OrderTransitionRefused)) throw error;
  }
}

/** Settles the order with the transactions that its buyer submitted. Further payments among them are kept with it. */
export async function settleSubmittedPayments(order: Order): Promise<Check[]> {
  const checks: Check[] = [];
  for (const hash of submittedHashesOf(order))
    checks.push({ hash, outcome: await settleCryptoPayment(order, hash) });
  return checks;
}

/**
 * Returns when to check again (epoch milliseconds). For a transaction in a block, the pause is short. For any other
 * transaction, it grows with the time since the buyer submitted the transaction. During the hold, the next check is at
 * its end at the latest.
 */
function nextCheckAt(order: Order, outcome: ChainOutcome, millisecondsPastHold: number): number {
  const now = Date.now();
  const shortestPauseMilliseconds = finalityDelaySeconds(order) * 1000;
  const ageMilliseconds = now - Date.parse(order.cryptoTxAt ?? order.createdAt);
  const isInBlock = outcome === 'unconfirmed' && millisecondsPastHold < frequentCheckMilliseconds;
  const pauseMilliseconds = isInBlock
    ? shortestPauseMilliseconds
    : Math.min(longestPauseMilliseconds, Math.max(shortestPauseMilliseconds, ageMilliseconds / 2));
  return millisecondsPastHold < 0 && order.paymentStatus === 'PENDING'
    ? now + Math.min(pauseMilliseconds, -millisecondsPastHold)
    : now + pauseMilliseconds;
}

/**
 * Schedules the next check. It removes the transactions that can no longer pay, without changing
 * the order's hold.
 */
function scheduleCheck(
  order: Order,
  openChecks: readonly Check[],
  outcome: ChainOutcome | undefined,
  millisecondsPastHold: number,
): Write {
  const change = withSubmittedHashes(openChecks.map(({ hash }) => hash));
  const nextDueAt = outcome
    ? nextCheckAt(order, outcome, millisecondsPastHold)
    : dueWithoutTransaction(order);
  return changeOrder(order.id, change, { unchanged: unchangedTransactions(order), nextDueAt });
}

function dueWithoutTransaction({ paymentStatus, expiresAt }: Order): NextDue {
  const end = Date.parse(expiresAt);
  return paymentStatus === 'PENDING' && Date.now() < end ? end : 'never';
}

/** How many transactions of an order are checked. A buyer submits a second one after speeding up the first. */
const maximumSubmittedHashes = 4;

function submittedHashesOf({ cryptoTxHash, otherTxHashes = [] }: Order): string[] {
  return cryptoTxHash === undefined ? [] : [cryptoTxHash, ...otherTxHashes];
}

function withSubmittedHashes([cryptoTxHash, ...otherTxHashes]: readonly string[]): OrderChange {
  return {
    cryptoTxHash,
    otherTxHashes: otherTxHashes.length > 0 ? otherTxHashes : undefined,
    ...(cryptoTxHash === undefined && { cryptoTxAt: undefined }),
  };
}

/** Expects that an unpaid order has no other transactions than when it was read. */
const unchangedTransactions = (
  order: Order,
  paymentStatus: readonly PaymentStatus[] = ['PENDING', 'FAILED'],
) => ({ paymentStatus, ...expectUnchanged(order, 'cryptoTxHash', 'otherTxHashes') });

/**
 * Completes a crypto order with the transaction that pays it. A transaction that is not final yet is stored, and the
 * sweep completes the order once it is final. It does not replace those that were submitted before: one of them may be in
 * a block in the end. A transaction that no node knows is not stored on a failed order.
 * @param hash lower-case hex
 * @throws DomainError 404 for callers other than the buyer; 400 for a transaction that does not pay this order; 409 for
 * an order that is not paid on a chain, while the transaction is not final (with Retry-After), when it pays another
 * order or too little, and when another transaction paid the order; 429 after too many transactions; 503 when the chain
 * can't be asked
 */
export async function confirmOrder(caller: Actor, orderId: string, hash: string): Promise<Order> {
  const order = await getOrder(orderId);
  authorize(caller, [buyerOf(order)], notFound('Order'));
  if (!order.chainTerms) throw conflict('not-crypto', 'The order is not paid on a chain');
  if (order.paymentTxId !== hash) {
    if (!submittedHashesOf(order).includes(hash)) await countTransaction(caller, hash);
    const outcome = await settleCryptoPayment(order, hash);
    // Only a payment on its way may still be kept with an order that is paid.
    if (order.paymentStatus === 'COMPLETED')
      throw outcome === 'unmined' || outcome === 'unconfirmed'
        ? outcomeErrors[outcome](order)
        : alreadyPaid();
    if (mayStillPay(outcome)) await storeTransaction(order, hash, ['PENDING', 'FAILED'], 'first');
    else if (outcome === 'unclear') await storeTransaction(order, hash, ['PENDING', 'FAILED'], 'last');
    else if (outcome === 'unknown') await storeTransaction(order, hash, ['PENDING'], 'last');
    else if (outcome !== 'settled') await removeTransaction(order, hash);
    if (outcome !== 'settled') throw outcomeErrors[outcome](order);
  }
  const currentOrder = await getOrder(orderId);
  if (currentOrder.paymentTxId === hash) return currentOrder;
  throw alreadyPaid();
}

/** Limits the transactions that one caller has looked up on chain. */
const transactionLimit = {
  maximum: 20,
  windowSeconds: 15 * 60,
  message: 'Too many transactions, please try again later',
};

/**
 * Counts a transaction once: a frontend confirms it until it is final, and not every order stores it. @throws DomainError 429
 */
function countTransaction({ userId }: Actor, hash: string): Promise<void> {
  const counted = keys.attempts('COUNTED_TRANSACTION', `${userId}#${hash}`);
  return countOnce(counted, keys.attempts('TRANSACTION', userId), transactionLimit);
}

const alreadyPaid = () => conflict('already-paid', 'The order was paid by another transaction');

/**
 * Stores the transaction on the order if the order has one of the payment statuses.
 * @param position `first` for a transaction that a node knows. It may displace the last one.
 */
async function storeTransaction(
  order: Order,
  hash: string,
  paymentStatuses: readonly PaymentStatus[],
  position: 'first' | 'last',
): Promise<void> {
  if (!paymentStatuses.includes(order.paymentStatus)) return;
  const stored = submittedHashesOf(order);
  const others = stored.filter((other) => other !== hash);
  const hashes = (position === 'first' ? [hash, ...others] : [...others, hash]).slice(
    0,
    maximumSubmittedHashes,
  );
  const isKept = position === 'first' ? stored[0] === hash : stored.includes(hash) || !hashes.includes(hash);
  // Submitting the same transaction again does not restart the pauses between its checks.
  if (order.paymentStatus === 'PENDING' && isKept) return;
  const now = Date.now();
  try {
    await writeOrder(
      changeOrder(
        order.id,
        { ...withSubmittedHashes(hashes), cryptoTxAt: new Date(now).toISOString() },
        {
          unchanged: unchangedTransactions(order, paymentStatuses),
          nextDueAt: now + finalityDelaySeconds(order) * 1000,
        },
      ),
    );
  } catch (error) {
    // The order was completed, or has another transaction, in the meantime.
    if (!(error instanceof OrderTransitionRefused)) throw error;
    await storeTransaction(error.current, hash, paymentStatuses, position);
  }
}

/** Removes a stored transaction that can't pay the order. The order keeps its tickets until its hold ends. */
async function removeTransaction(order: Order, hash: string): Promise<void> {
  const stored = submittedHashesOf(order);
  if (!stored.includes(hash)) return;
  const others = stored.filter((other) => other !== hash);
  try {
    await writeOrder(
      changeOrder(order.id, withSubmittedHashes(others), {
        unchanged: unchangedTransactions(order, [order.paymentStatus]),
        // The next check of the others stays due.
        ...(others.length === 0 && { nextDueAt: dueWithoutTransaction(order) }),
      }),
    );
  } catch (error) {
    // The order was completed, or has another transaction, in the meantime.
    if (!(error instanceof OrderTransitionRefused)) throw error;
  }
}

type UnsettledOutcome = Exclude<Awaited<ReturnType<typeof settleCryptoPayment>>, 'settled'>;

const outcomeErrors: Record<UnsettledOutcome, (order: Order) => DomainError> = {
  unconfirmed: (order) => notFinal(order, 'The transaction is not final yet'),
  unmined: (order) => notFinal(order, 'The transaction is not in a block yet'),
  unknown: (order) => notFinal(order, 'No node of the chain knows the transaction yet'),
  unclear: () => unavailable('The chain can’t be asked right now', 30),
  reverted: () => invalidTransaction('The transaction failed on the chain'),
  recipient: () =>
    invalidTransaction('The transaction does not send the right coin or token to the right address'),
  indirect: () =>
    invalidTransaction(
      'The transaction was not sent to the address of the payment, so the payment is checked by hand. Please do not pay again',
    ),
  reference: () => invalidTransaction('The transaction does not carry the order’s reference'),
  'too-early': () => invalidTransaction('The transaction is older than the order'),
  taken: () => conflict('transaction-used', 'The transaction pays another order'),
  additional: alreadyPaid,
  'too-little': () => conflict('paid-too-little', 'The transaction pays less than is due'),
};

function invalidTransaction(message: string): DomainError {
  return invalid(message, 'transaction-unfit');
}

function notFinal(order: Order, message: string): DomainError {
  return conflict('transaction-not-final', message, finalityDelaySeconds(order));
}

/** The request that submits the transaction that pays an order. */
export const confirmationRequest = z.object({
  txHash: z
    .string()
    .regex(/^0x[0-9a-fA-F]{64}$/, 'must be a transaction hash')
    .meta({
      description: 'The hash of the transaction that pays the order',
      examples: [`0x${'4a'.repeat(32)}`],
    })
    .transform((hash) => hash.toLowerCase()),
});

/** Error codes of a transaction that does not complete the order. */
export const confirmationErrorCodes = [
  'order-not-found',
  'not-crypto',
  'already-paid',
  'paid-too-little',
  'transaction-unfit',
  'transaction-not-final',
  'transaction-used',
  'too-many-attempts',
  'unavailable',
] as const satisfies ErrorCode[];
