import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { DomainError } from '../../../shared/core/errors.ts';
import { validate } from '../../../shared/http/middleware.ts';

const schema = z.object({
  title: z.string().min(1).max(5).default('title'),
  code: z.string().min(3).default('code'),
  count: z.int().min(1).max(10).default(1),
  price: z.number().gt(0).default(1),
  flag: z.boolean().default(true),
  kind: z.enum(['A', 'B']).default('A'),
  list: z
    .array(z.object({ price: z.number() }))
    .max(2)
    .default([]),
  page: z.coerce.number().int().default(1),
  url: z.url().optional(),
  short: z
    .string()
    .refine((text) => text.length < 3, 'Short must be short')
    .optional(),
});

describe('a valid value', () => {
  it('is returned with defaults and without unknown fields', () => {
    expect(validate(z.object({ a: z.string().default('x') }), { b: 1, constructor: 2 })).toEqual({ a: 'x' });
  });
});

describe('an invalid value', () => {
  it.each([
    [{ title: 5 }, 'title must be a string'],
    [{ title: null }, 'title must be a string'],
    [{ title: '' }, 'title must not be empty'],
    [{ title: 'abcdef' }, 'title must have at most 5 characters'],
    [{ code: 'ab' }, 'code must have at least 3 characters'],
    [{ count: 0 }, 'count must be at least 1'],
    [{ count: -1 }, 'count must be at least 1'],
    [{ count: 11 }, 'count must be at most 10'],
    [{ count: 1.5 }, 'count must be a whole number'],
    [{ count: '1' }, 'count must be a number'],
    [{ count: Number.NaN }, 'count must be a number'],
    [{ count: Number.POSITIVE_INFINITY }, 'count must be a number'],
    [{ count: [1] }, 'count must be a number'],
    [{ price: 0 }, 'price must be more than 0'],
    [{ flag: 'true' }, 'flag must be a boolean'],
    [{ kind: 'C' }, 'kind must be one of A, B'],
    [{ kind: 'toString' }, 'kind must be one of A, B'],
    [{ list: {} }, 'list must be an array'],
    [{ list: [1] }, 'list.0 must be an object'],
    [{ list: [{ price: 1 }, {}] }, 'list.1.price is required'],
    [{ list: [{ price: 1 }, { price: 1 }, { price: 1 }] }, 'list must have at most 2 entries'],
    [{ page: 'abc' }, 'page must be a number'],
    [{ page: '1.5' }, 'page must be a whole number'],
    [{ url: 'nothing like it' }, 'url is not valid'],
    [{ short: 'long' }, 'Short must be short'],
    [null, 'The body must be an object'],
    [undefined, 'The body is required'],
    [[], 'The body must be an object'],
    ['text', 'The body must be an object'],
  ])('%j is refused with the message "%s"', (value, message) => {
    expect(() => validate(schema, value)).toThrow(
      expect.objectContaining({ kind: 'invalid', code: 'invalid-input', message }),
    );
  });

  it('is refused with the name of the first required field that is absent', () => {
    const required = z.object({ text: z.string(), number: z.number(), kind: z.enum(['A']) });
    expect(() => validate(required, {})).toThrow('text is required');
    expect(() => validate(required, { text: '' })).toThrow('number is required');
    expect(() => validate(required, { text: '', number: 1 })).toThrow('kind is required');
  });
});

describe('an error about several fields', () => {
  it('lists each invalid field once, and has the message of the first', () => {
    const error = catchError({ title: 5, price: 0, list: [{ price: '1' }], short: 'long' });
    expect(error).toMatchObject({
      kind: 'invalid',
      code: 'invalid-input',
      message: 'title must be a string',
    });
    expect(error.fields).toEqual([
      { path: 'title', message: 'title must be a string' },
      { path: 'price', message: 'price must be more than 0' },
      { path: 'list.0.price', message: 'list.0.price must be a number' },
      { path: 'short', message: 'Short must be short' },
    ]);
  });

  it('has one message for a field with several faults', () => {
    const twoRules = z.object({ word: z.string().min(3).regex(/^\d*$/, 'must have digits only') });
    expect(catchError({ word: 'a' }, twoRules).fields).toEqual([
      { path: 'word', message: 'word must have at least 3 characters' },
    ]);
  });

  it('has an empty path when the body itself is invalid', () => {
    expect(catchError(null).fields).toEqual([{ path: '', message: 'The body must be an object' }]);
  });
});

function catchError(value: unknown, validationSchema: z.ZodType = schema): DomainError {
  try {
    validate(validationSchema, value);
  } catch (error) {
    if (error instanceof DomainError) return error;
  }
  throw new Error('The value was accepted');
}
