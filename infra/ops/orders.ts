import { parseArgs } from 'node:util';
import { invalid } from '../../shared/core/errors.ts';
import { toDecimal } from '../../shared/core/money.ts';
import { toOrder } from '../../shared/orders/order.ts';
import { endReview, excessDecisions } from '../../shared/orders/refunds/disputes.ts';
import { completeManualRefund, isSentByHand, refundsOf } from '../../shared/orders/refunds/refund-order.ts';
import { scanTable, setTableEnvironment } from './table.ts';

/** Lists the refunds to send manually, or records that one was sent. */
export async function completeRefund(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { order: { type: 'string' }, refund: { type: 'string' }, transaction: { type: 'string' } },
  });
  setTableEnvironment();
  const { order, refund, transaction } = values;
  if (Object.keys(values).length === 0) {
    for (const line of await listOpenRefunds()) console.log(line);
  } else {
    if (!order || !refund || !transaction) throw invalid('Give --order, --refund and --transaction');
    if (!/^([1-9]\d*|whole)$/.test(refund)) throw invalid('--refund is the number of a refund, or whole');
    await completeManualRefund(order, refund === 'whole' ? undefined : Number(refund), transaction);
    console.log(`The refund of order ${order} is complete.`);
  }
}

/**
 * Lists the refunds that an operator must send: those of crypto payments, and those that the gateway refused five
 * times.
 */
async function listOpenRefunds(): Promise<string[]> {
  const orders = (await scanTable()).filter(({ sk }) => sk === 'ORDER').map(toOrder);
  return orders.flatMap((order) => {
    const { id, currency, chainTerms, gateway, paymentTxId, otherPayments = {} } = order;
    const recipient = chainTerms
      ? `to the sender of ${[paymentTxId, ...Object.keys(otherPayments)].join(', ')} on chain ${chainTerms.chainId}`
      : `to the payer of ${paymentTxId} at ${gateway}`;
    return refundsOf(order)
      .filter(({ refund }) => isSentByHand(refund))
      .map(
        ({ refund, number = 'whole' }) =>
          `Order ${id}, refund ${number}: ${toDecimal(refund.amount, currency)} ${currency} ${recipient}`,
      );
  });
}

/** Lists the orders whose payment is under review, or ends the review of one. */
export async function clearReview(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { order: { type: 'string' }, excess: { type: 'string' } } });
  setTableEnvironment();
  const { order, excess } = values;
  const decision = excessDecisions.find((each) => each === excess);
  if (excess !== undefined && !decision) throw invalid(`--excess is ${excessDecisions.join(' or ')}`);
  if (order === undefined) {
    for (const line of await listReviews()) console.log(line);
  } else {
    const ended = await endReview(order, decision);
    console.log(`The review of order ${order} has ended: ${ended.reason}`);
    if (ended.toReturn === 0n) return;
    const { currency, otherPayments, chainTerms } = ended.order;
    console.log(
      `Now send ${toDecimal(ended.toReturn, currency)} ${currency} to the sender of ${Object.keys(otherPayments ?? {}).join(', ')} on chain ${chainTerms?.chainId}.`,
    );
  }
}

async function listReviews(): Promise<string[]> {
  const orders = (await scanTable()).filter(({ sk }) => sk === 'ORDER').map(toOrder);
  return orders.flatMap(({ id, paymentStatus, paymentReview }) =>
    paymentReview === undefined ? [] : [`Order ${id} (${paymentStatus}): ${paymentReview}`],
  );
}
