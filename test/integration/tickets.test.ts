import { createPublicClient, erc721Abi, http, parseAbi } from 'viem';
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../shared/core/ids.ts';
import { write } from '../../shared/dynamo/write.ts';
import { insertTicket, TicketExists } from '../../shared/tickets/store.ts';
import { type Ticket, ticketId } from '../../shared/tickets/ticket.ts';
import { createFundedAccount } from '../support/chain.ts';
import {
  buyTickets,
  changeEvent,
  listTickets,
  openSale,
  type Person,
  registerUser,
  requestRefund,
  type Sale,
  type TicketView,
  waitForMintedOrder,
} from '../support/fixtures.ts';
import { call } from '../support/http.ts';
import { svgOf } from '../support/images.ts';
import { connectToTable, sharedStack } from '../support/stack.ts';

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

const requestTickets = (token: string, query = '') => call('GET', `/api/tickets${query}`, { token });
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
    const answer = await requestTickets(buyer.token);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      tickets: toViews([...newerTickets.toReversed(), ...olderTickets.toReversed()]),
      nextCursor: null,
    });
  });

  it('are listed page by page', async () => {
    const ids: string[] = [];
    for (let cursor = ''; cursor !== 'null'; ) {
      const { body } = await requestTickets(buyer.token, `?limit=2${cursor && `&cursor=${cursor}`}`);
      expect(body.tickets.length).toBeLessThanOrEqual(2);
      ids.push(...idsOf(body.tickets));
      cursor = String(body.nextCursor);
    }
    expect(ids).toEqual(idsOf([...newerTickets.toReversed(), ...olderTickets.toReversed()]));
  });

  it('are filtered by order, by event and by both', async () => {
    const [orderId, otherOrderId] = [olderTickets[0]?.orderId, newerTickets[0]?.orderId];
    const listIds = async (query: string) => idsOf((await requestTickets(buyer.token, query)).body.tickets);
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
    const first = await requestTickets(buyer.token, `?eventId=${concertId}&limit=2`);
    expect(idsOf(first.body.tickets)).toEqual(idsOf(olderTickets.toReversed()).slice(0, 2));
    const second = await requestTickets(
      buyer.token,
      `?eventId=${concertId}&limit=2&cursor=${first.body.nextCursor}`,
    );
    expect(idsOf(second.body.tickets)).toEqual([olderTickets[0]?.id]);
    expect(second.body.nextCursor).toBeNull();
  });

  it('of other users are not listed', async () => {
    const stranger = await registerUser();
    expect((await requestTickets(stranger.token)).body.tickets).toEqual([]);
    expect(
      (await requestTickets(stranger.token, `?orderId=${olderTickets[0]?.orderId}`)).body.tickets,
    ).toEqual([]);
  });
});

describe('storing a ticket again', () => {
  it('throws TicketExists and changes nothing', async () => {
    const [ticket] = olderTickets as [Ticket];
    await expect(write(insertTicket({ ...ticket, owner: 'another' }))).rejects.toBeInstanceOf(TicketExists);
    const { body } = await requestTickets(buyer.token, `?orderId=${ticket.orderId}`);
    expect(body.tickets).toEqual(toViews(olderTickets.toReversed()));
  });

  it('with another token id throws an error other than TicketExists', async () => {
    const [ticket] = olderTickets as [Ticket];
    const attempt = write(insertTicket({ ...ticket, tokenId: '7' }));
    await expect(attempt).rejects.toThrow('not 7');
    await expect(attempt).rejects.not.toBeInstanceOf(TicketExists);
  });
});

