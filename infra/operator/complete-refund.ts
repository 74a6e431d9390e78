import { parseArgs } from 'node:util';
import { DomainError, invalid } from '../../shared/core/errors.ts';
import { toDecimal } from '../../shared/core/money.ts';
import { toOrder } from '../../shared/orders/order.ts';
import { completeManualRefund } from '../../shared/orders/refunds/refund-order.ts';
import { scanTable } from './scan-table.ts';
import { setTableEnvironment } from './set-table-environment.ts';

// npm run complete-refund                                          lists the refunds to send manually
// npm run complete-refund -- --order <id> --transaction <hash>     records that one was sent

const { values } = parseArgs({ options: { order: { type: 'string' }, transaction: { type: 'string' } } });
try {
  setTableEnvironment();
  const { order, transaction } = values;
  if (order === undefined && transaction === undefined) {
    for (const line of await listOpenRefunds()) console.log(line);
  } else {
    if (!order || !transaction) throw invalid('Give both --order and --transaction');
    await completeManualRefund(order, transaction);
    console.log(`The refund of order ${order} is complete.`);
  }
} catch (error) {
  if (!(error instanceof DomainError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

/**
 * Lists the refunds that an operator must send: those of crypto payments, and those that the gateway refused five
 * times.
 */
async function listOpenRefunds(): Promise<string[]> {
  const orders = (await scanTable()).filter(({ sk }) => sk === 'ORDER').map(toOrder);
  return orders.flatMap(({ id, currency, refund, chainTerms, gateway, paymentTxId }) => {
    if (refund?.status !== 'manual' && refund?.status !== 'failed') return [];
    const amountText = `${toDecimal(refund.amount, currency)} ${currency}`;
    const recipient = chainTerms
      ? `to the sender of ${paymentTxId} on chain ${chainTerms.chainId}`
      : `to the payer of ${paymentTxId} at ${gateway}`;
    return [`Order ${id}: ${amountText} ${recipient}`];
  });
}
