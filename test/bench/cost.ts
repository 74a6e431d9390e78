import { functionName, functions } from '../../infra/functions.ts';
import type { SaleUsage, Step } from './usage/sale-usage.ts';

/** Prices in US dollars per million units: us-east-1, on demand, first tier, arm64, as of 2026-11-21. */
export const prices = {
  writeUnit: 0.625,
  readUnit: 0.125,
  httpRequest: 1,
  invocation: 0.2,
  gigabyteSecond: 13.3334,
  queueRequest: 0.4,
  trace: 5,
};

/** Assumed durations on AWS, in milliseconds: typical values, to be replaced with those of a deployed stage. */
export const assumedMilliseconds = {
  /** One request to the table or a queue, from a function in the same region. */
  request: 7,
  /** One write transaction. */
  transaction: 15,
  /** A call to the payment provider that starts a payment or confirms a webhook. */
  paymentProvider: 250,
  /** A request to SES that sends a mail. */
  mailService: 100,
  /** All calls to the chain in one invocation of the mint worker, which makes them in sequence. */
  chain: 250,
  /** CPU time of an invocation or a message on a whole core. */
  computing: 4,
};

/** The milliseconds that an invocation waits for a service other than the table and the queues. */
const otherWaits: Record<string, number> = {
  'orders-initialize-order': assumedMilliseconds.paymentProvider,
  // Deployed stages set VERIFY_WITH_GATEWAY: they confirm each webhook with the provider.
  'webhooks-gateway-a': assumedMilliseconds.paymentProvider,
  'workers-mint-tickets': assumedMilliseconds.chain,
  'workers-send-mail': assumedMilliseconds.mailService,
};

/** The fraction of invocations that X-Ray traces. */
const tracedShare = 0.05;

/** The memory at which Lambda gives a function a whole core. */
export const wholeCoreMegabytes = 1_769;

/** US dollars for a million orders, by AWS charge. Excludes the chain's gas, logs and what SES charges for mails. */
export type OrderCost = Record<keyof ReturnType<typeof costBySale> | 'total', number>;

export function costPerMillion(sale: SaleUsage): OrderCost {
  const costs = costBySale(sale);
  return { ...costs, total: sum(Object.values(costs)) };
}

function costBySale({ initialize, webhook, fulfil, mail, mintingSteps, orders }: SaleUsage) {
  const steps = [initialize, webhook, fulfil, mail, ...mintingSteps];
  const calls = steps.flatMap((step) => step.calls);
  const queueCalls = calls.filter(({ service }) => service === 'queue').length;
  // Lambda also receives and deletes each batch of messages.
  const batches = sum(steps.map(({ messages, invocations }) => (messages > 0 ? invocations : 0)));
  const invocations = sum(steps.map((step) => step.invocations));
  // Each price is for a million units, so these amounts are the costs of a million orders.
  return {
    writes: (prices.writeUnit * sum(calls.map(({ writeUnits }) => writeUnits))) / orders,
    reads: (prices.readUnit * sum(calls.map(({ readUnits }) => readUnits))) / orders,
    httpApi: (prices.httpRequest * (initialize.invocations + webhook.invocations)) / orders,
    invocations: (prices.invocation * invocations) / orders,
    computing: (prices.gigabyteSecond * sum(steps.map(gigabyteSeconds))) / orders,
    queues: (prices.queueRequest * (queueCalls + 2 * batches)) / orders,
    traces: (prices.trace * tracedShare * invocations) / orders,
  };
}

/** Returns the assumed duration of a step's invocations, times the function's memory. */
function gigabyteSeconds({ functionName: name, calls, invocations, messages }: Step): number {
  const row = functions.find((candidate) => functionName(candidate) === name);
  if (!row) throw new Error(`There is no function ${name}`);
  const megabytes = row.memoryMegabytes;
  const computing =
    assumedMilliseconds.computing * Math.max(invocations, messages) * (wholeCoreMegabytes / megabytes);
  const waiting = sum(
    calls.map(({ operation }) =>
      operation.startsWith('Transact') ? assumedMilliseconds.transaction : assumedMilliseconds.request,
    ),
  );
  return ((computing + waiting + invocations * (otherWaits[name] ?? 0)) / 1_000) * (megabytes / 1_024);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