describe('metadata', () => {
  /** Reads metadata as a wallet does, starting with the contract's URIs. */

  let buyer: Person;
  let sale: Sale;
  let orderId: string;
  let tickets: TicketView[];
  beforeAll(async () => {
    const { address } = await createFundedAccount(sharedStack());
    [buyer, sale] = await Promise.all([
      registerUser({ walletAddress: address, name: 'Ben Buyer' }),
      openSale({ title: 'Jazz <b>&</b> "Blues"', hasContract: true }),
    ]);
    ({ orderId } = await buyTickets(sale, buyer, 2));
    await waitForMintedOrder(buyer, orderId);
    tickets = await listTickets(buyer, orderId);
  });

  const pathOf = ({ chainId, contractAddress, tokenId }: TicketView) =>
    `/api/tokens/${chainId}/${contractAddress}/${tokenId}`;
  const ticketAt = (index: number) =>
    tickets.toSorted((a, b) => a.id.localeCompare(b.id))[index] as TicketView;
  const traitOf = (body: { attributes: { trait_type: string; value: unknown }[] }, name: string) =>
    body.attributes.find(({ trait_type }) => trait_type === name)?.value;

  describe('the metadata of a token', () => {
    it('is served at the URIs of the contract', async () => {
      const { chainRpcUrl, ticketContract } = sharedStack();
      const client = createPublicClient({ transport: http(chainRpcUrl) });
      const contract = { address: ticketContract as `0x${string}`, abi: erc721Abi };
      const tokenId = BigInt(ticketAt(0).tokenId);
      const tokenUri = await client.readContract({ ...contract, functionName: 'tokenURI', args: [tokenId] });
      const abi = parseAbi(['function contractURI() view returns (string)']);
      const contractUri = await client.readContract({ ...contract, abi, functionName: 'contractURI' });
      const item = (await (await fetch(tokenUri)).json()) as { name: string };
      const collection = await (await fetch(contractUri)).json();
      expect(item.name).toBe(`${sale.event.title} – Standing (1 of 2)`);
      const name = await client.readContract({ ...contract, functionName: 'name' });
      // https://docs.opensea.io/docs/contract-level-metadata
      expect(collection).toMatchObject({ name, description: expect.any(String), image: expect.any(String) });
    });

    it('is public and cacheable, and contains no personal data', async () => {
      const answer = await call('GET', pathOf(ticketAt(1)));
      expect(answer.status).toBe(200);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=60');
      expect(traitOf(answer.body, 'Seat')).toBe('2 of 2');
      expect(traitOf(answer.body, 'Status')).toBe('Valid');
      expect(answer.body.external_url).toMatch(new RegExp(`/events/${sale.event.id}$`));
      const text = JSON.stringify(answer.body) + svgOf(answer.body.image);
      const personalData = [
        buyer.user.name,
        buyer.user.email,
        buyer.user.id,
        orderId,
        ticketAt(1).checkInCode,
      ];
      for (const value of personalData) expect(text).not.toContain(value);
    });

    it('escapes the event’s title in its image', async () => {
      const { body } = await call('GET', pathOf(ticketAt(0)));
      expect(svgOf(body.image)).toContain('Jazz &lt;b&gt;&amp;&lt;/b&gt;');
    });

    it('accepts a contract address in upper or lower case, and refuses a wrong checksum', async () => {
      const path = pathOf(ticketAt(0));
      const { contractAddress } = ticketAt(0);
      const withAddress = (address: string) => call('GET', path.replace(contractAddress, address));
      const wrongChecksum = contractAddress.replace(/[a-f]/i, (digit) =>
        digit === digit.toLowerCase() ? digit.toUpperCase() : digit.toLowerCase(),
      );
      expect((await withAddress(contractAddress.toLowerCase())).status).toBe(200);
      expect((await withAddress(`0x${contractAddress.slice(2).toUpperCase()}`)).status).toBe(200);
      expect((await withAddress(wrongChecksum)).status).toBe(400);
    });

    it('is not found for other tokens, contracts and chains', async () => {
      const { chainId, contractAddress, tokenId } = ticketAt(0);
      const paths = [
        `${chainId}/${contractAddress}/${BigInt(tokenId) + 2n}`,
        `${chainId}/${contractAddress}/1`,
        `${chainId}/${contractAddress}/${2n ** 256n - 1n}`,
        `1/${contractAddress}/${tokenId}`,
        `${chainId}/${buyer.user.walletAddress}/${tokenId}`,
      ];
      for (const path of paths) {
        const answer = await call('GET', `/api/tokens/${path}`);
        expect([path, answer.status, answer.headers.get('x-error-code')]).toEqual([
          path,
          404,
          'token-not-found',
        ]);
      }
      expect((await call('GET', `/api/tokens/${chainId}/${buyer.user.walletAddress}`)).status).toBe(404);
    });

    it.each(['0x1f', '01', '-1', '1e3', '9'.repeat(79)])(
      'is refused with 400 for the token id %s',
      async (tokenId) => {
        const { chainId, contractAddress } = ticketAt(0);
        expect((await call('GET', `/api/tokens/${chainId}/${contractAddress}/${tokenId}`)).status).toBe(400);
      },
    );

    it('shows changes of the event, and hides the event while it is a draft', async () => {
      await changeEvent(sale, { title: 'Renamed', imageUrl: 'https://example.com/new.png' });
      const renamedMetadata = (await call('GET', pathOf(ticketAt(0)))).body;
      expect(renamedMetadata).toMatchObject({
        name: 'Renamed – Standing (1 of 2)',
        image: 'https://example.com/new.png',
      });
      await changeEvent(sale, { status: 'DRAFT' });
      const draftAnswer = await call('GET', pathOf(ticketAt(0)));
      expect(draftAnswer.status).toBe(200);
      expect(JSON.stringify(draftAnswer.body)).not.toContain('Renamed');
      expect(traitOf(draftAnswer.body, 'Status')).toBe('Valid');
      await changeEvent(sale, { status: 'PUBLISHED' });
    });

    it('redirects to the metadata URI of the event until the ticket is refunded', async () => {
      const fetchMetadata = () => fetch(sharedStack().apiUrl + pathOf(ticketAt(0)), { redirect: 'manual' });
      await changeEvent(sale, { metadataUri: 'https://example.com/own.json' });
      const redirect = await fetchMetadata();
      expect([redirect.status, redirect.headers.get('location')]).toEqual([
        307,
        'https://example.com/own.json',
      ]);
      await changeEvent(sale, { metadataUri: 'ipfs://bafyexample/1.json' });
      expect((await fetchMetadata()).headers.get('location')).toBe('https://ipfs.io/ipfs/bafyexample/1.json');
      const refund = await requestRefund(orderId, sale.organizer);
      expect(refund.status).toBe(200);
      const { status, body } = await call('GET', pathOf(ticketAt(0)));
      expect([status, traitOf(body, 'Status')]).toEqual([200, 'Refunded, not valid for entry']);
    });
  });
});
