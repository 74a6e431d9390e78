import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { refreshCookie } from '../../../shared/accounts/auth/sessions.ts';
import {
  createChallengeMessage,
  verifyChallenge,
} from '../../../shared/accounts/wallets/wallet-challenge.ts';

const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const now = Date.parse('2030-01-01T12:00:00.123Z');
const minute = 60_000;

beforeAll(() => {
  process.env.JWT_ACCESS_SECRET = 'first-key,second-key';
  process.env.PUBLIC_URL = 'https://tickets.example';
  process.env.SHOP_NAME = 'Old Station';
});

const request = { address, chainId: 137, purpose: 'contract' as const };
const scope = { purpose: 'contract' as const, userId: 'ann' };

describe('a wallet challenge', () => {
  it('names the site, the wallet, the chain, the account, the purpose and its expiry', async () => {
    const message = await createChallengeMessage(request, 'ann', now);
    expect(message).toMatch(/^tickets\.example wants you to sign in with your Ethereum account:\n0x70997970/);
    expect(message).toContain('the account ann administers ticket contracts');
    expect(message).toContain('URI: https://tickets.example\nVersion: 1\nChain ID: 137\nNonce: ');
    expect(message).toContain(
      'Issued At: 2030-01-01T12:00:00.123Z\nExpiration Time: 2030-01-01T12:10:00.123Z',
    );
  });

  it('is accepted for the caller and the purpose that it was created for', async () => {
    const message = await createChallengeMessage(request, 'ann', now);
    await expect(verifyChallenge(message, scope, now + 9 * minute)).resolves.toMatchObject({
      address,
      chainId: 137,
    });
  });

  it.each([
    ['another caller', { ...scope, userId: 'eve' }, 0],
    ['another purpose', { ...scope, purpose: 'link' as const }, 0],
    ['its caller after ten minutes', scope, 10 * minute],
  ])('is refused for %s', async (_, otherScope, age) => {
    const message = await createChallengeMessage(request, 'ann', now);
    await expect(verifyChallenge(message, otherScope, now + age)).rejects.toMatchObject({
      code: 'invalid-signature',
    });
  });

  it.each([
    ['address', (text: string) => text.replace(address, '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC')],
    ['chain', (text: string) => text.replace('Chain ID: 137', 'Chain ID: 1')],
    ['statement', (text: string) => text.replace('the account ann', 'the account eve')],
    ['site', (text: string) => text.replaceAll('tickets.example', 'tickets.evil')],
    ['time', (text: string) => text.replace('Issued At: 2030-01-01T12:00', 'Issued At: 2030-01-01T12:09')],
    ['nonce', (text: string) => text.replace(/Nonce: .{4}/, 'Nonce: 0000')],
    ['text', () => 'sign here'],
  ])('is refused with another %s', async (_, change) => {
    const message = change(await createChallengeMessage(request, 'ann', now));
    await expect(verifyChallenge(message, scope, now + minute)).rejects.toMatchObject({
      code: 'invalid-signature',
    });
  });

  it('is accepted when its key is still configured, but no longer the first', async () => {
    const message = await createChallengeMessage(request, 'ann', now);
    process.env.JWT_ACCESS_SECRET = 'new-key,first-key';
    await expect(verifyChallenge(message, scope, now)).resolves.toMatchObject({ address });
  });

  it('without a purpose, is for a login when there is no caller, and for linking the wallet otherwise', async () => {
    const wallet = { address, chainId: 1 };
    expect(await createChallengeMessage(wallet, undefined, now)).toContain('Log in to Old Station with');
    expect(await createChallengeMessage(wallet, 'ann', now)).toContain(
      'Link this wallet to the Old Station account ann',
    );
  });

  it.each([
    ['Bühne "7"', 'Buhne 7'],
    ['Сцена', 'tickets.example'],
  ])('names the shop %s as EIP-4361 allows it', async (name, allowed) => {
    vi.stubEnv('SHOP_NAME', name);
    const message = await createChallengeMessage({ address, chainId: 1 }, undefined, now);
    expect(message).toContain(`Log in to ${allowed} with this wallet.`);
  });

  it('for contracts is refused to an anonymous caller', async () => {
    await expect(createChallengeMessage(request, undefined, now)).rejects.toMatchObject({
      code: 'unauthenticated',
    });
  });
});

afterEach(() => vi.unstubAllEnvs());

describe('the refresh cookie', () => {
  it('is Secure, HttpOnly and SameSite strict, for 7 days', () => {
    vi.stubEnv('STAGE', 'prod');
    expect(refreshCookie('abc')).toBe(
      'refreshToken=abc; Path=/api/auth; Max-Age=604800; HttpOnly; SameSite=Strict; Secure',
    );
  });

  it('is Secure when the stage is unknown', () => {
    vi.stubEnv('STAGE', '');
    expect(refreshCookie('abc')).toContain('; Secure');
  });

  it('is sent over plain HTTP on the local stage', () => {
    vi.stubEnv('STAGE', 'local');
    expect(refreshCookie('abc')).not.toContain('Secure');
  });

  it('expires immediately when it is empty', () => {
    expect(refreshCookie('')).toMatch(/^refreshToken=; Path=\/api\/auth; Max-Age=0;/);
  });
});
