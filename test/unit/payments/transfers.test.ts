import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { currencies } from '../../../shared/core/money.ts';
import { type GatewayName, transferGatewayNames } from '../../../shared/core/schemas.ts';
import type { Transfer, TransferGateway, WebhookReader } from '../../../shared/payments/gateway.ts';
import { readGatewayAWebhook, transferGatewayA } from '../../../shared/payments/gateway-a.ts';
import { readGatewayBWebhook, transferGatewayB } from '../../../shared/payments/gateway-b.ts';
import { listBanksOf } from '../../../shared/payments/transfer-gateways.ts';
import { eventually } from '../../support/eventually.ts';
import { type Sandbox, startPaymentSandbox } from '../../support/sandbox.ts';

/** Tests that apply to every gateway that sends transfers, over HTTP against the sandbox. */

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startPaymentSandbox();
});
afterEach(() => sandbox.control('faults', {}, 'DELETE'));
afterAll(() => sandbox.stop());

const subjects: [GatewayName, TransferGateway, WebhookReader][] = [
  ['gateway-a', transferGatewayA, readGatewayAWebhook],
  ['gateway-b', transferGatewayB, readGatewayBWebhook],
];

let count = 0;
const createTransfer = (): Transfer => ({
  reference: `payout-${++count}`,
  amount: 60_50n,
  currency: 'NGN',
  destination: { accountNumber: '0123456789', bankCode: '058', accountName: 'Olu Adeyemi' },
});

const providerFailed = expect.objectContaining({ kind: 'provider-failed' });

/** Returns the provider's transfers with this reference. */
const listTransfers = async (reference: string) =>
  (await sandbox.control<{ reference: string }[]>('transfers', {}, 'GET')).filter(
    (transfer) => transfer.reference === reference,
  );

describe('the transfer status of gateway-a', () => {
  const findWithStatus = async (action: 'fail' | 'wait', status: string) => {
    await sandbox.control('faults', { holdTransfers: true });
    const transfer = createTransfer();
    const { reference } = transfer;
    await transferGatewayA.transfer(transfer);
    await sandbox.control(`transfers/${reference}/${action}`, { providerStatus: status, repeat: 0 });
    return transferGatewayA.findTransfer(reference);
  };

  it.each(['failed', 'reversed', 'abandoned', 'blocked', 'rejected'])('%s means failed', async (status) => {
    expect(await findWithStatus('fail', status)).toMatchObject({ kind: 'transfer-failed' });
  });

  it.each(['pending', 'otp', 'received'])('%s means under way', async (status) => {
    expect(await findWithStatus('wait', status)).toBe('under-way');
  });
});

