import { toDecimal } from '../../shared/core/money.ts';
import { refundedAmountOf, toOrder } from '../../shared/orders/order.ts';
import { leftOf } from '../../shared/orders/shares.ts';
import { type Actor, call, count, outcome } from './actor.ts';
import type { Random } from './core/random.ts';
import { noFaults } from './core/rates.ts';
import type { Item, Simulation } from './core/simulation.ts';
import { buyAndPay, type Operation } from './operations.ts';
import { dayMilliseconds } from './world.ts';

/**
 * A history of its own: an order is refunded in many parts, 20 of them at once, while answers are lost and the provider's
 * dashboard refunds too. In the end the provider, the ledger and the order agree to the minor unit.
 */
export const refundScenario: readonly Operation[] = [{ name: 'many refunds', weight: 1, run: refundInParts }];

/** The sales: each currency with a gateway that has it. */
const sales = [
  { currency: 'JPY', gateway: 'gateway-c', prices: [333, 100, 7], decimals: 0 },
  { currency: 'KWD', gateway: 'gateway-c', prices: [3.34, 1.01, 0.5], decimals: 2 },
  { currency: 'USD', gateway: 'gateway-c', prices: [9.99, 0.07, 3], code: true, decimals: 2 },
  { currency: 'NGN', gateway: 'gateway-a', prices: [50, 33.33, 1], decimals: 2 },
  { currency: 'NGN', gateway: 'gateway-b', prices: [77.77, 10, 3.33], decimals: 2 },
] as const;

async function refundInParts(actor: Actor): Promise<void> {
  const { random, simulation, world } = actor;
  // The order is bought without faults.
  const rates = { ...simulation.rates };
  Object.assign(simulation.rates, noFaults);
  const order = await sell(actor);
  Object.assign(simulation.rates, rates);
  const { quantity } = toOrder(order);
  const { olu, ada } = world.people;
  const refundAtProvider = async () => {
    await simulation.kernel.sleep(random.below(60_000));
    const payment = simulation.providers.payments.findByReference(order.reference);
    const step = order.currency === 'KWD' ? 10 : 1;
    const amount = Math.ceil(payment.paid.amount / (3 + random.below(20)) / step) * step;
    actor.memory.returnedPayments.add(order.reference);
    await simulation.providers
      .runAsProvider(random.child('dashboard'), () =>
        simulation.providers.actions.refund(payment, { amount }),
      )
      .then(
        () => actor.tell(`the dashboard refunds ${amount}`),
        () => actor.tell(`the dashboard can't refund ${amount}`),
      );
  };
  const refund = async (number: number) => {
    const own = random.child(`part ${number}`);
    if (number > 20) await simulation.kernel.sleep(own.below(600_000));
    const body = own.chance(0.7)
      ? { seats: Array.from({ length: 1 + own.below(2) }, () => 1 + own.below(quantity)) }
      : { amount: goodwill(own, order) };
    const as = own.pick([olu, ada]);
    const options = { as, params: { id: order.id }, body, key: `${random.name} part ${number}` };
    const answer = await call({ ...actor, random: own }, 'POST /api/orders/{id}/refund', options, 5);
    actor.tell(`${as.name} refunds ${JSON.stringify(body)} → ${outcome(answer)}`);
    if (answer.status === 200) count(actor, 'a partial refund');
  };
  await Promise.all([
    ...Array.from({ length: 20 + random.below(6) }, (_, index) => refund(index + 1)),
    ...(random.chance(0.5) ? [refundAtProvider()] : []),
  ]);
}

function goodwill(random: Random, order: Item): number {
  const { totalAmount, currency } = toOrder(order);
  const step = currency === 'KWD' ? 10n : 1n;
  const steps = (totalAmount * BigInt(1 + random.below(100))) / 1000n / step;
  return Number(toDecimal((steps || 1n) * step, currency));
}

/** Creates an event, and sells an order of up to three items, which is paid and posted. */
async function sell(actor: Actor): Promise<Item> {
  const { random, simulation, world } = actor;
  const { olu, ann } = world.people;
  const sale = random.pick(sales);
  const { currency, gateway, prices, decimals } = sale;
  const tiers = prices.map((price, index) => ({
    name: `Tier ${index}`,
    price: Number((price * (1 + random.below(3))).toFixed(decimals)),
    quantity: 20,
    maxPerPerson: 20,
  }));
  const startDate = new Date(simulation.start + 2 * dayMilliseconds).toISOString();
  // Sold since before the event was created: clocks differ.
  const saleStart = new Date(simulation.start).toISOString();
  const event = { title: 'Refunds', venue: 'Hall', startDate, saleStart, currency, tiers, maxPerWallet: 40 };
  const created = await call(actor, 'POST /api/events', { as: olu, body: event });
  const { id: eventId, tiers: stored } = created.body.event;
  const code = 'code' in sale ? { code: 'THIRD' } : {};
  if (code.code) {
    const body = { ...code, kind: 'percent', value: 33 };
    await call(actor, 'POST /api/events/{id}/codes', { as: olu, params: { id: eventId }, body });
  }
  const items = (stored as Item[])
    .slice(0, 1 + random.below(3))
    .map(({ id }) => ({ tierId: id, quantity: 1 + random.below(5) }));
  const body = { eventId, items, gateway, ...code };
  const find = await buyAndPay(actor, ann, body, true);
  actor.tell(
    `ann pays ${toDecimal(toOrder(find()).totalAmount, currency)} ${currency} for ${JSON.stringify(items)}`,
  );
  return find();
}

/** Whether the provider has returned what the order says, which the ledger's rules compare with the ledger. */
export function findUnequalSums(simulation: Simulation): string[] {
  return simulation.all('ORDER').flatMap((item) => {
    const order = toOrder(item);
    const payment = simulation.providers.payments.findByReference(order.reference);
    if (!payment?.paid) return [];
    const succeeded = payment.refunds.filter(({ status }: Item) => status !== 'failed');
    const sum = (refunds: Item[]) => refunds.reduce((total, { amount }) => total + amount, 0);
    const elsewhere = sum(succeeded.filter(({ note }: Item) => !note.startsWith('refund-')));
    const unit = order.gateway === 'gateway-b' ? 100 : 1;
    const [returned, foreign] = [sum(succeeded), elsewhere].map((amount) => Math.round(amount * unit));
    const requested = Number(refundedAmountOf(order));
    const expected = Math.min(Number(order.totalAmount), requested + (foreign ?? 0));
    if (returned === expected && leftOf(order) >= 0n) return [];
    return [`${order.id}: ${returned} went back, of ${requested} requested and ${foreign} at the dashboard`];
  });
}
