import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sendMessage } from '../../../shared/runtime/queue.ts';
import { eventually } from '../../support/eventually.ts';
import type { Fault } from '../../support/fault-proxy.ts';
import { Scenario } from './scenario.ts';
import { isAttemptAppend, isNonceClaim, isTicketPut, onFirst, transactionConflict } from './table-faults.ts';

let scenario: Scenario;
const removals: (() => void)[] = [];

/** Adds a fault until the test ends. */
const inject = (fault: Fault) => void removals.push(scenario.world.intercept(fault));

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
  for (const remove of removals.splice(0)) remove();
  expect((await scenario.audit()).problems).toEqual([]);
});
afterAll(() => scenario?.world.stop());

describe('a paid order is minted once when', () => {
  it(`${workers} workers receive its message and claim a nonce at once`, async () => {
    const gate = Promise.withResolvers<void>();
    // By the idempotency token, since the SDK repeats a claim that waits for longer than three seconds.
    const waitingClaims = new Set<string>();
    inject(async (call, forward) => {
      if (isNonceClaim(call)) {
        waitingClaims.add(call.body.ClientRequestToken);
        await gate.promise;
      }
      return forward();
    });
    const [{ id: orderId } = { id: '' }] = await scenario.buy(1);
    await eventually('all workers claim a nonce', async () => {
      await sendMessage('mint-tickets', { type: 'mint-order', orderId });
      return waitingClaims.size >= workers;
    });
    gate.resolve();
    await scenario.awaitFulfilment(scenario.orders);
  });

  it('the worker dies after claiming the nonce and before broadcasting', async () => {
    const killsBefore = scenario.world.kills.length;
    inject(onFirst(isNonceClaim, killAfter));
    await scenario.awaitFulfilment(await scenario.buy(1));
    expect(scenario.world.kills.length).toBe(killsBefore + 1);
  });

  it('the worker dies after storing a replacement and before broadcasting it', async () => {
    const killsBefore = scenario.world.kills.length;
    await scenario.world.node.setBlocksPerSecond(0);
    inject(onFirst(isAttemptAppend, killAfter));
    const orders = await scenario.buy(1);
    await eventually('the worker dies', () => scenario.world.kills.length > killsBefore);
    scenario.world.node.setBlocksPerSecond(4);
    await scenario.awaitFulfilment(orders);
    expect(scenario.world.kills.length).toBe(killsBefore + 1);
  });

  it('the worker dies after broadcasting', async () => {
    const killsBefore = scenario.world.kills.length;
    inject(onFirst(({ method }) => method === 'eth_sendRawTransaction', killAfter));
    await scenario.awaitFulfilment(await scenario.buy(1));
    expect(scenario.world.kills.length).toBe(killsBefore + 1);
  });

  it('the worker dies twice while storing its tickets', async () => {
    const killsBefore = scenario.world.kills.length;
    let puts = 0;
    inject((call, forward) => {
      if (isTicketPut(call)) puts++;
      return isTicketPut(call) && (puts === 30 || puts === 60) ? killAfter(call, forward) : forward();
    });
    await scenario.awaitFulfilment(await scenario.buy(1, () => 90));
    expect(scenario.world.kills.length).toBe(killsBefore + 2);
  });

  it('its nonce claims conflict three times, and the answer to the next claim is lost', async () => {
    const lostAnswer = onFirst(isNonceClaim, async (_call, forward) => {
      await forward();
      return 'drop';
    });
    const conflicts = onFirst(isNonceClaim, async (call) => transactionConflict(call), 3);
    // The fault that is added last runs first.
    inject(lostAnswer);
    inject(conflicts);
    await scenario.awaitFulfilment(await scenario.buy(3));
    expect(conflicts.remaining).toBe(0);
    expect(lostAnswer.remaining).toBe(0);
  });
});
