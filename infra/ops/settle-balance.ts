import { parseArgs } from 'node:util';
import { toDecimal } from '../../shared/core/money.ts';
import { validate } from '../../shared/http/middleware.ts';
import { toBalance } from '../../shared/money/ledger/ledger.ts';
import { balanceSettlement, settleBalance } from '../../shared/money/payouts/settle-balance.ts';
import { sendsCurrency } from '../../shared/payments/transfer-gateways.ts';
import { scanTable, setTableEnvironment } from './table.ts';

/** Lists the balances that no gateway can pay out, or records that one was paid by hand. */
export async function runSettleBalance(args: string[]): Promise<void> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args,
    options: { organizer: text, currency: text, amount: text, transaction: text },
  });
  setTableEnvironment();
  if (Object.keys(values).length === 0) {
    for (const line of await listUnpayable()) console.log(line);
    return;
  }
  const settlement = validate(balanceSettlement, values);
  await settleBalance(settlement);
  const { organizer, amount, currency } = settlement;
  console.log(
    `${amount} ${currency} are recorded as paid to ${organizer}. Pay them now, if you have not yet.`,
  );
}

async function listUnpayable(): Promise<string[]> {
  const items = (await scanTable()).filter(({ sk }) => sk.startsWith('BALANCE#'));
  return items.flatMap((item) => {
    const { currency, available } = toBalance(item);
    if (available <= 0n || sendsCurrency('gateway-a', currency) || sendsCurrency('gateway-b', currency))
      return [];
    return [`Organizer ${item.pk.slice('LEDGER#'.length)}: ${toDecimal(available, currency)} ${currency}`];
  });
}
