import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { listBanksOf } from '../../../shared/payments/banks.ts';
import { transferGatewayNames } from '../../../shared/payments/gateway.ts';
import { type Sandbox, startSandboxAlone } from '../../support/sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandboxAlone();
});
afterEach(() => sandbox.control('faults', {}, 'DELETE'));
afterAll(() => sandbox.stop());

const failed = expect.objectContaining({ kind: 'provider-failed' });

describe.each(transferGatewayNames)('%s', (name) => {
  const list = listBanksOf[name];

  it('lists the banks of a currency, all pages of them', async () => {
    const banks = await list('NGN', 'NG');
    expect(banks).toContainEqual({ name: 'Guaranty Trust Bank', code: '058' });
    expect(banks.length).toBeGreaterThan(100);
    expect(new Set(banks.map(({ code }) => code)).size).toBe(banks.length);
  });

  it.each(['error', 'refuse', 'lose'])('fails to list banks when the provider does: %s', async (mode) => {
    await sandbox.control('faults', { gateway: name, mode });
    const listing = list('NGN', 'NG');
    if (mode === 'refuse' && name === 'gateway-b') expect(await listing).toEqual([]);
    else await expect(listing).rejects.toEqual(failed);
  });
});

describe('gateway-a', () => {
  it('lists no mobile money, which needs another type of recipient', async () => {
    expect(await listBanksOf['gateway-a']('GHS', 'GH')).toEqual([
      { name: 'Access Bank', code: '280100' },
      { name: 'GCB Bank Limited', code: '040100' },
    ]);
  });
});
