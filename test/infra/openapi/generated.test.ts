import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, expectTypeOf, it } from 'vitest';
import * as api from '../../../infra/client/index.ts';
import { clientFile, generateClient } from '../../../infra/openapi/client.ts';
import { updateTables } from '../../../infra/openapi/document.ts';
import { readOperations } from '../../../infra/openapi/operations.ts';

describe('the client', () => {
  it('is generated from the endpoints’ current contracts (npm run client)', async () => {
    expect(readFileSync(clientFile, 'utf8')).toBe(await generateClient());
  });

  it('has types for requests and responses', () => {
    expectTypeOf(api.login).parameter(0).toEqualTypeOf<{ email: string; password: string }>();
    type OrderResponse = Awaited<ReturnType<typeof api.getOrder>>;
    type OrderBody = Extract<OrderResponse, { status: 200 }>['data']['order'];
    expectTypeOf<OrderBody['paymentStatus']>().toEqualTypeOf<'PENDING' | 'COMPLETED' | 'FAILED'>();
    expectTypeOf<Extract<OrderResponse, { status: 404 }>['data']>().toEqualTypeOf<api.ErrorBody>();
  });

  it('does not compile with a wrong or missing field', () => {
    // These are never called: the compiler checks them, since an unused `@ts-expect-error` does not compile.
    const invalidCalls = [
      // @ts-expect-error a misspelt field
      () => api.login({ email: 'a@example.com', pasword: 'x' }),
      // @ts-expect-error a wrong type
      () => api.initializeOrder({ eventId: 'e', tierId: 't', quantity: '1', paymentMethod: 'FIAT' }),
      // @ts-expect-error an unknown value
      () => api.initializeOrder({ eventId: 'e', tierId: 't', quantity: 1, paymentMethod: 'CASH' }),
      // @ts-expect-error a missing field
      () => api.createEvent({ title: 'Jazz', venue: 'Club' }),
    ];
    expect(invalidCalls).toHaveLength(4);
  });
});

it('the README has the current tables of endpoints and settings (npm run client)', async () => {
  const readme = readFileSync(path.resolve(import.meta.dirname, '../../../README.md'), 'utf8');
  expect(updateTables(readme, await readOperations())).toBe(readme);
});
