import { parseArgs } from 'node:util';
import { DomainError, invalid } from '../../shared/core/errors.ts';
import { toOrder } from '../../shared/orders/order.ts';
import { changeOrder, getOrder, writeOrder } from '../../shared/orders/store.ts';
import { scanTable } from './scan-table.ts';
import { setTableEnvironment } from './set-table-environment.ts';

// npm run clear-review                     lists the orders whose payment is under review
// npm run clear-review -- --order <id>     ends the review of an order

const { values } = parseArgs({ options: { order: { type: 'string' } } });
try {
  setTableEnvironment();
  if (values.order === undefined) {
    for (const line of await listReviews()) console.log(line);
  } else {
    const endedReview = await clearReview(values.order);
    console.log(`The review of order ${values.order} has ended: ${endedReview}`);
  }
} catch (error) {
  if (!(error instanceof DomainError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function listReviews(): Promise<string[]> {
  const orders = (await scanTable()).filter(({ sk }) => sk === 'ORDER').map(toOrder);
  return orders.flatMap(({ id, paymentStatus, paymentReview }) =>
    paymentReview === undefined ? [] : [`Order ${id} (${paymentStatus}): ${paymentReview}`],
  );
}

/** @returns why the order was under review */
async function clearReview(orderId: string): Promise<string> {
  const { paymentReview } = await getOrder(orderId);
  if (paymentReview === undefined) throw invalid('The payment of this order is not under review');
  await writeOrder(changeOrder(orderId, { paymentReview: undefined }, { unchanged: { paymentReview } }));
  return paymentReview;
}
