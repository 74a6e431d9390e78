import { knownChain, tokenContract } from '../../chain/chains.ts';
import { connect } from '../../chain/connection.ts';
import { DomainError, invalid, notFound, unauthenticated } from '../../core/errors.ts';
import type { Currency } from '../../core/money.ts';
import { getItems } from '../../dynamo/client.ts';
import { keys } from '../../dynamo/keys.ts';
import type { Event } from '../../events/event.ts';
import { toEvent } from '../../events/store.ts';
import { optional } from '../../runtime/config.ts';
import { toUser } from '../../users/store.ts';
import type { ChainTerms, Order } from '../order.ts';
import { insertOrder, OrderMoved } from '../store.ts';
import { draftOrder } from './draft-order.ts';
import type { OrderRequest } from './order-request.ts';
import { reserveSeats, withEvent } from './reserve.ts';
import { chosenGateway, startPayment } from './start-payment.ts';

/**
 * Makes an order and holds its tickets, then begins the payment.
 * @param reference the payment reference to use; chosen by the caller so that a repeated call finds its order
 * @returns the order, with where to pay where a gateway is involved
 * @throws DomainError 404, 409 and 403 for what decisions about sales forbid, 400 for a currency the gateway
 * does not take, 503 for one that is not configured, 502 for one that fails
 */
export async function initializeOrder(
  userId: string,
  request: OrderRequest,
  reference: string,
): Promise<Order> {
  const [eventItem, userItem] = await getItems([keys.event(request.eventId), keys.user(userId)]);
  if (!userItem) throw unauthenticated('Authentication required');
  if (!eventItem) throw notFound('Event');
  const user = toUser(userItem);
  const now = Date.now();
  const order = await withEvent(
    request.eventId,
    async (event) => {
      const draft = draftOrder(event, user, request, reference, now);
      await chosenGateway(draft);
      const chainTerms = await chosenChain(event, draft);
      return hold(event, { ...draft, ...(chainTerms && { chainTerms }) });
    },
    toEvent(eventItem),
  );
  return startPayment(order);
}

/** Takes the tickets and writes the order; an order of that reference that is there already is taken up. */
async function hold(event: Event, draft: Order): Promise<Order> {
  try {
    const shard = await reserveSeats(event, draft, (shard) => [insertOrder({ ...draft, shard })]);
    return { ...draft, shard };
  } catch (error) {
    if (error instanceof OrderMoved) return error.current;
    throw error;
  }
}

/** Where the order's money goes on the event's chain; nowhere for what is paid otherwise, or costs nothing. */
async function chosenChain(event: Event, order: Order): Promise<ChainTerms | undefined> {
  if (order.paymentMethod !== 'CRYPTO' || order.totalAmount === 0n) return undefined;
  return paymentTerms(event.chainId, order.currency);
}

/**
 * How a currency is paid on a chain.
 * @throws DomainError 400 when it is neither the chain's own coin nor a token we take there, 503 when the wallet
 * for payments or the chain's endpoints are not configured
 */
export async function paymentTerms(chainId: number, currency: Currency): Promise<ChainTerms> {
  const token = knownChain(chainId)?.symbol === currency ? null : tokenContract(chainId, currency);
  if (token === undefined) {
    throw invalid(`${currency} can't be paid on chain ${chainId}`, 'currency-not-supported');
  }
  const to = optional('TREASURY_ADDRESS');
  if (!to || !(await connect(chainId))) {
    throw new DomainError('unavailable', 'crypto-not-configured', `Chain ${chainId} is not available`);
  }
  return { chainId, to, token };
}
