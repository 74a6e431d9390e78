import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../shared/core/ids.ts';
import { write } from '../../shared/dynamo/write.ts';
import { insertTicket, TicketExists } from '../../shared/tickets/store.ts';
import { type Ticket, ticketId } from '../../shared/tickets/ticket.ts';
import { type Person, registerUser } from '../support/fixtures.ts';
import { call } from '../support/http.ts';
import { connectToTable } from '../support/stack.ts';

const wallet = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const concertId = newId();
const playId = newId();

let buyer: Person;
let olderTickets: Ticket[];
let newerTickets: Ticket[];
beforeAll(async () => {
  connectToTable();
  buyer = await registerUser({ walletAddress: wallet });
  olderTickets = await insertTickets(buyer, newId(Date.now() - 60_000), concertId, 3);
  newerTickets = await insertTickets(buyer, newId(), playId, 2);
});

/** Writes the tickets of an order as the mint worker does. */
async function insertTickets(
  { user }: Person,
  orderId: string,
  eventId: string,
  quantity: number,
): Promise<Ticket[]> {
  const tickets = Array.from({ length: quantity }, (_, index) => ({
    id: ticketId(orderId, index + 1),
    tokenId: `${2n ** 200n + BigInt(index)}`,
    contractAddress: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    chainId: 137,
    txHash: `0x${'ab'.repeat(32)}`,
    eventId,
    orderId,
    owner: wallet,
    userId: user.id,
    createdAt: new Date().toISOString(),
  }));
  await Promise.all(tickets.map((ticket) => write(insertTicket(ticket))));
  return tickets;
}

const listTickets = (token: string, query = '') => call('GET', `/api/tickets${query}`, { token });
/** These tickets have no order, so they can't be checked in. */
const noCheckIn = {
  burnedAt: null,
  checkInCode: null,
  checkInCodeExpiresAt: null,
  qr: null,
  checkedInAt: null,
};
const toViews = (tickets: Ticket[]) => tickets.map(({ userId, ...ticket }) => ({ ...ticket, ...noCheckIn }));
const idsOf = (tickets: Ticket[]) => tickets.map(({ id }) => id);

describe('tickets', () => {
  it('are listed newest first, without the user’s id', async () => {
    const answer = await listTickets(buyer.token);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      tickets: toViews([...newerTickets.toReversed(), ...olderTickets.toReversed()]),
      nextCursor: null,
    });
  });

  it('are listed page by page', async () => {
    const ids: string[] = [];
    for (let cursor = ''; cursor !== 'null'; ) {
      const { body } = await listTickets(buyer.token, `?limit=2${cursor && `&cursor=${cursor}`}`);
      expect(body.tickets.length).toBeLessThanOrEqual(2);
      ids.push(...idsOf(body.tickets));
      cursor = String(body.nextCursor);
    }
    expect(ids).toEqual(idsOf([...newerTickets.toReversed(), ...olderTickets.toReversed()]));
  });

  it('are filtered by order, by event and by both', async () => {
    const [orderId, otherOrderId] = [olderTickets[0]?.orderId, newerTickets[0]?.orderId];
    const listIds = async (query: string) => idsOf((await listTickets(buyer.token, query)).body.tickets);
    expect(await listIds(`?orderId=${orderId}`)).toEqual(idsOf(olderTickets.toReversed()));
    expect(await listIds(`?eventId=${playId}`)).toEqual(idsOf(newerTickets.toReversed()));
    expect(await listIds(`?orderId=${orderId}&eventId=${concertId}`)).toEqual(
      idsOf(olderTickets.toReversed()),
    );
    expect(await listIds(`?orderId=${otherOrderId}&eventId=${concertId}`)).toEqual([]);
    // The start of an order's id matches no order.
    expect(await listIds(`?orderId=${orderId?.slice(0, -1)}`)).toEqual([]);
  });

  it('of one event are listed page by page', async () => {
    const first = await listTickets(buyer.token, `?eventId=${concertId}&limit=2`);
    expect(idsOf(first.body.tickets)).toEqual(idsOf(olderTickets.toReversed()).slice(0, 2));
    const second = await listTickets(
      buyer.token,
      `?eventId=${concertId}&limit=2&cursor=${first.body.nextCursor}`,
    );
    expect(idsOf(second.body.tickets)).toEqual([olderTickets[0]?.id]);
    expect(second.body.nextCursor).toBeNull();
  });

  it('of other users are not listed', async () => {
    const stranger = await registerUser();
    expect((await listTickets(stranger.token)).body.tickets).toEqual([]);
    expect((await listTickets(stranger.token, `?orderId=${olderTickets[0]?.orderId}`)).body.tickets).toEqual(
      [],
    );
  });

  it.each(['orderId=', 'eventId=', `orderId=${'a'.repeat(65)}`])(
    'are not listed for the invalid filter %s',
    async (query) => {
      expect((await listTickets(buyer.token, `?${query}`)).status).toBe(400);
    },
  );
});

describe('storing a ticket again', () => {
  it('throws TicketExists and changes nothing', async () => {
    const [ticket] = olderTickets as [Ticket];
    await expect(write(insertTicket({ ...ticket, owner: 'another' }))).rejects.toBeInstanceOf(TicketExists);
    const { body } = await listTickets(buyer.token, `?orderId=${ticket.orderId}`);
    expect(body.tickets).toEqual(toViews(olderTickets.toReversed()));
  });

  it('with another token id throws an error other than TicketExists', async () => {
    const [ticket] = olderTickets as [Ticket];
    const attempt = write(insertTicket({ ...ticket, tokenId: '7' }));
    await expect(attempt).rejects.toThrow('not 7');
    await expect(attempt).rejects.not.toBeInstanceOf(TicketExists);
  });
});
