import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sendMessage } from '../../../shared/runtime/queue.ts';
import { eventually } from '../../support/eventually.ts';
import type { Fault } from '../../support/fault-proxy.ts';
import { Scenario } from './scenario.ts';
import { conflict, first, isAppend, isClaim, isTicket } from './table-faults.ts';

let scenario: Scenario;
const endings: (() => void)[] = [];

/** Adds a fault until the test ends. */
const inject = (fault: Fault) => void endings.push(scenario.world.add(fault));

/** Forwards the call, then kills the worker that made it. */
const killAfter: Fault = async ({ worker }, forward) => {
  await forward();
  scenario.world.kill(worker);
  return 'drop';
};

/** The workers run in two processes. */
const workers = 12;

beforeAll(async () => {
  scenario = await Scenario.start({ sweepMilliseconds: 1000 });
  scenario.world.startWorker('worker1', workers / 2);
  scenario.world.startWorker('worker2', workers / 2);
  scenario.world.startSweeper();
});
afterEach(async () => {
  for (const end of endings.splice(0)) end();
  expect((await scenario.audit()).problems).toEqual([]);
});
afterAll(() => scenario?.world.stop());

describe('a paid order is minted once when', () => {
  it(`${workers} workers receive its message and claim a nonce at once`, async () => {
    const gate = Promise.withResolvers<void>();
    let waiting = 0;
    inject(async (call, forward) => {
      if (isClaim(call)) {
        waiting++;
        await gate.promise;
      }
      return forward();
    });
    const [{ id: orderId } = { id: '' }] = await scenario.buy(1);
    await eventually('all workers claim a nonce', async () => {
      await sendMessage('mint', { orderId });
      return waiting === workers;
    });
    gate.resolve();
    await scenario.settled(scenario.orders);
  });

  it('the worker dies after claiming the nonce and before broadcasting', async () => {
    const kills = scenario.world.kills.length;
    inject(first(isClaim, killAfter));
    await scenario.settled(await scenario.buy(1));
    expect(scenario.world.kills.length).toBe(kills + 1);
  });

  it('the worker dies after storing a replacement and before broadcasting it', async () => {
    const kills = scenario.world.kills.length;
    scenario.world.node.setPace(0);
    const death = first(isAppend, killAfter);
    inject(death);
    const orders = await scenario.buy(1);
    await eventually('the worker dies', () => death.left === 0);
    scenario.world.node.setPace(4);
    await scenario.settled(orders);
    expect(scenario.world.kills.length).toBe(kills + 1);
  });

  it('the worker dies after broadcasting', async () => {
    const kills = scenario.world.kills.length;
    inject(first(({ method }) => method === 'eth_sendRawTransaction', killAfter));
    await scenario.settled(await scenario.buy(1));
    expect(scenario.world.kills.length).toBe(kills + 1);
  });

  it('the worker dies twice while storing its tickets', async () => {
    const kills = scenario.world.kills.length;
    let puts = 0;
    inject((call, forward) => {
      if (isTicket(call)) puts++;
      return isTicket(call) && (puts === 30 || puts === 60) ? killAfter(call, forward) : forward();
    });
    await scenario.settled(await scenario.buy(1, () => 90));
    expect(scenario.world.kills.length).toBe(kills + 2);
  });

  it('its transactions on the table conflict and their answers are lost', async () => {
    inject(first(isClaim, async (call) => conflict(call), 3));
    const lost = first(isClaim, async (_call, forward) => {
      await forward();
      return 'drop';
    });
    inject(lost);
    await scenario.settled(await scenario.buy(3));
    expect(lost.left).toBe(0);
  });
});
