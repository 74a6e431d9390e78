import { beforeAll, describe, expect, it } from 'vitest';
import { call } from '../support/http.ts';
import { type Person, registerUser } from '../support/people.ts';
import { buyTickets, notificationsOf, openSale, readOrder, type Sale } from '../support/sales.ts';
import { sharedStack } from '../support/stack.ts';
import { checkIn, mintedOrder, ownersOf, type TicketView, ticketsOf } from '../support/tickets.ts';
import { newAccount } from '../support/wallet.ts';

let buyer: Person;
let sale: Sale;
let orderId: string;
let before: TicketView[];
let wallet: string;

const reissue = ({ token }: Partial<Person>, id: string, walletAddress: string) =>
  call('POST', `/api/orders/${id}/reissue`, { token, body: { walletAddress } });
const codeOf = (answer: Awaited<ReturnType<typeof call>>) => [
  answer.status,
  answer.headers.get('x-error-code'),
];
const statusOf = async ({ chainId, contractAddress, tokenId }: TicketView) => {
  const { body } = await call('GET', `/api/tokens/${chainId}/${contractAddress}/${tokenId}`);
  return body.attributes.find((one: { trait_type: string }) => one.trait_type === 'Status').value;
};
const inOrder = (tickets: TicketView[]) => tickets.toSorted((a, b) => a.id.localeCompare(b.id));

beforeAll(async () => {
  const { address } = await newAccount(sharedStack());
  [buyer, sale] = await Promise.all([
    registerUser({ walletAddress: address }),
    openSale({ hasContract: true }),
  ]);
  ({ orderId } = await buyTickets(sale, buyer, 2));
  await mintedOrder(buyer, orderId);
  before = inOrder(await ticketsOf(buyer, orderId));
  ({ address: wallet } = await newAccount(sharedStack()));
});

describe('a reissue by the buyer', () => {
  it('mints the tickets again to the other wallet', async () => {
    const answer = await reissue(buyer, orderId, wallet.toLowerCase());
    expect(answer.status).toBe(200);
    expect(answer.body.order.fulfilment.status).toBe('reissuing');
    const order = await mintedOrder(buyer, orderId);
    expect(order.reissue).toMatchObject({ walletAddress: wallet });
    const after = inOrder(await ticketsOf(buyer, orderId));
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(await ownersOf(after)).toEqual([wallet, wallet]);
    expect(after.map(({ owner }) => owner)).toEqual([wallet, wallet]);
    await expect(ownersOf(before)).rejects.toThrow();
  });

  it('is announced by a notification', async () => {
    const [newest] = await notificationsOf(buyer);
    expect(newest).toMatchObject({ title: 'Tickets move to another wallet', orderId });
  });

  it('leaves metadata for the tokens before and after', async () => {
    const [after] = inOrder(await ticketsOf(buyer, orderId));
    expect(await statusOf(before[0] as TicketView)).toBe('Replaced, not valid for entry');
    expect(await statusOf(after as TicketView)).toBe('Valid');
  });

  it('keeps the check-in codes, and is refused afterwards', async () => {
    expect(codeOf(await reissue(buyer, orderId, before[0]?.owner ?? ''))).toEqual([409, 'already-reissued']);
    const admitted = await checkIn(before[0]?.checkInCode, sale.organizer);
    expect(admitted.status).toBe(200);
    expect(codeOf(await reissue(buyer, orderId, before[0]?.owner ?? ''))).toEqual([409, 'admitted']);
  });

  it('is recorded for the organizer', async () => {
    const { body } = await call('GET', `/api/events/${sale.event.id}/audit`, { token: sale.organizer.token });
    const recorded = body.entries.map(({ action }: { action: string }) => action);
    expect(recorded).toContain('tickets-reissued');
  });
});

describe('a reissue is refused', () => {
  it('to the wallet that has the tickets, to no wallet, and to strangers', async () => {
    const stranger = await registerUser();
    expect(codeOf(await reissue(sale.organizer, orderId, wallet))).toEqual([409, 'same-wallet']);
    expect((await reissue(sale.organizer, orderId, `0x${'0'.repeat(40)}`)).status).toBe(400);
    expect(codeOf(await reissue(stranger, orderId, wallet))).toEqual([404, 'order-not-found']);
    expect((await reissue({}, orderId, wallet)).status).toBe(401);
  });

  it('for an order that is not paid, and one without tokens', async () => {
    const free = await openSale();
    const { orderId: unminted } = await buyTickets(free, buyer, 1);
    expect(codeOf(await reissue(buyer, unminted, wallet))).toEqual([409, 'nothing-to-reissue']);
    expect((await readOrder(buyer, unminted)).fulfilment.status).toBe('not-needed');
  });

  it('after a refund', async () => {
    const { orderId: refunded } = await buyTickets(sale, buyer, 1);
    await mintedOrder(buyer, refunded);
    await call('POST', `/api/orders/${refunded}/refund`, { token: sale.organizer.token });
    expect(codeOf(await reissue(sale.organizer, refunded, wallet))).toEqual([409, 'refunded']);
  });
});
