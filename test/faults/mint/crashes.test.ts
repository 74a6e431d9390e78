import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { send } from '../../../shared/runtime/queue.ts';
import type { Fault } from '../../support/fault-proxy.ts';
import { Drama, happens } from './drama.ts';
import { conflict, first, isAppend, isClaim, isTicket } from './table-faults.ts';

let drama: Drama;
const endings: (() => void)[] = [];

/** Adds a fault until the test ends. */
const inject = (fault: Fault) => void endings.push(drama.world.add(fault));

/** Ends the worker that makes the call, once what it asked for is done. */
const killAfter: Fault = async ({ worker }, forward) => {
  await forward();
  drama.world.kill(worker);
  return 'drop';
};

/** In two processes. */
const workers = 12;

beforeAll(async () => {
  drama = await Drama.start({ sweepMilliseconds: 1000 });
  drama.world.startWorker('worker1', workers / 2);
  drama.world.startWorker('worker2', workers / 2);
  drama.world.startSweeper();
});
afterEach(async () => {
  for (const end of endings.splice(0)) end();
  expect((await drama.audit()).problems).toEqual([]);
});
afterAll(() => drama?.world.stop());

describe('a paid order is minted once when', () => {
  it(`its message comes to ${workers} workers, which claim a nonce for it at once (5)`, async () => {
    const gate = Promise.withResolvers<void>();
    let waiting = 0;
    inject(async (call, forward) => {
      if (isClaim(call)) {
        waiting++;
        await gate.promise;
      }
      return forward();
    });
    const [{ id: orderId } = { id: '' }] = await drama.buy(1);
    await happens(async () => {
      await send('mint', { orderId });
      return waiting === workers;
    });
    gate.resolve();
    await drama.settled(drama.orders);
  });

  it('the worker dies with the nonce claimed and nothing sent (6)', async () => {
    const kills = drama.world.kills.length;
    inject(first(isClaim, killAfter));
    await drama.settled(await drama.buy(1));
    expect(drama.world.kills.length).toBe(kills + 1);
  });

  it('the worker dies with a replacement stored and not sent (7)', async () => {
    const kills = drama.world.kills.length;
    drama.world.node.setPace(0);
    const death = first(isAppend, killAfter);
    inject(death);
    const orders = await drama.buy(1);
    await happens(() => death.left === 0);
    drama.world.node.setPace(4);
    await drama.settled(orders);
    expect(drama.world.kills.length).toBe(kills + 1);
  });

  it('the worker dies having sent it (8)', async () => {
    const kills = drama.world.kills.length;
    inject(first(({ method }) => method === 'eth_sendRawTransaction', killAfter));
    await drama.settled(await drama.buy(1));
    expect(drama.world.kills.length).toBe(kills + 1);
  });

  it('the worker dies between its tickets, twice (20)', async () => {
    const kills = drama.world.kills.length;
    let puts = 0;
    inject((call, forward) => {
      if (isTicket(call)) puts++;
      return isTicket(call) && (puts === 30 || puts === 60) ? killAfter(call, forward) : forward();
    });
    await drama.settled(await drama.buy(1, () => 90));
    expect(drama.world.kills.length).toBe(kills + 2);
  });

  it('transactions conflict, and their answers get lost (20)', async () => {
    inject(first(isClaim, async (call) => conflict(call), 3));
    const lost = first(isClaim, async (_call, forward) => {
      await forward();
      return 'drop';
    });
    inject(lost);
    await drama.settled(await drama.buy(3));
    expect(lost.left).toBe(0);
  });
});
