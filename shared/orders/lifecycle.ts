import { absent, defineMachine } from '../core/state-machine.ts';
import { fulfilmentStatuses, type Order, paymentStatuses, refundStatuses } from './order.ts';

/**
 * The lifecycle of an order: three state machines, each over one attribute of the item. A write may combine events of
 * several machines. `from` and `guard` become the condition of the write, so DynamoDB refuses a transition that is not
 * listed here.
 */
const machine = defineMachine<Order>();

export const payment = machine('paymentStatus', paymentStatuses, [
  {
    from: 'PENDING',
    event: 'settle',
    to: 'COMPLETED',
    sets: ['paymentTxId', 'queuedAt'],
    // Without its tickets, when the payment went back before it was reported.
    maySet: ['paidAmount', 'holdsInventory'],
    // Removing the checkout's address prevents a second payment. It also keeps the item below 1 KB: above that, each
    // write costs double.
    clears: ['paymentReview', 'reportedReturn', 'checkoutUrl'],
  },
  {
    // The payment arrives after the tickets were released: they are reserved again, or the payment is refunded.
    from: 'FAILED',
    event: 'settleLate',
    to: 'COMPLETED',
    sets: ['paymentTxId', 'queuedAt'],
    maySet: ['paidAmount', 'holdsInventory', 'redemption'],
    clears: ['paymentReview', 'reportedReturn', 'checkoutUrl', 'failureReason'],
  },
  { from: 'PENDING', event: 'fail', to: 'FAILED', sets: ['failureReason', 'holdsInventory'] },
]);

const whenPaid = { paymentStatus: 'COMPLETED' } as const;
const reasonFields = ['fulfilmentReason', 'fulfilmentMessage'] as const;
const nonceFields = ['mint', 'mintingAt', 'mintTransactionHash'] as const;

/**
 * `queued` waits for a worker or the chain, `minting` has a nonce, `reissuing` waits for its tickets to be burned,
 * `refund-due` is paid but has no tickets.
 */
export const fulfilment = machine('fulfilmentStatus', fulfilmentStatuses, [
  // Written together with `settle` or `settleLate`, which require the payment status.
  { from: 'none', event: 'queue', to: 'queued' },
  { from: 'none', event: 'refuse', to: 'refund-due', sets: ['fulfilmentReason'] },
  // The event has no contract, or the buyer no wallet.
  { from: 'queued', event: 'skip', to: 'not-needed', guard: whenPaid },
  // The order gets a nonce.
  {
    from: 'queued',
    event: 'bind',
    to: 'minting',
    guard: { ...whenPaid, holdsInventory: true, mint: absent },
    sets: nonceFields,
  },
  // The nonce was used up without minting the order.
  {
    from: 'minting',
    event: 'unbind',
    to: 'queued',
    guard: whenPaid,
    maySet: ['unbatched'],
    clears: nonceFields,
  },
  {
    // From `queued` when the tickets are found on the chain; from `minted` when a reorganisation moved them to
    // another transaction.
    from: ['queued', 'minting', 'minted'],
    event: 'mint',
    to: 'minted',
    guard: whenPaid,
    sets: ['blockchainTxHash', 'mintedAt'],
    clears: [...reasonFields, 'mintTransactionHash'],
  },
  {
    from: ['queued', 'minting', 'minted'],
    event: 'fail',
    to: 'failed',
    guard: whenPaid,
    sets: reasonFields,
    clears: nonceFields,
  },
  {
    from: ['failed', 'not-needed'],
    event: 'requeue',
    to: 'queued',
    guard: whenPaid,
    sets: ['queuedAt'],
    maySet: ['issue', 'wallet'],
    clears: reasonFields,
  },
  // The tickets are being burned before they are minted again to another wallet. Written together with the new burn.
  {
    from: 'minted',
    event: 'reissue',
    to: 'reissuing',
    guard: { ...whenPaid, holdsInventory: true, transferred: absent },
    maySet: ['buyerReissuedAt'],
    clears: reasonFields,
  },
  // Written together with the burn's end: only tickets whose burn is final are minted again.
  {
    from: 'reissuing',
    event: 'remint',
    to: 'queued',
    guard: whenPaid,
    sets: ['issue', 'unbatched', 'queuedAt'],
    clears: [...nonceFields, 'blockchainTxHash', 'mintedAt'],
  },
  // Nothing was burned.
  {
    from: 'reissuing',
    event: 'keep',
    to: 'minted',
    guard: whenPaid,
    sets: reasonFields,
    maySet: ['buyerReissuedAt'],
  },
  {
    from: ['none', 'queued', 'minting', 'minted', 'reissuing', 'not-needed', 'failed'],
    event: 'cancelEvent',
    to: 'refund-due',
    guard: whenPaid,
    sets: ['fulfilmentReason', 'isPosted'],
  },
  // Written together with the event that begins the refund.
  {
    from: fulfilmentStatuses,
    event: 'refund',
    to: 'refund-due',
    guard: whenPaid,
    sets: ['fulfilmentReason', 'holdsInventory'],
    clears: ['openDisputes'],
  },
]);

const refundFields = ['refund'] as const;

/**
 * `failed` waits until somebody requests the refund again. `manual`: the order was paid on a chain, so only the
 * treasury's owner can send the refund. Where tokens admit, it is `pending` until they are burned.
 */
export const refund = machine('refund.status', ['absent', ...refundStatuses] as const, [
  { from: 'absent', event: 'begin', to: 'pending', guard: whenPaid, sets: refundFields },
  { from: 'absent', event: 'beginManual', to: 'manual', guard: whenPaid, sets: refundFields },
  // The provider returned the money without a request of this service.
  { from: 'absent', event: 'beginSent', to: 'done', guard: whenPaid, sets: refundFields },
  // Nothing was paid.
  { from: 'absent', event: 'beginFree', to: 'done', guard: whenPaid, sets: refundFields },
  // Counts an attempt, or sets the time of the next one.
  { from: 'pending', event: 'attempt', to: 'pending', guard: whenPaid, sets: refundFields },
  // A refund that was given up may be sent by hand as well.
  {
    from: ['pending', 'manual', 'failed'],
    event: 'complete',
    to: 'done',
    guard: whenPaid,
    sets: refundFields,
  },
  // The tokens of an order that was paid on a chain are burned.
  { from: 'pending', event: 'leaveToOperator', to: 'manual', guard: whenPaid, sets: refundFields },
  { from: 'pending', event: 'giveUp', to: 'failed', guard: whenPaid, sets: refundFields },
  // The bank rejected a refund that the provider had reported as done.
  { from: 'done', event: 'bounce', to: 'failed', guard: whenPaid, sets: refundFields },
  { from: 'failed', event: 'repeat', to: 'pending', guard: whenPaid, sets: refundFields },
  // The provider returned the whole payment, with what the organizer had kept of returned seats.
  { from: 'done', event: 'returnKept', to: 'done', guard: whenPaid, sets: refundFields },
]);
