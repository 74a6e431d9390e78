import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findInventoryDifferences } from '../../../infra/ops/reconcile.ts';
import { findLedgerDifferences } from '../../../infra/ops/reconcile-ledger.ts';
import { getUser } from '../../../shared/accounts/users/store.ts';
import { type EntryType, entryTypes } from '../../../shared/catalog/events/event.ts';
import { DomainError } from '../../../shared/core/errors.ts';
import { newId } from '../../../shared/core/ids.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { requestRefund } from '../../../shared/orders/refunds/refund-order.ts';
import { getOrder } from '../../../shared/orders/store.ts';
import { checkIn } from '../../../shared/tickets/check-in/check-in-seat.ts';
import { acceptOffer, offerSeat, withdrawOffer } from '../../../shared/tickets/seats/change-seat.ts';
import { claimSeat } from '../../../shared/tickets/seats/claim-seat.ts';
import { readAdmissionCount, readSeatsOf } from '../../../shared/tickets/seats/store.ts';
import { type Backend, startBackend } from '../../support/backend.ts';
import { insertPerson } from '../../support/shop.ts';
import { explore, gateRequests, type Run, runSchedule } from './explore.ts';
import {
  buyTickets,
  type FreeEvent,
  linkWallet,
  newPersonWithWallet,
  openFreeEvent,
  signFirstCode,
  storeTickets,
} from './free-event.ts';

/**
 * Interleaves a scan, a transfer and a refund of one seat at every request to the seat and its order. Exactly one
 * operation succeeds, and the counters agree with the seat. Random schedules add more operations; ENTRY_RUNS sets their
 * number.
 */

const runs = Number(process.env.ENTRY_RUNS ?? 40);
const contract = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const [sellerWallet, receiverWallet] = [
  '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
];

let backend: Backend;
let chain: Server;
/** Requests that contain one of these texts are interleaved. */
let gatedTexts: string[] = [];
let seller: string;
let receiver: string;
const admittedCounts = { account: 0, token: 0 };
const events = {} as { account: FreeEvent; token: FreeEvent };

beforeAll(async () => {
  backend = await startBackend();
  // The receiver owns each token at finalized blocks. At the latest block, which check-in reads, the seller still owns
  // it.
  chain = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const { method, params } = JSON.parse(Buffer.concat(parts).toString());
    const owner = params[1] === 'latest' ? sellerWallet : receiverWallet;
    const result = method === 'eth_blockNumber' ? '0x100' : `0x${owner.slice(2).padStart(64, '0')}`;
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
  });
  await new Promise<void>((resolve) => chain.listen(0, '127.0.0.1', resolve));
  Object.assign(process.env, {
    CHAIN_31337_RPC_URLS: `http://127.0.0.1:${(chain.address() as AddressInfo).port}`,
    CHECK_IN_SECRET: 'only-for-tests-check-in-0123456789abcdef',
    STAGE: 'interleavings',
  });
  gateRequests(() => gatedTexts);
  [events.account, events.token, seller, receiver] = await Promise.all([
    openFreeEvent(),
    openFreeEvent({ contract }),
    newPersonWithWallet(sellerWallet),
    insertPerson(),
  ]);
  await linkWallet(receiver, receiverWallet);
}, 90_000);
afterAll(async () => {
  chain?.close();
  await backend?.stop();
});

type Operation = 'scan' | 'secondScan' | 'accept' | 'withdraw' | 'claim' | 'refund';

/** Sells a seat of the event with the given entry. @returns its order and the operations on it */
async function sellSeat(entry: EntryType) {
  gatedTexts = [];
  const event = events[entry];
  const order = await buyTickets(event, seller);
  const organizer = { userId: event.organizerId };
  const code = await signFirstCode(order);
  const scan = () => checkIn(organizer, { code });
  const refund = () => requestRefund(organizer, order.id);
  if (entry === 'account') {
    const { email } = await getUser(receiver);
    const from = { userId: seller, email: '' };
    const { seat } = await offerSeat(from, { orderId: order.id, number: 1 }, email);
    const { token } = seat.offer;
    const accept = () => acceptOffer(receiver, token);
    const withdraw = () => withdrawOffer(seller, token);
    return { order, event, operations: { scan, secondScan: scan, accept, withdraw, refund } };
  }
  const tokenId = BigInt(`0x${Buffer.from(newId()).toString('hex')}`) << 16n;
  await storeTickets(event, order, sellerWallet, tokenId);
  const token = { chainId: event.chainId, contractAddress: contract, tokenId: String(tokenId) };
  const claim = () => claimSeat(receiver, token);
  return { order, event, operations: { scan, secondScan: scan, claim, refund } };
}

