import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { toView } from '../../../shared/core/view.ts';

const view = z.object({
  id: z.string(),
  price: z.number(),
  note: z.string().nullable(),
  link: z.string().optional(),
  owner: z.object({ name: z.string() }),
});
const item = {
  pk: 'ITEM#1',
  id: '1',
  price: 500n,
  note: undefined as string | undefined,
  owner: { name: 'Olga', password: 'secret' },
  secret: 'secret',
};

describe('a view', () => {
  it('has only the fields of its schema, at every depth, with null for an absent value', () => {
    expect(toView(view, item, { price: 5 })).toEqual({
      id: '1',
      price: 5,
      note: null,
      owner: { name: 'Olga' },
    });
  });

  it('prefers computed fields', () => {
    const computed = { price: 5, id: '2', owner: { name: 'Ben' } };
    expect(toView(view, { ...item, note: 'x' }, computed)).toEqual({ ...computed, note: 'x' });
  });

  it('requires the fields that the item has in another form', () => {
    // @ts-expect-error `price` of the item is a bigint
    expect(() => toView(view, item, {})).toThrow('price');
    // @ts-expect-error without an owner
    expect(() => toView(view, { id: '1', price: 5 }, {})).toThrow('owner');
  });
});
