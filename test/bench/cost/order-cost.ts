import { functionName, functions } from '../../../infra/functions.ts';
import type { SaleUsage, Step } from '../usage/sale-usage.ts';
import { assumedMilliseconds, prices, tracedShare, wholeCoreMegabytes } from './prices.ts';

/** US dollars for a million orders, by AWS charge. Excludes the chain's gas, logs and what SES charges for mails. */
export interface OrderCost {
  writes: number;
  reads: number;
  httpApi: number;
  invocations: number;
  computing: number;
  queues: number;
  traces: number;
  total: number;
}

/** Returns the cost of a million orders, from the usage of a sale. */
export function costPerMillion(sale: SaleUsage): OrderCost {
  const { initialize, webhook, fulfil, mail, mintingSteps, orders } = sale;
  const steps = [initialize, webhook, fulfil, mail, ...mintingSteps];
  const calls = steps.flatMap((step) => step.calls);
  const queueCalls = calls.filter(({ service }) => service === 'queue').length;
  // Lambda also receives and deletes each batch of messages.
  const batches = sum(steps.map(({ messages, invocations }) => (messages > 0 ? invocations : 0)));
  const invocations = sum(steps.map((step) => step.invocations));
  const amounts = {
    writes: prices.writeUnit * sum(calls.map(({ writeUnits }) => writeUnits)),
    reads: prices.readUnit * sum(calls.map(({ readUnits }) => readUnits)),
    httpApi: prices.httpRequest * (initialize.invocations + webhook.invocations),
    invocations: prices.invocation * invocations,
    computing: prices.gigabyteSecond * sum(steps.map(gigabyteSeconds)),
    queues: prices.queueRequest * (queueCalls + 2 * batches),
    traces: prices.trace * tracedShare * invocations,
  };
  // Each price is for a million units, so these amounts are the costs of a million orders.
  const costs = Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, amount / orders]));
  return { ...(costs as Omit<OrderCost, 'total'>), total: sum(Object.values(costs)) };
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
      isTransaction(operation) ? assumedMilliseconds.transaction : assumedMilliseconds.request,
    ),
  );
  const otherWaiting = invocations * (otherWaits[name] ?? 0);
  return ((computing + waiting + otherWaiting) / 1_000) * (megabytes / 1_024);
}

/** The milliseconds that an invocation waits for a service other than the table and the queues. */
const otherWaits: Record<string, number> = {
  'orders-initialize-order': assumedMilliseconds.paymentProvider,
  // Deployed stages set VERIFY_WITH_GATEWAY: they confirm each webhook with the provider.
  'webhooks-gateway-a': assumedMilliseconds.paymentProvider,
  'workers-mint-tickets': assumedMilliseconds.chain,
  'workers-send-mail': assumedMilliseconds.mailService,
};

const isTransaction = (operation: string) => operation.startsWith('Transact');

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
