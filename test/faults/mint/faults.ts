import { setTimeout as sleep } from 'node:timers/promises';
import { Transaction } from 'ethers/transaction';
import type { Answer, Call, Fault } from '../../support/fault-proxy.ts';
import type { Random } from '../../support/random.ts';
import type { Scenario } from './scenario.ts';

/** The node that forges receipts. The other node only fails. */
const faultyNode = 'b';

export const rpcResult = (value: unknown): Answer => ({
  status: 200,
  body: { jsonrpc: '2.0', id: 1, result: value },
});
export const rpcError = (message: string): Answer => ({
  status: 200,
  body: { jsonrpc: '2.0', id: 1, error: { code: -32000, message } },
});
/** Applies a fault to calls of one method only. */
export function onMethod(method: string, fault: Fault): Fault {
  return (call, forward) => (call.method === method ? fault(call, forward) : forward());
}

const isNode = ({ target }: Call) => target !== 'table';
const isMethod = (name: string) => (call: Call) => call.method === name;
const isSend = isMethod('eth_sendRawTransaction');
const isTableCall = ({ target, worker }: Call) => target === 'table' && worker !== 'sweeper';
/** Whether a call claims a nonce, or stores a further attempt. */
const isNonceWrite = ({ target, method, body }: Call) =>
  target === 'table' &&
  method === 'TransactWriteItems' &&
  body.TransactItems.some(({ Put }: Call['body']) => /^(NONCE|ATTEMPT)#/.test(Put?.Item.sk.S));

const drop: Fault = async () => 'drop';
const loseAnswer: Fault = async (_call, forward) => {
  await forward();
  return 'drop';
};
const throttle: Fault = async () => ({
  status: 400,
  body: {
    __type: 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException',
    message: 'throttled',
  },
});
/** The node answers that it has accepted the transaction, but drops it. */
const forget: Fault = async ({ body }) => rpcResult(Transaction.from(body.params[0]).hash);

// biome-ignore lint/suspicious/noExplicitAny: results differ by the method
function changeResult(change: (result: any) => unknown): Fault {
  return async (_call, forward) => {
    const answer = await forward();
    return answer === 'drop' ? answer : rpcResult(change(answer.body.result));
  };
}

/** Inverts the status of a mined transaction, and invents a receipt for a pending one. */
const forgeReceipt = changeResult((receipt) => ({
  ...(receipt ?? { blockNumber: '0x1' }),
  status: receipt?.status === '0x1' ? '0x0' : '0x1',
  logs: [],
}));
const shiftCount = (difference: number) =>
  changeResult((count) => `0x${Math.max(0, Number(count) + difference).toString(16)}`);

/** Injects all kinds of faults at random, reproducibly by seed, and faults of the whole chain one after the other. */
export class FaultMix {
  /** How often each kind of fault was injected. */
  readonly counts = new Map<string, number>();
  readonly #scenario: Scenario;
  readonly #random: Random;
  readonly #removals: (() => void)[] = [];
  readonly #chainFaults: Promise<void>;
  #isStopped = false;

  constructor(scenario: Scenario, random: Random) {
    this.#scenario = scenario;
    this.#random = random;
    const { world } = scenario;
    const kill: Fault = async ({ worker }) => {
      world.kill(worker);
      return 'drop';
    };
    const killAfter: Fault = async (call, forward) => {
      await forward();
      return kill(call, forward);
    };
    const isReceipt = isMethod('eth_getTransactionReceipt');
    const isCount = isMethod('eth_getTransactionCount');
    this.#add('killed before a nonce is stored', isNonceWrite, 0.03, kill);
    this.#add('killed after a nonce is stored', isNonceWrite, 0.06, killAfter);
    this.#add('killed after another write', isTableCall, 0.002, killAfter);
    this.#add('killed before a broadcast', isSend, 0.01, kill);
    this.#add('killed after a broadcast', isSend, 0.01, killAfter);
    this.#add('transaction forgotten', isSend, 0.05, forget);
    this.#add('answer of a node lost', isNode, 0.02, loseAnswer);
    this.#add('call of a node lost', isNode, 0.01, drop);
    this.#add(
      'no receipt',
      isReceipt,
      0.1,
      changeResult(() => null),
    );
    this.#add('receipt forged', (call) => isReceipt(call) && call.target === faultyNode, 0.3, forgeReceipt);
    this.#add('count too low', isCount, 0.05, shiftCount(-2));
    this.#add('count too high', isCount, 0.05, shiftCount(3));
    this.#add('table throttles', isTableCall, 0.01, throttle);
    this.#add('answer of the table lost', isTableCall, 0.003, loseAnswer);
    this.#chainFaults = this.#injectChainFaults();
  }

  /** Ends all faults. A running fault of the whole chain ends first. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const remove of this.#removals) remove();
    await this.#chainFaults;
    this.#scenario.node.setBlocksPerSecond(4);
  }

  #add(name: string, matches: (call: Call) => boolean, probability: number, fault: Fault): void {
    const intercept: Fault = (call, forward) => {
      if (!matches(call) || !this.#random.chance(probability)) return forward();
      this.#count(name);
      return fault(call, forward);
    };
    this.#removals.push(this.#scenario.world.intercept(intercept));
  }

  async #injectChainFaults(): Promise<void> {
    const { node } = this.#scenario;
    const random = this.#random;
    const faults: [string, () => Promise<unknown>][] = [
      ['gas price spike', () => node.setBaseFee(BigInt(random.between(20, 120)) * 10n ** 9n)],
      ['reorganisation before finality', () => node.reorganise(2)],
      ['reorganisation after finality', () => node.reorganise(random.between(4, 10))],
      ['no blocks', () => node.setBlocksPerSecond(0).then(() => sleep(random.between(1_000, 4_000)))],
    ];
    for (let next = 0; !this.#isStopped; next++) {
      await sleep(random.between(1_000, 4_000));
      const [name, inject] = faults[next % faults.length] as (typeof faults)[number];
      this.#count(name);
      await inject().catch(() => {});
      node.setBlocksPerSecond(4);
    }
  }

  #count(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }
}

/** Geth's rule, which anvil does not have: a replacement has to offer 10 % more of both fees. */
export function requireTenPercentMore(): Fault {
  const pending = new Map<string, Transaction>();
  return async (call, forward) => {
    if (!isSend(call)) return forward();
    const sent = Transaction.from(call.body.params[0]);
    const key = `${call.target} ${sent.from} ${sent.nonce}`;
    const previous = pending.get(key);
    const isLess = (offer: bigint | null = 0n, old: bigint | null = 0n) =>
      (offer ?? 0n) * 10n < (old ?? 0n) * 11n;
    const isUnderpriced =
      previous !== undefined &&
      previous.hash !== sent.hash &&
      (isLess(sent.maxFeePerGas, previous.maxFeePerGas) ||
        isLess(sent.maxPriorityFeePerGas, previous.maxPriorityFeePerGas));
    if (isUnderpriced) return rpcError('replacement transaction underpriced');
    pending.set(key, sent);
    return forward();
  };
}
