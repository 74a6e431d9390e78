import { createPublicClient, erc721Abi, http, parseAbi } from 'viem';
import { beforeAll, describe, expect, it } from 'vitest';
import { createFundedAccount } from '../support/chain.ts';
import {
  buyTickets,
  listTickets,
  openSale,
  type Person,
  registerUser,
  type Sale,
  type TicketView,
  waitForMintedOrder,
} from '../support/fixtures.ts';
import { call } from '../support/http.ts';
import { svgOf } from '../support/images.ts';
import { sharedStack } from '../support/stack.ts';

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
const ticketAt = (index: number) => tickets.toSorted((a, b) => a.id.localeCompare(b.id))[index] as TicketView;
const traitOf = (body: { attributes: { trait_type: string; value: unknown }[] }, name: string) =>
  body.attributes.find(({ trait_type }) => trait_type === name)?.value;
const changeEvent = (body: object) =>
  call('PUT', `/api/events/${sale.event.id}`, { token: sale.organizer.token, body });

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
    const personalData = [buyer.user.name, buyer.user.email, buyer.user.id, orderId, ticketAt(1).checkInCode];
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
    await changeEvent({ title: 'Renamed', imageUrl: 'https://example.com/new.png' });
    const renamedMetadata = (await call('GET', pathOf(ticketAt(0)))).body;
    expect(renamedMetadata).toMatchObject({
      name: 'Renamed – Standing (1 of 2)',
      image: 'https://example.com/new.png',
    });
    await changeEvent({ status: 'DRAFT' });
    const draftAnswer = await call('GET', pathOf(ticketAt(0)));
    expect(draftAnswer.status).toBe(200);
    expect(JSON.stringify(draftAnswer.body)).not.toContain('Renamed');
    expect(traitOf(draftAnswer.body, 'Status')).toBe('Valid');
    await changeEvent({ status: 'PUBLISHED' });
  });

  it('redirects to the metadata URI of the event until the ticket is refunded', async () => {
    const fetchMetadata = () => fetch(sharedStack().apiUrl + pathOf(ticketAt(0)), { redirect: 'manual' });
    await changeEvent({ metadataUri: 'https://example.com/own.json' });
    const redirect = await fetchMetadata();
    expect([redirect.status, redirect.headers.get('location')]).toEqual([
      307,
      'https://example.com/own.json',
    ]);
    await changeEvent({ metadataUri: 'ipfs://bafyexample/1.json' });
    expect((await fetchMetadata()).headers.get('location')).toBe('https://ipfs.io/ipfs/bafyexample/1.json');
    const refund = await call('POST', `/api/orders/${orderId}/refund`, { token: sale.organizer.token });
    expect(refund.status).toBe(200);
    const { status, body } = await call('GET', pathOf(ticketAt(0)));
    expect([status, traitOf(body, 'Status')]).toEqual([200, 'Refunded, not valid for entry']);
  });
});
