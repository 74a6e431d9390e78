import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Call, Fault } from '../../support/fault-proxy.ts';
import type { Random } from '../../support/random.ts';
import {
  dropTransaction,
  hideReceipts,
  isNode,
  loseSendAnswer,
  requireTenPercentMore,
  rpcError,
  rpcResult,
  shiftNonce,
} from './rpc-faults.ts';
import type { Scenario } from './scenario.ts';
import {
  isAttemptAppend,
  isNonceClaim,
  isTicketPut,
  throttlingError,
  transactionConflict,
} from './table-faults.ts';

/** The node that forges receipts. The other node only fails. */
const faultyNode = 'b';

/** One kind of fault in the mix: the calls it applies to, and its probability for each of them (0 to 1). */
interface FaultKind {
  name: string;
  matches: (call: Call) => boolean;
  probability: number;
  fault: Fault;
}

const isMethod = (name: string) => (call: Call) => call.method === name;
const isSend = isMethod('eth_sendRawTransaction');

/** Inverts the status of a mined transaction, and invents a receipt for a pending one. */
function forgeReceipt(random: Random): Fault {
  return async (_call, forward) => {
    const answer = await forward();
    if (answer === 'drop') return answer;
    const receipt = answer.body.result ?? { status: random.chance(0.5) ? '0x0' : '0x1', blockNumber: '0x1' };
    return rpcResult({ ...receipt, status: receipt.status === '0x1' ? '0x0' : '0x1', logs: [] });
  };
}

const delayCall: Fault = async (_call, forward) => {
  await sleep(5_000);
  return forward();
};

const dropCall: Fault = async (): Promise<Answer> => 'drop';

const loseAnswer: Fault = async (_call, forward) => {
  await forward();
  return 'drop';
};

/** Returns all kinds of faults. */
function createFaultKinds({ world }: Scenario, random: Random): FaultKind[] {
  const kill: Fault = async ({ worker }) => {
    world.kill(worker);
    return 'drop';
  };
  const killAfter: Fault = async (call, forward) => {
    await forward();
    return kill(call, forward);
  };
  const onWorker = (matches: (call: Call) => boolean) => (call: Call) =>
    call.worker !== 'sweeper' && matches(call);
  const onFaultyNode = (matches: (call: Call) => boolean) => (call: Call) =>
    call.target === faultyNode && matches(call);
  return [
    { name: 'killed after the claim', matches: isNonceClaim, probability: 0.04, fault: killAfter },
    { name: 'killed before the claim', matches: isNonceClaim, probability: 0.02, fault: kill },
    {
      name: 'killed after an attempt is stored',
      matches: isAttemptAppend,
      probability: 0.2,
      fault: killAfter,
    },
    { name: 'killed after broadcast', matches: isSend, probability: 0.01, fault: killAfter },
    { name: 'killed before broadcast', matches: isSend, probability: 0.01, fault: kill },
    { name: 'accepted, connection dropped', matches: isSend, probability: 0.05, fault: loseSendAnswer },
    {
      name: 'accepted, then dropped from the pool',
      matches: isSend,
      probability: 0.05,
      fault: dropTransaction,
    },
    {
      name: 'eth_blockNumber fails',
      matches: isMethod('eth_blockNumber'),
      probability: 0.05,
      fault: async () => rpcError('overloaded'),
    },
    {
      name: 'null for a receipt',
      matches: isMethod('eth_getTransactionReceipt'),
      probability: 0.1,
      fault: hideReceipts,
    },
    {
      name: 'transaction count too low',
      matches: isMethod('eth_getTransactionCount'),
      probability: 0.05,
      fault: shiftNonce(-2),
    },
    {
      name: 'transaction count too high',
      matches: isMethod('eth_getTransactionCount'),
      probability: 0.05,
      fault: shiftNonce(3),
    },
    {
      name: 'receipt forged by one node',
      matches: onFaultyNode(isMethod('eth_getTransactionReceipt')),
      probability: 0.3,
      fault: forgeReceipt(random),
    },
    { name: 'killed between tickets', matches: isTicketPut, probability: 0.002, fault: killAfter },
    {
      name: 'transaction conflicts',
      matches: isNonceClaim,
      probability: 0.05,
      fault: async (call) => transactionConflict(call),
    },
    {
      name: 'node drops a call',
      matches: ({ target }) => isNode(target),
      probability: 0.01,
      fault: dropCall,
    },
    { name: 'node stalls', matches: ({ target }) => isNode(target), probability: 0.001, fault: delayCall },
    {
      name: 'table throttles',
      matches: onWorker(({ target }) => target === 'table'),
      probability: 0.01,
      fault: async () => throttlingError(),
    },
    {
      name: "the table's answer is lost",
      matches: onWorker(({ target }) => target === 'table'),
      probability: 0.003,
      fault: loseAnswer,
    },
  ];
}