describe.each(subjects)('%s', (name, gateway, read) => {
  const waitForEnd = (reference: string) =>
    eventually('the transfer ends', async () => {
      const found = await gateway.findTransfer(reference);
      return typeof found === 'object' && found;
    });

  /** Waits for a webhook about a transfer and reads its signal. */
  const waitForSignal = (reference: string) =>
    eventually('the webhook is delivered', async () => {
      const webhook = sandbox.webhooks.findLast(
        ({ path, body }) => path.endsWith(`/${name}`) && body.includes(`"${reference}"`),
      );
      return webhook && (await read(webhook.body, (header) => webhook.headers[header]?.toString()));
    });

  it('sends the amount in the provider’s unit', async () => {
    const transfer = createTransfer();
    await gateway.transfer(transfer);
    const { reference } = transfer;
    const sent = await sandbox.control(`transfers/${reference}`, {}, 'GET');
    expect(sent).toMatchObject({ amount: name === 'gateway-a' ? 60_50 : 60.5, currency: 'NGN' });
    const success = { kind: 'transfer-succeeded', reference, transactionId: String(sent.id) };
    expect(await waitForEnd(reference)).toEqual(success);
    expect(await waitForSignal(reference)).toEqual(success);
  });

  it('reports a failed transfer', async () => {
    await sandbox.control('faults', { failTransfers: 1 });
    const transfer = createTransfer();
    await gateway.transfer(transfer);
    expect(await waitForEnd(transfer.reference)).toMatchObject({ kind: 'transfer-failed' });
    expect(await waitForSignal(transfer.reference)).toMatchObject({ kind: 'transfer-failed' });
  });

  it('finds a transfer that is under way, and none for an unknown reference', async () => {
    await sandbox.control('faults', { holdTransfers: true });
    const transfer = createTransfer();
    await gateway.transfer(transfer);
    expect(await gateway.findTransfer(transfer.reference)).toBe('under-way');
    expect(await gateway.findTransfer('unknown-reference')).toBe('unknown');
  });

  it('makes one transfer for a reference that is requested several times', async () => {
    const transfer = createTransfer();
    await Promise.all([gateway.transfer(transfer), gateway.transfer(transfer)]);
    await waitForEnd(transfer.reference);
    await gateway.transfer(transfer);
    expect(await listTransfers(transfer.reference)).toHaveLength(1);
  });

  it('makes no second transfer for a reference whose transfer failed', async () => {
    await sandbox.control('faults', { failTransfers: 1 });
    const transfer = createTransfer();
    await gateway.transfer(transfer);
    await waitForEnd(transfer.reference);
    await gateway.transfer(transfer);
    expect(await gateway.findTransfer(transfer.reference)).toMatchObject({ kind: 'transfer-failed' });
    expect(await listTransfers(transfer.reference)).toHaveLength(1);
  });

  it.each(['error', 'lose'])(
    'fails on a fault of the provider, and succeeds when repeated: %s',
    async (mode) => {
      // With gateway-a, the faults affect the request for the recipient and `findTransfer`.
      await sandbox.control('faults', { gateway: name, mode, times: name === 'gateway-a' ? 2 : 1 });
      const transfer = createTransfer();
      await expect(gateway.transfer(transfer)).rejects.toEqual(providerFailed);
      if (name === 'gateway-a')
        await expect(gateway.findTransfer(transfer.reference)).rejects.toEqual(providerFailed);
      await gateway.transfer(transfer);
      expect(await waitForEnd(transfer.reference)).toMatchObject({ kind: 'transfer-succeeded' });
      expect(await listTransfers(transfer.reference)).toHaveLength(1);
    },
  );

  it('finds a transfer whose answer was lost, and makes no second one when repeated', async () => {
    const route = name === 'gateway-a' ? 'POST /transfer' : 'POST /transfers';
    await sandbox.control('faults', { gateway: name, mode: 'lose', route, holdTransfers: true });
    const transfer = createTransfer();
    const { reference } = transfer;
    await expect(gateway.transfer(transfer)).rejects.toEqual(providerFailed);
    expect(await gateway.findTransfer(reference)).toBe('under-way');
    await gateway.transfer(transfer);
    await sandbox.control(`transfers/${reference}/succeed`);
    await gateway.transfer(transfer);
    expect(await waitForEnd(reference)).toMatchObject({ kind: 'transfer-succeeded', reference });
    expect(await listTransfers(reference)).toHaveLength(1);
  });

  it('supports naira, and no cryptocurrencies', () => {
    const supported = currencies.filter((currency) => gateway.supports(currency));
    expect(supported).toContain('NGN');
    for (const coin of ['ETH', 'POL', 'USDC', 'USDT'] as const) expect(supported).not.toContain(coin);
  });
});

describe.each(transferGatewayNames)('%s', (name) => {
  const listBanks = listBanksOf[name];

  it('lists all banks of a currency, from all pages', async () => {
    const banks = await listBanks('NGN', 'NG');
    expect(banks).toContainEqual({ name: 'Guaranty Trust Bank', code: '058' });
    expect(banks.length).toBeGreaterThan(100);
    expect(new Set(banks.map(({ code }) => code)).size).toBe(banks.length);
  });

  it.each(['error', 'lose'])('fails to list banks after a fault of the provider: %s', async (mode) => {
    await sandbox.control('faults', { gateway: name, mode });
    await expect(listBanks('NGN', 'NG')).rejects.toEqual(providerFailed);
  });
});

describe('gateway-a', () => {
  it('fails to list banks when the provider refuses', async () => {
    await sandbox.control('faults', { gateway: 'gateway-a', mode: 'refuse' });
    await expect(listBanksOf['gateway-a']('NGN', 'NG')).rejects.toEqual(providerFailed);
  });

  it('omits mobile money, which needs another type of recipient', async () => {
    expect(await listBanksOf['gateway-a']('GHS', 'GH')).toEqual([
      { name: 'Access Bank', code: '280100' },
      { name: 'GCB Bank Limited', code: '040100' },
    ]);
  });
});

describe('gateway-b', () => {
  it('lists no banks when the provider refuses, since it refuses a country that it does not serve', async () => {
    await sandbox.control('faults', { gateway: 'gateway-b', mode: 'refuse' });
    expect(await listBanksOf['gateway-b']('NGN', 'NG')).toEqual([]);
  });
});