/** Interleaves the requests to an order and its seats from now on. */
function interleaveRequestsOf({ id }: Order): void {
  gatedTexts = [`ORDER#${id}`, `SEAT#${id}`];
}

const winnersOf = (results: Partial<Record<Operation, PromiseSettledResult<unknown>>>) =>
  (Object.keys(results) as Operation[]).filter((name) => results[name]?.status === 'fulfilled');

/** Returns the operations that succeeded according to the stored seat and order. */
async function readWinners({ id }: Order): Promise<Operation[]> {
  const [current, seats] = await Promise.all([getOrder(id), readSeatsOf(id)]);
  const seat = seats.get(1);
  expect(current.admitted ?? 0).toBe(seat?.checkedInAt === undefined ? 0 : 1);
  expect(current.transferred ?? 0).toBe(seat?.transfers ?? 0);
  expect(current.holdsInventory).toBe(!current.refund);
  return [
    ...(seat?.checkedInAt ? (['scan'] as const) : []),
    ...(seat?.transfers ? [seat.claimedFrom ? ('claim' as const) : ('accept' as const)] : []),
    ...(current.refund ? (['refund'] as const) : []),
  ];
}

async function expectOneWinner(entry: EntryType, order: Order, { results, schedule }: Run<Operation>) {
  gatedTexts = [];
  const scheduleText = schedule.join(', ');
  for (const result of Object.values(results)) {
    if (result.status === 'rejected') expect(result.reason, scheduleText).toBeInstanceOf(DomainError);
  }
  const winners = winnersOf(results).filter((name) => name !== 'withdraw');
  const toStored = (name: Operation) => (name === 'secondScan' ? 'scan' : name);
  const stored = await readWinners(order);
  // A successful withdrawal can make all other operations fail.
  if (stored.length > 0 || !results.withdraw) expect(winners.map(toStored), scheduleText).toEqual(stored);
  expect(winners.length, scheduleText).toBeLessThanOrEqual(1);
  if (stored[0] === 'scan') admittedCounts[entry]++;
}

describe('a scan, a transfer and a refund of one seat', () => {
  it.each([
    ['account', 'accept'],
    ['token', 'claim'],
  ] as const)(
    'have exactly one winner in every interleaving (entry by %s, transfer by %s)',
    async (entry, transfer) => {
      let order: Order;
      const wins = new Map<string, number>();
      const interleavingCount = await explore<Operation>(
        async () => {
          const sale = await sellSeat(entry);
          order = sale.order;
          interleaveRequestsOf(order);
          const all = sale.operations as Partial<Record<Operation, () => Promise<unknown>>>;
          const three = { scan: all.scan, [transfer]: all[transfer], refund: all.refund };
          return three as Record<Operation, () => Promise<unknown>>;
        },
        async (run) => {
          await expectOneWinner(entry, order, run);
          const [winner = 'nobody'] = await readWinners(order);
          wins.set(winner, (wins.get(winner) ?? 0) + 1);
        },
      );
      // Each of the three wins in some interleavings, so none of them is always refused.
      expect([...wins.keys()].sort()).toEqual([transfer, 'refund', 'scan'].sort());
      expect(interleavingCount).toBeGreaterThan(50);
    },
  );

  it('have at most one winner in random schedules with more operations', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('account' as const, 'token' as const),
        fc.array(fc.nat({ max: 59 }), { minLength: 20, maxLength: 40 }),
        async (entry, choices) => {
          const sale = await sellSeat(entry);
          interleaveRequestsOf(sale.order);
          const run = await runSchedule<Operation>(
            sale.operations as unknown as Record<Operation, () => Promise<unknown>>,
            choices,
          );
          await expectOneWinner(entry, sale.order, run);
        },
      ),
      { numRuns: runs },
    );
  });

  it('leave inventory, ledger and admission counts consistent', async () => {
    expect(await findInventoryDifferences()).toEqual([]);
    expect(await findLedgerDifferences()).toEqual([]);
    for (const entry of entryTypes) {
      expect(await readAdmissionCount(events[entry].eventId)).toBe(admittedCounts[entry]);
    }
  });
});