/** Injects all kinds of faults at random, reproducibly by seed. */
export class FaultMix {
  /** How often each kind of fault was injected. */
  readonly counts = new Map<string, number>();
  readonly #scenario: Scenario;
  readonly #random: Random;
  readonly #removals: (() => void)[] = [];
  #runningFault: Promise<void> | undefined;
  readonly #gethRule: ReturnType<typeof requireTenPercentMore>;

  constructor(scenario: Scenario, random: Random) {
    this.#scenario = scenario;
    this.#random = random;
    // Geth requires 10 % higher fees of a replacement. That is not a fault, so `stop` does not remove it.
    this.#gethRule = requireTenPercentMore(scenario.world.node);
    scenario.world.intercept(this.#gethRule);
    for (const { name, matches, probability, fault } of createFaultKinds(scenario, random)) {
      this.#removals.push(
        scenario.world.intercept((call, forward) => {
          if (!matches(call) || !random.chance(probability)) return forward();
          this.#count(name);
          return fault(call, forward);
        }),
      );
    }
    this.#startChainFaults();
  }

  /** Ends all faults. A running fault of the whole chain ends first. */
  async stop(): Promise<void> {
    this.counts.set('replacements with 10 % higher fees', this.#gethRule.replaced);
    this.counts.set('replacements refused for lower fees', this.#gethRule.refused);
    for (const remove of this.#removals) remove();
    await this.#runningFault;
    this.#scenario.world.node.setBlocksPerSecond(4);
  }

  /** Injects faults of the whole chain, one after another. Each kind occurs once before any kind repeats. */
  #startChainFaults(): void {
    const kinds = [
      this.#outage,
      this.#pause,
      this.#gasSpike,
      this.#shallowReorganisation,
      this.#deepReorganisation,
    ];
    const remaining: typeof kinds = [];
    let timer: NodeJS.Timeout;
    let isStopped = false;
    const injectNext = async () => {
      if (remaining.length === 0) remaining.push(...kinds);
      const [fault] = remaining.splice(this.#random.between(0, remaining.length - 1), 1);
      this.#runningFault = fault?.call(this).catch(() => {});
      await this.#runningFault;
      if (!isStopped) timer = setTimeout(injectNext, this.#random.between(2_000, 6_000));
    };
    timer = setTimeout(injectNext, 3_000);
    this.#removals.push(() => {
      isStopped = true;
      clearTimeout(timer);
    });
  }

  async #outage(): Promise<void> {
    this.#count('all nodes down');
    const removeFault = this.#scenario.world.intercept(async ({ target }, forward) =>
      isNode(target) ? 'drop' : forward(),
    );
    await sleep(this.#random.between(2_000, 8_000));
    removeFault();
  }

  async #pause(): Promise<void> {
    this.#count('no blocks mined');
    this.#scenario.world.node.setBlocksPerSecond(0);
    await sleep(this.#random.between(2_000, 6_000));
    this.#scenario.world.node.setBlocksPerSecond(4);
  }

  #gasSpike(): Promise<void> {
    this.#count('gas price spike');
    return this.#scenario.world.node.setBaseFee(BigInt(this.#random.between(20, 120)) * 10n ** 9n);
  }

  #shallowReorganisation(): Promise<void> {
    this.#count('reorganisation before finality');
    return this.#scenario.world.node.reorganise(2);
  }

  #deepReorganisation(): Promise<void> {
    this.#count('reorganisation after finality');
    return this.#scenario.world.node.reorganise(this.#random.between(4, 10));
  }

  #count(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }
}
