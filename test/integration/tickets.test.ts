import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../shared/core/ids.ts';
import { write } from '../../shared/dynamo/write.ts';
import { insertTicket, TicketExists } from '../../shared/tickets/store.ts';
import { type Ticket, ticketId } from '../../shared/tickets/ticket.ts';
import { call } from '../support/http.ts';
import { type Person, registerUser } from '../support/people.ts';
import { useTableOf } from '../support/table.ts';

const wallet = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const concert = newId();
const play = newId();

let buyer: Person;
let older: Ticket[];
let newer: Ticket[];
beforeAll(async () => {
  useTableOf();
  buyer = await registerUser({ walletAddress: wallet });
  older = await mint(buyer, newId(Date.now() - 60_000), concert, 3);
  newer = await mint(buyer, newId(), play, 2);
});

/** Writes tickets of one order as the mint worker does, in the sequence of their numbers. */
async function mint({ user }: Person, orderId: string, eventId: string, quantity: number): Promise<Ticket[]> {
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

const list = (token: string, query = '') => call('GET', `/api/tickets${query}`, { token });
/** These tickets have no order, so they can't be checked in. */
const none = { burnedAt: null, checkInCode: null, checkInCodeExpiresAt: null, qr: null, checkedInAt: null };
const shown = (tickets: Ticket[]) => tickets.map(({ userId, ...ticket }) => ({ ...ticket, ...none }));
const idsOf = (tickets: Ticket[]) => tickets.map(({ id }) => id);
const backwards = <T>(list: T[]) => [...list].reverse();

describe('tickets', () => {
  it('are listed newest first, without the user’s id', async () => {
    const answer = await list(buyer.token);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      tickets: shown([...backwards(newer), ...backwards(older)]),
      nextCursor: null,
    });
  });

  it('are listed page by page', async () => {
    const seen: string[] = [];
    for (let cursor = ''; cursor !== 'null'; ) {
      const { body } = await list(buyer.token, `?limit=2${cursor && `&cursor=${cursor}`}`);
      expect(body.tickets.length).toBeLessThanOrEqual(2);
      seen.push(...idsOf(body.tickets));
      cursor = String(body.nextCursor);
    }
    expect(seen).toEqual(idsOf([...backwards(newer), ...backwards(older)]));
  });

  it('are filtered by order, by event and by both', async () => {
    const [orderId, otherOrderId] = [older[0]?.orderId, newer[0]?.orderId];
    const ids = async (query: string) => idsOf((await list(buyer.token, query)).body.tickets);
    expect(await ids(`?orderId=${orderId}`)).toEqual(idsOf(backwards(older)));
    expect(await ids(`?eventId=${play}`)).toEqual(idsOf(backwards(newer)));
    expect(await ids(`?orderId=${orderId}&eventId=${concert}`)).toEqual(idsOf(backwards(older)));
    expect(await ids(`?orderId=${otherOrderId}&eventId=${concert}`)).toEqual([]);
    // Part of an order's id is not the order.
    expect(await ids(`?orderId=${orderId?.slice(0, -1)}`)).toEqual([]);
  });

  it('of one event are listed page by page among those of others', async () => {
    const first = await list(buyer.token, `?eventId=${concert}&limit=2`);
    expect(idsOf(first.body.tickets)).toEqual(idsOf(backwards(older)).slice(0, 2));
    const second = await list(buyer.token, `?eventId=${concert}&limit=2&cursor=${first.body.nextCursor}`);
    expect(idsOf(second.body.tickets)).toEqual([older[0]?.id]);
    expect(second.body.nextCursor).toBeNull();
  });

  it('of other users are not listed', async () => {
    const stranger = await registerUser();
    expect((await list(stranger.token)).body.tickets).toEqual([]);
    expect((await list(stranger.token, `?orderId=${older[0]?.orderId}`)).body.tickets).toEqual([]);
  });

  it.each(['orderId=', 'eventId=', `orderId=${'a'.repeat(65)}`])('are not filtered by %s', async (query) => {
    expect((await list(buyer.token, `?${query}`)).status).toBe(400);
  });
});

describe('storing a ticket again', () => {
  it('throws TicketExists and changes nothing', async () => {
    const [ticket] = older as [Ticket];
    await expect(write(insertTicket({ ...ticket, owner: 'another' }))).rejects.toBeInstanceOf(TicketExists);
    const { body } = await list(buyer.token, `?orderId=${ticket.orderId}`);
    expect(body.tickets).toEqual(shown(backwards(older)));
  });

  it('with another token throws another error', async () => {
    const [ticket] = older as [Ticket];
    const attempt = write(insertTicket({ ...ticket, tokenId: '7' }));
    await expect(attempt).rejects.toThrow('not 7');
    await expect(attempt).rejects.not.toBeInstanceOf(TicketExists);
  });
});
