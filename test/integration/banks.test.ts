import { beforeAll, describe, expect, it } from 'vitest';
import { type Person, registerUser } from '../support/fixtures.ts';
import { call, errorOf } from '../support/http.ts';

let organizer: Person;
beforeAll(async () => {
  organizer = await registerUser({ role: 'ORGANIZER' });
});

const listBanks = (query: string) => call('GET', `/api/banks?${query}`, { token: organizer.token });

describe('GET /api/banks', () => {
  it.each(['gateway-a', 'gateway-b'])(
    'lists all banks of a currency at %s, sorted by name',
    async (gateway) => {
      const { status, body, headers } = await listBanks(`gateway=${gateway}&currency=NGN`);
      expect(status).toBe(200);
      expect(body.banks).toContainEqual({ name: 'Guaranty Trust Bank', code: '058' });
      expect(body.banks.length).toBeGreaterThan(100);
      const names = body.banks.map(({ name }: { name: string }) => name);
      expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
      expect(headers.get('cache-control')).toBe('private, max-age=3600');
    },
  );

  it('lists the banks of the requested country instead of the currency’s own', async () => {
    const { body } = await listBanks('gateway=gateway-b&currency=USD&country=NG');
    expect(body.banks).toContainEqual({ name: 'Zenith Bank', code: '057' });
  });

  it.each([
    ['a gateway without payouts', 'gateway=gateway-c&currency=USD', [404, 'banks-not-found']],
    ['a country without banks', 'gateway=gateway-b&currency=XOF&country=SN', [404, 'banks-not-found']],
    [
      'a currency of several countries without a country',
      'gateway=gateway-b&currency=XOF',
      [400, 'invalid-input'],
    ],
    [
      'a currency that the gateway does not pay out',
      'gateway=gateway-a&currency=USD',
      [400, 'currency-not-supported'],
    ],
    ['an unknown gateway', 'gateway=gateway-z&currency=NGN', [400, 'invalid-input']],
    [
      'a country name instead of a code',
      'gateway=gateway-b&currency=NGN&country=Nigeria',
      [400, 'invalid-input'],
    ],
    ['a missing currency', 'gateway=gateway-a', [400, 'invalid-input']],
  ])('refuses %s', async (_, query, expected) => {
    expect(errorOf(await listBanks(query))).toEqual(expected);
  });
});
