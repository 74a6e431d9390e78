import type { Answer, Call, Fault } from '../../support/fault-proxy.ts';
import type { Drama } from './drama.ts';
import type { Random } from './random.ts';
import {
  acceptThenDrop,
  demandTenPercent,
  failure,
  forget,
  isChain,
  nonceOff,
  receiptsMissing,
  result,
} from './rpc-faults.ts';
import { conflict, isAppend, isClaim, isTicket, throttled } from './table-faults.ts';

/** The node that also tells lies of consequence; the other one only fails. */
const liar = 'b';

/** One kind of trouble in the mix: for which calls it is meant, and how likely it is for each of them. */
interface Trouble {
  name: string;
  matches: (call: Call) => boolean;
  probability: number;
  fault: Fault;
}

const isMethod = (name: string) => (call: Call) => call.method === name;
const isSend = isMethod('eth_sendRawTransaction');

/** Tells the other outcome of what was mined, and an outcome of what was not. */
function fakeReceipt(random: Random): Fault {
  return async (_call, forward) => {
    const answer = await forward();
    if (answer === 'drop') return answer;
    const receipt = answer.body.result ?? { status: random.chance(0.5) ? '0x0' : '0x1', blockNumber: '0x1' };
    return result({ ...receipt, status: receipt.status === '0x1' ? '0x0' : '0x1', logs: [] });
  };
}

const delay: Fault = async (_call, forward) => {
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  return forward();
};

const drop: Fault = async (): Promise<Answer> => 'drop';

const loseAnswer: Fault = async (_call, forward) => {
  await forward();
  return 'drop';
};

/** Everything that may go wrong with a call, each with its number in faults.md where it has one. */
function troubles({ world }: Drama, random: Random): Trouble[] {
  const kill: Fault = async ({ worker }) => {
    world.kill(worker);
    return 'drop';
  };
  const killAfter: Fault = async (call, forward) => {
    await forward();
    return kill(call, forward);
  };
  const isWorker = (matches: (call: Call) => boolean) => (call: Call) =>
    call.worker !== 'sweeper' && matches(call);
  const isLiar = (matches: (call: Call) => boolean) => (call: Call) => call.target === liar && matches(call);
  return [
    { name: '6 killed after the claim', matches: isClaim, probability: 0.04, fault: killAfter },
    { name: '6 killed before the claim', matches: isClaim, probability: 0.02, fault: kill },
    { name: '7 killed after an attempt is stored', matches: isAppend, probability: 0.2, fault: killAfter },
    { name: '8 killed after broadcast', matches: isSend, probability: 0.01, fault: killAfter },
    { name: '7 killed before broadcast', matches: isSend, probability: 0.01, fault: kill },
    { name: '9 accepted, connection dropped', matches: isSend, probability: 0.05, fault: acceptThenDrop },
    { name: '9 accepted, then forgotten', matches: isSend, probability: 0.05, fault: forget },
    {
      name: '10 eth_blockNumber fails',
      matches: isMethod('eth_blockNumber'),
      probability: 0.05,
      fault: async () => failure('overloaded'),
    },
    {
      name: '12 null for a receipt',
      matches: isMethod('eth_getTransactionReceipt'),
      probability: 0.1,
      fault: receiptsMissing,
    },
    {
      name: '13 transaction count too low',
      matches: isMethod('eth_getTransactionCount'),
      probability: 0.05,
      fault: nonceOff(-2),
    },
    {
      name: '13 transaction count too high',
      matches: isMethod('eth_getTransactionCount'),
      probability: 0.05,
      fault: nonceOff(3),
    },
    {
      name: '14 receipt faked by one node',
      matches: isLiar(isMethod('eth_getTransactionReceipt')),
      probability: 0.3,
      fault: fakeReceipt(random),
    },
    { name: '20 killed between tickets', matches: isTicket, probability: 0.002, fault: killAfter },
    {
      name: '20 transaction conflicts',
      matches: isClaim,
      probability: 0.05,
      fault: async (call) => conflict(call),
    },
    { name: 'node drops a call', matches: ({ target }) => isChain(target), probability: 0.01, fault: drop },
    { name: 'node stalls', matches: ({ target }) => isChain(target), probability: 0.001, fault: delay },
    {
      name: '24 table throttles',
      matches: isWorker(({ target }) => target === 'table'),
      probability: 0.01,
      fault: async () => throttled(),
    },
    {
      name: "the table's answer is lost",
      matches: isWorker(({ target }) => target === 'table'),
      probability: 0.003,
      fault: loseAnswer,
    },
  ];
}

/** Lets everything go wrong, by the seed's dice. */
export class FaultMix {
  /** How often each kind of trouble was made. */
  readonly counts = new Map<string, number>();
  readonly #drama: Drama;
  readonly #random: Random;
  readonly #ends: (() => void)[] = [];
  readonly #rule: ReturnType<typeof demandTenPercent>;

  constructor(drama: Drama, random: Random) {
    this.#drama = drama;
    this.#random = random;
    // Geth's rule is no fault and stays.
    this.#rule = demandTenPercent(drama.world.node);
    drama.world.add(this.#rule);
    for (const { name, matches, probability, fault } of troubles(drama, random)) {
      this.#ends.push(
        drama.world.add((call, forward) => {
          if (!matches(call) || !random.chance(probability)) return forward();
          this.#count(name);
          return fault(call, forward);
        }),
      );
    }
    this.#spells();
  }

  /** From now on all goes well. */
  stop(): void {
    this.counts.set('15 replacements by the rule of a tenth more', this.#rule.replaced);
    this.counts.set('15 replacements refused by that rule', this.#rule.refused);
    for (const end of this.#ends) end();
    this.#drama.world.node.setPace(4);
  }

  /** What comes over the chain as a whole, one spell after the other; each kind again before any comes twice. */
  #spells(): void {
    const spells = [this.#outage, this.#standstill, this.#dearGas, this.#shallow, this.#deep];
    const left: typeof spells = [];
    let timer: NodeJS.Timeout;
    const next = async () => {
      if (left.length === 0) left.push(...spells);
      const [spell] = left.splice(this.#random.between(0, left.length - 1), 1);
      await spell?.call(this).catch(() => {});
      timer = setTimeout(next, this.#random.between(2_000, 6_000));
    };
    timer = setTimeout(next, 3_000);
    this.#ends.push(() => clearTimeout(timer));
  }

  async #outage(): Promise<void> {
    this.#count('11 all nodes down');
    const end = this.#drama.world.add(async ({ target }, forward) => (isChain(target) ? 'drop' : forward()));
    await new Promise((resolve) => setTimeout(resolve, this.#random.between(2_000, 8_000)));
    end();
  }

  async #standstill(): Promise<void> {
    this.#count('the chain stands still');
    this.#drama.world.node.setPace(0);
    await new Promise((resolve) => setTimeout(resolve, this.#random.between(2_000, 6_000)));
    this.#drama.world.node.setPace(4);
  }

  #dearGas(): Promise<void> {
    this.#count('15 gas gets dear');
    return this.#drama.world.node.setBaseFee(BigInt(this.#random.between(20, 120)) * 10n ** 9n);
  }

  #shallow(): Promise<void> {
    this.#count('18 reorganisation before finality');
    return this.#drama.world.node.reorganise(2);
  }

  #deep(): Promise<void> {
    this.#count('18 reorganisation of what was final');
    return this.#drama.world.node.reorganise(this.#random.between(4, 10));
  }

  #count(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }
}
