import { toOrder } from '../../shared/orders/order.ts';
import { type Actor, act, buyerOf, call, type PairName, pairCount, pairNames } from './actor.ts';
import { noFaults } from './core/rates.ts';
import type { Item } from './core/simulation.ts';
import { buyAndPay, type Operation, pairOperations, runPair } from './operations.ts';
import { closeAccount } from './people.ts';
import { keepSeats, takeOffer } from './waiting.ts';

/** The operations that are drawn in all histories, and those of the waiting list of the order's tier. */
const named: Record<PairName, Operation['run']> = {
  ...pairOperations,
  'join list': joinList,
  offer: raiseCapacity,
  'take offer': takeOffer,
  'offer ends': endOffer,
  'lose dispute': loseDispute,
  'close account': closeAccount,
  'list seats': listSeats,
  'keep seats': keepSeats,
  resell,
};

/**
 * A history of its own: two operations meet on one order of a tier for which somebody waits. The seed decides the pair. In the
 * first round one operation follows the other, later also at the same time and with workers that are often killed.
 */
export const pairScenario: readonly Operation[] = [{ name: 'pair', weight: 1, run: meetOnce }];

async function meetOnce(actor: Actor): Promise<void> {
  const { simulation, random } = actor;
  const index = Number(simulation.seed.split(' ')[1]) - 1;
  const round = Math.floor(index / pairCount);
  const first = pairNames[Math.floor((index % pairCount) / pairNames.length)] as PairName;
  const second = pairNames[index % pairNames.length] as PairName;
  const rates = { ...simulation.rates, ...(round > 0 && { kill: 0.5 }) };
  Object.assign(simulation.rates, noFaults);
  const focus = await prepare(actor, [first, second]);
  Object.assign(simulation.rates, rates);
  actor.tell(`${first}, then ${second}`);
  await runPair({ ...actor, focus }, named, [first, second], round > 0 && random.chance(0.5));
}

const listOperations = ['join list', 'offer', 'take offer', 'offer ends'];
const resaleOperations = ['list seats', 'keep seats', 'resell'];
const needsPending = ['cancel order', 'expire', 'fail', 'settle'];

/** Sells two tickets of a tier, which then has none left and a list, in the state in which the operations can happen. */
async function prepare(actor: Actor, pair: readonly string[]): Promise<Item> {
  const { simulation, world } = actor;
  const { olu, ann, ben, dan } = world.people;
  // Only Dan closes his account: that of the buyer, or of the person who waits.
  const isClosed = pair.includes('close account');
  const isListed = pair.some((name) => listOperations.includes(name));
  const isResold = pair.some((name) => resaleOperations.includes(name));
  const buyer = isClosed && !isListed ? dan : ann;
  const waiter = isClosed && isListed ? dan : ben;
  const eventId = (isResold ? world.events.resold : world.events.minted) as string;
  const event = simulation.all('EVENT').find(({ id }) => id === eventId) as Item;
  const [tier] = event.tiers as Item[];
  const isPaid = !needsPending.includes(pair[0] as string);
  const find = await buyAndPay(actor, buyer, { eventId, tierId: tier?.id, quantity: 2 }, isPaid);
  if (pair[0] === 'late settle') {
    await act(actor, buyer, 'cancels', 'POST /api/orders/{id}/cancel', { params: { id: find().id } });
  }
  const params = { id: eventId, tierId: tier?.id };
  const setQuantity = (quantity: number) =>
    act(actor, olu, `sets the capacity ${quantity}`, 'PUT /api/events/{id}/tiers/{tierId}', {
      params,
      body: { quantity },
    });
  await setQuantity(2);
  const body = { tierId: tier?.id, quantity: 1 };
  const joined = { as: waiter, params: { id: eventId }, body };
  await call(actor, 'POST /api/events/{id}/waiting-list', joined);
  if (pair.includes('take offer') || pair[0] === 'offer ends') {
    await raiseCapacity({ ...actor, focus: find() });
  }
  if (pair.includes('keep seats') || pair.includes('resell')) await listSeats({ ...actor, focus: find() });
  if (pair[0] === 'burn') {
    await simulation.kernel.sleep(600_000);
    await call(actor, 'POST /api/orders/{id}/refund', { as: olu, params: { id: find().id } });
  }
  return find();
}

