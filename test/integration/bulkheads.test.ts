import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { functionName, functions } from '../../infra/functions.ts';
import { eventually } from '../support/eventually.ts';
import {
  checkIn,
  controlSandbox,
  createCaller,
  openSale,
  readCheckInCodes,
  registerUser,
  requestOrder,
} from '../support/fixtures.ts';
import type { Answer } from '../support/http.ts';
import { type SeparateStack, startStack } from '../support/stack.ts';

const workers = functions.filter(({ trigger }) => 'queue' in trigger).map(functionName);
/** Like production's, but small: three orders at a time, and three calls of all functions without a reservation. */
const reserved = {
  ...Object.fromEntries(workers.map((name) => [name, 1])),
  'orders-initialize-order': 3,
  'tickets-check-in': 1,
  'workers-sweep': 1,
};
const account = Object.values(reserved).reduce((sum, count) => sum + count, 0) + 3;

let stack: SeparateStack;
beforeAll(async () => {
  stack = await startStack({ env: { BOXOFFICE_CONCURRENCY: JSON.stringify({ account, reserved }) } });
});
afterAll(() => stack.stop());

const isThrottled = ({ status, body }: Answer) => status === 503 && body.message === 'Service Unavailable';

test('while a provider answers after 8 s and orders fill their executions, event pages, login, another event’s door and the sweep go on', async () => {
  const door = await openSale({ price: 0, stack });
  const sale = await openSale({ price: 50, stack, organizer: door.organizer });
  const guest = await registerUser({}, stack);
  const { body } = await requestOrder(door, guest, { quantity: 3 });
  const codes = await readCheckInCodes(guest, body.orderId);
  const anonymous = createCaller(undefined, stack);
  await controlSandbox('faults', { gateway: 'gateway-a', mode: 'slow', times: 1_000 }, 'POST', stack);

  const orders: Answer[] = [];
  let isOver = false;
  const buyAgainAndAgain = async () => {
    while (!isOver) {
      orders.push(await requestOrder(sale, guest));
      await setTimeout(50);
    }
  };
  const buyers = [1, 2, 3, 4].map(buyAgainAndAgain);
  await eventually('orders are throttled', () => orders.some(isThrottled));

  for (const code of codes) {
    expect((await anonymous.get(`/api/events/${sale.event.id}`)).status).toBe(200);
    const { email } = guest.user;
    const login = await anonymous.post('/api/auth/login', { email, password: guest.password });
    expect(login.status).toBe(200);
    expect((await checkIn(code, door.organizer)).status).toBe(200);
    // The schedule may have started one in the same second; Lambda repeats a throttled event.
    await eventually('a sweep runs', () => stack.invoke('workers-sweep').catch(() => undefined));
  }

  // The provider's failures open its breaker. From then on an order is refused before it reserves tickets.
  const isRefusedAtOnce = ({ status, headers }: Answer) =>
    status === 503 && headers.get('x-error-code') === 'unavailable' && Number(headers.get('retry-after')) > 1;
  await eventually('the breaker is open', () => orders.some(isRefusedAtOnce));
  isOver = true;
  await Promise.all(buyers);
  const timedOut = orders.filter(({ status }) => status === 502);
  expect(timedOut.length).toBeGreaterThanOrEqual(5);
  expect(orders.filter((answer) => !isThrottled(answer) && !isRefusedAtOnce(answer))).toEqual(timedOut);
});
