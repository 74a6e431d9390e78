import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { transferGatewayNames } from '../../../shared/payments/gateway.ts';
import { listBanksOf } from '../../../shared/payments/transfer-gateways.ts';
import { type Sandbox, startPaymentSandbox } from '../../support/sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startPaymentSandbox();
});
afterEach(() => sandbox.control('faults', {}, 'DELETE'));
afterAll(() => sandbox.stop());

const providerFailed = expect.objectContaining({ kind: 'provider-failed' });

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