async function joinList(actor: Actor): Promise<void> {
  const { cy } = actor.world.people;
  const { eventId, items } = toOrder(actor.focus);
  const options = { params: { id: eventId }, body: { tierId: items[0]?.tierId, quantity: 1 } };
  await act(actor, cy, 'joins the list', 'POST /api/events/{id}/waiting-list', options);
}

/** Adds a ticket, and waits until it is offered. */
async function raiseCapacity(actor: Actor): Promise<void> {
  const { simulation, world } = actor;
  const { eventId, items } = toOrder(actor.focus);
  const tierId = items[0]?.tierId ?? '';
  const event = simulation.all('EVENT').find(({ id }) => id === eventId);
  const { quantity } = event?.tiers.find(({ id }: Item) => id === tierId) ?? {};
  const options = { params: { id: eventId, tierId }, body: { quantity: quantity + 1 } };
  await act(actor, world.people.olu, 'adds a ticket', 'PUT /api/events/{id}/tiers/{tierId}', options);
  for (let waited = 0; waited < 10 && simulation.all('OFFERED#').length === 0; waited++)
    await simulation.kernel.sleep(30_000);
}

/** The buyer lists a seat, which is offered to the person who waits. */
async function listSeats(actor: Actor): Promise<void> {
  const { simulation, focus } = actor;
  const minted = () => simulation.all('ORDER').find(({ id }) => id === focus?.id) as Item;
  for (let waited = 0; waited < 60 && minted().fulfilmentStatus !== 'minted'; waited++)
    await simulation.kernel.sleep(10_000);
  const options = { params: { id: minted().id }, body: { seats: [1] }, key: `${actor.random.name} lists` };
  await act(actor, buyerOf(actor, minted()), 'lists a seat', 'POST /api/orders/{id}/returns', options, 3);
  for (let waited = 0; waited < 10 && simulation.all('OFFERED#').length === 0; waited++)
    await simulation.kernel.sleep(30_000);
}

/** The person who waits takes the offer of the listed seat, and pays. */
async function resell(actor: Actor): Promise<void> {
  const { simulation, random, focus, tell } = actor;
  await takeOffer(actor);
  const order = simulation.all('ORDER').find(({ backedBy }) => backedBy?.orderIds.includes(focus?.id));
  const payment = order && simulation.providers.payments.findByReference(order.reference);
  if (payment?.status !== 'open') return;
  await simulation.providers.runAsProvider(random, () => simulation.providers.actions.pay(payment, {}));
  tell(`the listed seat is paid as ${order?.id.slice(-6)}`);
}

/** The buyer disputes the payment, and the bank decides for them. */
async function loseDispute(actor: Actor): Promise<void> {
  const { simulation, random, focus, memory, tell } = actor;
  const { payments, actions } = simulation.providers;
  const payment = focus && payments.findByReference(focus.reference);
  if (payment?.status !== 'paid' || payment.dispute) return;
  memory.returnedPayments.add(payment.reference);
  await simulation.providers.runAsProvider(random, async () => {
    await actions.dispute(payment, { status: 'open' });
    await actions.dispute(payments.findByCode(payment.code), { status: 'lost' });
  });
  tell(`the dispute about ${focus?.id.slice(-6)} is lost`);
}

/** Lets an offer end that nobody takes. */
async function endOffer({ simulation, tell }: Actor): Promise<void> {
  const [entry] = simulation.all('OFFERED#');
  if (!entry) return;
  await simulation.kernel.sleep(Date.parse(entry.offer.expiresAt) - simulation.kernel.now + 120_000);
  tell(`the offer ${entry.offer.id.slice(-6)} ends`);
}
