import { readFileSync } from 'node:fs';
import { describe, expect, expectTypeOf, it } from 'vitest';
import * as api from '../../../infra/client/index.ts';
import { clientFile, clientSource } from '../../../infra/openapi/client.ts';

describe('the client', () => {
  it('is generated from the current contracts (npm run client)', async () => {
    expect(readFileSync(clientFile, 'utf8')).toBe(await clientSource());
  });

  it('has types for requests and answers', () => {
    expectTypeOf(api.login).parameter(0).toEqualTypeOf<{ email: string; password: string }>();
    type Answer = Awaited<ReturnType<typeof api.getOrder>>;
    type Found = Extract<Answer, { status: 200 }>['data']['order'];
    expectTypeOf<Found['paymentStatus']>().toEqualTypeOf<'PENDING' | 'COMPLETED' | 'FAILED'>();
    expectTypeOf<Extract<Answer, { status: 404 }>['data']>().toEqualTypeOf<api.ErrorBody>();
  });

  it('does not compile with a wrong or missing field', () => {
    // Never called. The compiler checks them: an unused `@ts-expect-error` does not compile.
    const wrong = [
      // @ts-expect-error a wrong name
      () => api.login({ email: 'a@example.com', pasword: 'x' }),
      // @ts-expect-error a wrong type
      () => api.initializeOrder({ eventId: 'e', tierId: 't', quantity: '1', paymentMethod: 'FIAT' }),
      // @ts-expect-error a wrong value
      () => api.initializeOrder({ eventId: 'e', tierId: 't', quantity: 1, paymentMethod: 'CASH' }),
      // @ts-expect-error one is missing
      () => api.createEvent({ title: 'Jazz', venue: 'Club' }),
    ];
    expect(wrong).toHaveLength(4);
  });
});
