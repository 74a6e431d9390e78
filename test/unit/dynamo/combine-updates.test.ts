import { beforeAll, expect, it, vi } from 'vitest';
import { check, combineUpdates, put, update } from '../../../shared/dynamo/write.ts';

const balance = { pk: 'ORGANIZER#1', sk: 'BALANCE#NGN' };
const other = { pk: 'ORGANIZER#1', sk: 'BALANCE#EUR' };
const whenOpen = (batch: number) => ({
  when: '#batch = :batch',
  values: { batch },
  orThrow: () => new Error('closed'),
});

beforeAll(() => {
  vi.stubEnv('TABLE_NAME', 'table');
});

it('adds what all updates of an item add, in the place of the first', () => {
  const writes = [
    put({ ...other, a: 1 }),
    update(balance, { set: { currency: 'NGN' }, add: { upcoming: -5n } }),
    check(other, whenOpen(1)),
    update(balance, { set: { currency: 'NGN' }, add: { upcoming: -7n, available: 2n } }),
    update(other, { add: { total: -1 } }, whenOpen(1)),
    update(other, { add: { total: -2 } }, whenOpen(1)),
  ];
  expect(combineUpdates(writes).map(({ item }) => item)).toEqual(
    [
      writes[0],
      update(balance, { set: { currency: 'NGN' }, add: { upcoming: -12n, available: 2n } }),
      writes[2],
      update(other, { add: { total: -3 } }, whenOpen(1)),
    ].map((write) => write?.item),
  );
});

it.each([
  ['sets something else', 'EUR', undefined],
  ['has another condition', 'NGN', whenOpen(2)],
])('refuses an update of the item that %s', (_, currency, condition) => {
  const [first, different] = [
    update(balance, { set: { currency: 'NGN' }, add: { upcoming: -5n } }),
    update(balance, { set: { currency }, add: { upcoming: -5n } }, condition),
  ];
  expect(() => combineUpdates([first, different])).toThrow(
    'Two different updates of ORGANIZER#1 BALANCE#NGN',
  );
});
