import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { send } from '../../../shared/runtime/queue.ts';
import { Drama } from './drama.ts';
import { readTable, restoreTable } from './table-backup.ts';

let drama: Drama;

beforeEach(async () => {
  drama = await Drama.start({ sweepMilliseconds: 500, bumpSeconds: 1 });
});
afterEach(() => drama?.world.stop());

describe('after the table was restored', () => {
  it('to before a mint, the tickets are rebuilt, nothing is minted, and new orders get their tickets (19)', async () => {
    const orders = await drama.buy(3, (index) => index + 1);
    const backup = await readTable();
    drama.world.startWorker('worker1', 2);
    const minted = await drama.settled(orders);
    const { transactions } = await drama.audit();

    await restoreTable(backup);
    const before = await drama.read(orders);
    expect(before.map(({ fulfilmentStatus }) => fulfilmentStatus)).toEqual(['queued', 'queued', 'queued']);
    for (const { id: orderId, eventId, userId } of orders) await send('fulfil', { orderId, eventId, userId });
    const rebuilt = await drama.settled(orders);
    const after = await drama.audit();
    expect(after.transactions).toBe(transactions);
    expect(after.problems.filter((problem) => !problem.includes('was never stored'))).toEqual([]);
    expect(rebuilt.map(({ blockchainTxHash }) => blockchainTxHash)).toEqual(
      minted.map(({ blockchainTxHash }) => blockchainTxHash),
    );

    // The lane is restored too: its nonces are gone, which is believed after a while.
    drama.world.startSweeper();
    const later = await drama.settled(await drama.buy(2));
    expect(later.map(({ fulfilmentStatus }) => fulfilmentStatus)).toEqual(['minted', 'minted']);
    const { overMinted, lost, tokens, tickets } = await drama.audit();
    expect({ overMinted, lost, tokens }).toEqual({ overMinted: 0, lost: 0, tokens: tickets });
  });
});
