import { beforeAll, describe, expect, it } from 'vitest';
import { createFundedAccount, readOwners } from '../support/chain.ts';
import {
  buyTickets,
  checkIn,
  listTickets,
  openSale,
  type Person,
  readNotifications,
  readOrder,
  registerUser,
  requestRefund,
  type Sale,
  type TicketView,
  waitForMintedOrder,
} from '../support/fixtures.ts';
import { call, errorOf } from '../support/http.ts';
import { awaitMail } from '../support/mailbox.ts';
import { sharedStack } from '../support/stack.ts';

let buyer: Person;
let sale: Sale;
let orderId: string;
let oldTickets: TicketView[];
let wallet: string;

const reissue = ({ token }: Partial<Person>, id: string, walletAddress: string) =>
  call('POST', `/api/orders/${id}/reissue`, { token, body: { walletAddress } });
const readTokenStatus = async ({ chainId, contractAddress, tokenId }: TicketView) => {
  const { body } = await call('GET', `/api/tokens/${chainId}/${contractAddress}/${tokenId}`);
  return body.attributes.find((attribute: { trait_type: string }) => attribute.trait_type === 'Status').value;
};
const sortById = (tickets: TicketView[]) => tickets.toSorted((a, b) => a.id.localeCompare(b.id));

beforeAll(async () => {
  const { address } = await createFundedAccount(sharedStack());
  [buyer, sale] = await Promise.all([
    registerUser({ walletAddress: address }),
    openSale({ hasContract: true }),
  ]);
  ({ orderId } = await buyTickets(sale, buyer, 2));
  await waitForMintedOrder(buyer, orderId);
  oldTickets = sortById(await listTickets(buyer, orderId));
  ({ address: wallet } = await createFundedAccount(sharedStack()));
});

describe('a reissue by the buyer', () => {
  it('mints new tokens to the other wallet, and burns the old ones', async () => {
    const answer = await reissue(buyer, orderId, wallet.toLowerCase());
    expect(answer.status).toBe(200);
    expect(answer.body.order.fulfilment.status).toBe('reissuing');
    const order = await waitForMintedOrder(buyer, orderId);
    expect(order.reissue).toMatchObject({ walletAddress: wallet });
    const newTickets = sortById(await listTickets(buyer, orderId));
    expect(newTickets.map(({ id }) => id)).toEqual(oldTickets.map(({ id }) => id));
    expect(await readOwners(newTickets)).toEqual([wallet, wallet]);
    expect(newTickets.map(({ owner }) => owner)).toEqual([wallet, wallet]);
    await expect(readOwners(oldTickets)).rejects.toThrow();
  });

  it('sends the buyer a notification and a mail, since somebody else may have requested it', async () => {
    const [newest] = await readNotifications(buyer);
    expect(newest).toMatchObject({ title: 'Tickets move to another wallet', orderId });
    await awaitMail(buyer.user.email, 'Your tickets are minted to another wallet');
  });

  it('shows the old token as replaced, and the new one as valid', async () => {
    const [newTicket] = sortById(await listTickets(buyer, orderId));
    expect(await readTokenStatus(oldTickets[0] as TicketView)).toBe('Replaced, not valid for entry');
    expect(await readTokenStatus(newTicket as TicketView)).toBe('Valid');
  });

  it('does not change the check-in codes, and is refused a second time and after an admission', async () => {
    expect(errorOf(await reissue(buyer, orderId, oldTickets[0]?.owner ?? ''))).toEqual([
      409,
      'already-reissued',
    ]);
    const scan = await checkIn(oldTickets[0]?.checkInCode, sale.organizer);
    expect(scan.status).toBe(200);
    expect(errorOf(await reissue(buyer, orderId, oldTickets[0]?.owner ?? ''))).toEqual([409, 'admitted']);
  });

  it('is recorded in the audit trail of the event', async () => {
    const { body } = await sale.organizer.get(`/api/events/${sale.event.id}/audit`);
    const actions = body.entries.map(({ action }: { action: string }) => action);
    expect(actions).toContain('tickets-reissued');
  });
});

describe('a reissue', () => {
  it('is accepted once an admission was undone', async () => {
    const { orderId: undoneId } = await buyTickets(sale, buyer, 1);
    await waitForMintedOrder(buyer, undoneId);
    const [{ checkInCode }] = (await readOrder(buyer, undoneId)).admissions;
    expect((await checkIn(checkInCode, sale.organizer)).status).toBe(200);
    const undone = await sale.organizer.delete(`/api/orders/${undoneId}/seats/1/admission`);
    expect(undone.status).toBe(200);
    expect((await reissue(buyer, undoneId, wallet)).status).toBe(200);
  });

  it('is refused to the same wallet, to the zero address, and for other users', async () => {
    const stranger = await registerUser();
    expect(errorOf(await reissue(sale.organizer, orderId, wallet))).toEqual([409, 'same-wallet']);
    expect((await reissue(sale.organizer, orderId, `0x${'0'.repeat(40)}`)).status).toBe(400);
    expect(errorOf(await reissue(stranger, orderId, wallet))).toEqual([404, 'order-not-found']);
    expect((await reissue({}, orderId, wallet)).status).toBe(401);
  });

  it('is refused for an order without tokens', async () => {
    const saleWithoutContract = await openSale();
    const { orderId: unmintedOrderId } = await buyTickets(saleWithoutContract, buyer, 1);
    expect(errorOf(await reissue(buyer, unmintedOrderId, wallet))).toEqual([409, 'nothing-to-reissue']);
    expect((await readOrder(buyer, unmintedOrderId)).fulfilment.status).toBe('not-needed');
  });

  it('is refused after a refund', async () => {
    const { orderId: refundedOrderId } = await buyTickets(sale, buyer, 1);
    await waitForMintedOrder(buyer, refundedOrderId);
    await requestRefund(refundedOrderId, sale.organizer);
    expect(errorOf(await reissue(sale.organizer, refundedOrderId, wallet))).toEqual([409, 'refunded']);
  });
});
