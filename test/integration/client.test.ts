import { beforeAll, expect, it } from 'vitest';
import * as api from '../../shared/client/api.ts';
import { registerUser } from '../support/people.ts';
import { openSale } from '../support/sales.ts';
import { sharedStack } from '../support/stack.ts';

beforeAll(() => {
  api.defaults.baseUrl = sharedStack().apiUrl;
});

it('the generated client orders a ticket', async () => {
  const [{ event }, { token }] = await Promise.all([openSale(), registerUser()]);
  const headers = { authorization: `Bearer ${token}` };
  const body = { eventId: event.id, tierId: event.tiers[0].id, quantity: 1, paymentMethod: 'FIAT' } as const;
  const ordered = await api.initializeOrder(body, { idempotencyKey: 'once' }, { headers });
  if (ordered.status !== 201) throw new Error(JSON.stringify(ordered.data));
  const found = await api.getOrder(ordered.data.orderId, { headers });
  expect(found).toMatchObject({ status: 200, data: { order: { paymentStatus: 'PENDING', admissions: [] } } });
  expect(await api.getOrder(ordered.data.orderId)).toMatchObject({ status: 401 });
});
