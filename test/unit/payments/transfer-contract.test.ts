import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { currencies } from '../../../shared/core/money.ts';
import type { GatewayName, Transfer, TransferGateway } from '../../../shared/payments/gateway.ts';
import { transferGatewayA } from '../../../shared/payments/gateway-a/gateway.ts';
import { readGatewayAWebhook } from '../../../shared/payments/gateway-a/webhook.ts';
import { transferGatewayB } from '../../../shared/payments/gateway-b/gateway.ts';
import { readGatewayBWebhook } from '../../../shared/payments/gateway-b/webhook.ts';
import type { WebhookReader } from '../../../shared/payments/webhook.ts';
import { eventually } from '../../support/eventually.ts';
import { type Sandbox, startSandboxAlone } from '../../support/sandbox.ts';

/** The contract of every gateway that sends transfers, tested over HTTP against the sandbox. */

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandboxAlone();
});
afterEach(() => sandbox.control('faults', {}, 'DELETE'));
afterAll(() => sandbox.stop());

const subjects: [GatewayName, TransferGateway, WebhookReader][] = [
  ['gateway-a', transferGatewayA, readGatewayAWebhook],
  ['gateway-b', transferGatewayB, readGatewayBWebhook],
];

let count = 0;
const transfer = (): Transfer => ({
  reference: `payout-${++count}`,
  amount: 60_50n,
  currency: 'NGN',
  destination: { accountNumber: '0123456789', bankCode: '058', accountName: 'Olu Adeyemi' },
});

const failed = expect.objectContaining({ kind: 'provider-failed' });

/** The provider's transfers of a reference. */
const sent = async (reference: string) =>
  (await sandbox.control<{ reference: string }[]>('transfers', {}, 'GET')).filter(
    (one) => one.reference === reference,
  );

describe('gateway-a, by the words of its documentation', () => {
  const named = async (how: 'fail' | 'wait', word: string) => {
    await sandbox.control('faults', { holdTransfers: true });
    const { reference, ...ordered } = transfer();
    await transferGatewayA.transfer({ reference, ...ordered });
    await sandbox.control(`transfers/${reference}/${how}`, { word, repeat: 0 });
    return transferGatewayA.findTransfer(reference);
  };

  it.each(['failed', 'reversed', 'abandoned', 'blocked', 'rejected'])('%s is final', async (word) => {
    expect(await named('fail', word)).toMatchObject({ kind: 'transfer-failed' });
  });

  it.each(['pending', 'otp', 'received'])('%s is under way', async (word) => {
    expect(await named('wait', word)).toBe('under-way');
  });
});

describe.each(subjects)('%s', (name, gateway, read) => {
  const ended = (reference: string) =>
    eventually('the transfer ends', async () => {
      const found = await gateway.findTransfer(reference);
      return typeof found === 'object' && found;
    });

  /** The signal read from the newest webhook about a transfer, once it is delivered. */
  const reported = (reference: string) =>
    eventually('the webhook is delivered', async () => {
      const about = sandbox.webhooks.findLast(
        ({ path, body }) => path.endsWith(`/${name}`) && body.includes(`"${reference}"`),
      );
      return about && (await read(about.body, (header) => about.headers[header]?.toString()));
    });

  it('sends the amount in the provider’s unit', async () => {
    const ordered = transfer();
    await gateway.transfer(ordered);
    const { reference } = ordered;
    const sent = await sandbox.control(`transfers/${reference}`, {}, 'GET');
    expect(sent).toMatchObject({ amount: name === 'gateway-a' ? 60_50 : 60.5, currency: 'NGN' });
    const success = { kind: 'transfer-succeeded', reference, transactionId: String(sent.id) };
    expect(await ended(reference)).toEqual(success);
    expect(await reported(reference)).toEqual(success);
  });

  it('reports a failed transfer', async () => {
    await sandbox.control('faults', { failTransfers: 1 });
    const ordered = transfer();
    await gateway.transfer(ordered);
    expect(await ended(ordered.reference)).toMatchObject({ kind: 'transfer-failed' });
    expect(await reported(ordered.reference)).toMatchObject({ kind: 'transfer-failed' });
  });

  it('finds transfers under way, and none for an unknown reference', async () => {
    await sandbox.control('faults', { holdTransfers: true });
    const ordered = transfer();
    await gateway.transfer(ordered);
    expect(await gateway.findTransfer(ordered.reference)).toBe('under-way');
    expect(await gateway.findTransfer('never ordered')).toBe('unknown');
  });

  it('sends a reference once, however often it is requested', async () => {
    const ordered = transfer();
    await Promise.all([gateway.transfer(ordered), gateway.transfer(ordered)]);
    await ended(ordered.reference);
    await gateway.transfer(ordered);
    expect(await sent(ordered.reference)).toHaveLength(1);
  });

  it('does not execute a reference again whose transfer failed', async () => {
    await sandbox.control('faults', { failTransfers: 1 });
    const ordered = transfer();
    await gateway.transfer(ordered);
    await ended(ordered.reference);
    await gateway.transfer(ordered);
    expect(await gateway.findTransfer(ordered.reference)).toMatchObject({ kind: 'transfer-failed' });
    expect(await sent(ordered.reference)).toHaveLength(1);
  });

  it.each(['error', 'lose'])('fails when the provider does, and can be tried again: %s', async (mode) => {
    await sandbox.control('faults', { gateway: name, mode, times: name === 'gateway-a' ? 2 : 1 });
    const ordered = transfer();
    await expect(gateway.transfer(ordered)).rejects.toEqual(failed);
    if (name === 'gateway-a') await expect(gateway.findTransfer(ordered.reference)).rejects.toEqual(failed);
    await gateway.transfer(ordered);
    expect(await ended(ordered.reference)).toMatchObject({ kind: 'transfer-succeeded' });
    expect(await sent(ordered.reference)).toHaveLength(1);
  });

  it('sends naira, and no cryptocurrencies', () => {
    const sent = currencies.filter((currency) => gateway.supports(currency));
    expect(sent).toContain('NGN');
    for (const coin of ['ETH', 'POL', 'USDC', 'USDT'] as const) expect(sent).not.toContain(coin);
  });
});
