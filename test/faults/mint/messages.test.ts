import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { mintTickets } from '../../../shared/tickets/minting/mint-tickets.ts';
import { Drama } from './drama.ts';

/** Longer than a key may be: the table refuses the read. */
const unreadable = 'x'.repeat(3_000);

let drama: Drama;

// No worker is started: the messages are handled in this process.
beforeAll(async () => {
  drama = await Drama.start();
  vi.stubEnv(`CHAIN_${drama.world.node.chainId}_RPC_URLS`, drama.world.node.url);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await drama?.world.stop();
});

describe('a batch of mint messages', () => {
  it('delivers again only the message that failed', async () => {
    const [first, second] = await drama.buy(2);
    const ids = [first?.id ?? '', second?.id ?? ''];
    const failed = await mintTickets([
      { orderId: ids[0] ?? '' },
      { burnOrderId: unreadable },
      { orderId: ids[1] ?? '' },
      { chainId: drama.world.node.chainId, signer: 'nobody', nonce: 0 },
    ]);
    expect(failed).toEqual([1]);
    const [one, other] = await drama.read(drama.orders);
    expect(one).toMatchObject({ fulfilmentStatus: 'minting' });
    expect(other?.mint).toEqual(one?.mint);
  });

  it('delivers again all messages of a kind whose read failed, and no others', async () => {
    const [order] = await drama.buy(1);
    const reference = { chainId: drama.world.node.chainId, signer: unreadable, nonce: 0 };
    expect(await mintTickets([reference, { orderId: order?.id ?? '' }, reference])).toEqual([0, 2]);
    expect((await drama.read(order ? [order] : []))[0]).toMatchObject({ fulfilmentStatus: 'minting' });
  });

  it('checks the nonce of an order that has one, and records the mint', async () => {
    const before = await drama.read(drama.orders);
    expect(before.every(({ mint }) => mint !== undefined)).toBe(true);
    await expect
      .poll(
        async () => {
          expect(await mintTickets(before.map(({ id }) => ({ orderId: id })))).toEqual([]);
          return (await drama.read(before)).map(({ fulfilmentStatus }) => fulfilmentStatus);
        },
        { timeout: 20_000, interval: 250 },
      )
      .toEqual(['minted', 'minted', 'minted']);
    expect(await drama.audit()).toMatchObject({ minted: 3, tickets: 3, records: 3, overMinted: 0, lost: 0 });
  });
});
