import { createHash } from 'node:crypto';
import { getAddress } from 'ethers/address';
import { isUndecided } from '../../infra/sandbox/payments.ts';
import { hashBuyer } from '../../shared/catalog/inventory/inventory.ts';
import { toDecimal } from '../../shared/core/money.ts';
import { netOf } from '../../shared/money/ledger/ledger.ts';
import { encodeReference, seatNumbersOfIssue, toOrder } from '../../shared/orders/order.ts';
import { remainingSoldOrder } from '../../shared/orders/shares.ts';
import { seatNumber, ticketId } from '../../shared/tickets/ticket.ts';
import {
  type Actor,
  act,
  addressOf,
  buyerOf,
  call,
  count,
  guestOf,
  outcome,
  type PairName,
  personOf,
  pickBuyer,
  pickEvent,
  pickOrder,
} from './actor.ts';
import type { Random } from './core/random.ts';
import type { Answer, CallOptions, Item, Person } from './core/simulation.ts';
import { chainId, firstTokenOf, ticketContract } from './parts/chain.ts';
import { gateways } from './parts/providers.ts';
import { peopleOperations } from './people.ts';
import { thiefOperations } from './thieves.ts';
import { waitingOperations } from './waiting.ts';
import { webhookOperations } from './webhooks.ts';
import { wallets } from './world.ts';

/** Something that one of the people does. Weights are relative. */
export interface Operation {
  name: string;
  weight: number;
  run(actor: Actor): Promise<void>;
}

const isPaid = (order: Item) => order.paymentStatus === 'COMPLETED';
const isPending = (order: Item) => order.paymentStatus === 'PENDING';
const short = (order: Item) => `${order.id.slice(-6)}`;

const paymentOf = ({ simulation }: Actor, order: Item) =>
  simulation.providers.payments.findByReference(order.reference);

/** Tickets of one tier, or of up to three, among them tickets of tiers that can't be bought alone. */
function chooseTickets(random: Random, tiers: Item[]) {
  const quantity = () => 1 + random.below(3);
  if (random.chance(0.5)) return { tierId: random.pick(tiers).id as string, quantity: quantity() };
  const chosen = tiers.filter(() => random.chance(0.7)).slice(0, 3);
  const items = chosen.length > 0 ? chosen : [random.pick(tiers)];
  return { items: items.map(({ id }) => ({ tierId: id as string, quantity: quantity() })) };
}

const tellTickets = ({ quantity, items }: { quantity?: number; items?: { quantity: number }[] }) =>
  items ? items.map(({ quantity }) => quantity).join(' + ') : `${quantity}`;

/** Buys, and mostly pays some time later. */
async function buy(actor: Actor): Promise<void> {
  const { random, world, memory } = actor;
  const buyer = pickBuyer(actor);
  const name = random.pick([
    'fiat',
    'fiat',
    'fiat',
    'minted',
    'minted',
    'resold',
    'resold',
    'door',
    'free',
    'crypto',
  ]);
  const eventId = world.events[name] as string;
  const event = actor.simulation.all('EVENT').find(({ id }) => id === eventId);
  if (!event) return;
  const body = {
    eventId,
    ...chooseTickets(random, event.tiers as Item[]),
    paymentMethod: name === 'crypto' ? 'CRYPTO' : 'FIAT',
    gateway: random.pick([...gateways]),
    ...(name === 'fiat' && random.chance(0.4) && { code: random.pick(['HALF', 'HALF', 'ONCE']) }),
  };
  // Dan, who closes his account, always has one.
  const isGuest = buyer.name !== 'dan' && event.buyers === 'anyone' && random.chance(0.3);
  const customer = { email: buyer.email, name: buyer.name };
  const options = isGuest
    ? { body: { ...body, customer }, key: `${random.name} of a guest`.padEnd(22, '.') }
    : { as: buyer, body, key: `${random.name}` };
  // The organizer edits the event during the purchase.
  const edit = random.chance(0.2)
    ? random.weighted([
        [8, changeTier],
        [4, changeEvent],
        [1, cancelEvent],
      ])
    : undefined;
  const editing = edit?.({ ...actor, random: random.child('edit'), focus: { eventId } });
  const times = random.chance(0.15) ? 2 : 1;
  const attemptedBy = isGuest ? hashBuyer(buyer.email) : buyer.id;
  memory.attempts.set(attemptedBy, (memory.attempts.get(attemptedBy) ?? 0) + 1);
  const repeats = random.below(3);
  // Somebody else buys with the address of the guest at the same time.
  const other = isGuest && random.chance(0.5) ? buyAgain(actor, options, attemptedBy) : undefined;
  const answers = await Promise.all(
    Array.from({ length: times }, () => call(actor, 'POST /api/orders/initialize', options, repeats)),
  );
  await editing;
  await other;
  const bought = answers.find(({ status }) => status === 201);
  const orderIds = new Set(answers.flatMap(({ status, body }) => (status === 201 ? [body.orderId] : [])));
  for (const { body } of answers) {
    if (body?.accessToken) memory.accessTokens.set(body.orderId, body.accessToken);
  }
  if (orderIds.size > 1) {
    actor.simulation.violate('one order per idempotency key', `${options.key}: ${[...orderIds]}`);
  }
  actor.tell(
    `${buyer.name}${isGuest ? ' as guest' : ''} buys ${tellTickets(body)} of ${name}${'code' in body ? ` with ${body.code}` : ''} at ${body.gateway}` +
      `${times > 1 ? ' twice at once' : ''} → ${answers.map(outcome)} ${bought ? bought.body.orderId.slice(-6) : ''}`,
  );
  if (bought) countItems(actor, bought.body.orderId);
  if (!bought || random.chance(0.2)) return;
  if (random.chance(0.2)) await repeatCall(actor, options, bought);
  await actor.simulation.kernel.sleep(random.pick([10, 500, 30_000, 200_000, 350_000]));
  const order = actor.simulation.all('ORDER').find(({ id }) => id === bought.body.orderId);
  if (order) await payOrder(actor, order);
}

function countItems(actor: Actor, orderId: string): void {
  const found = actor.simulation.all('ORDER').find(({ id }) => id === orderId);
  if (!found) return;
  const { items, redemption } = toOrder(found);
  if (items.some(({ isAddOn }) => isAddOn)) count(actor, 'an add-on');
  if (items.length === 1) return;
  count(actor, 'several items');
  if (redemption) count(actor, 'a code over several items');
}

async function buyAgain(actor: Actor, { body }: CallOptions, attemptedBy: string): Promise<void> {
  const { memory, random } = actor;
  memory.attempts.set(attemptedBy, (memory.attempts.get(attemptedBy) ?? 0) + 1);
  const options = { ...(body && { body }), key: `${random.name} of another guest`.padEnd(22, '.') };
  const answer = await call(actor, 'POST /api/orders/initialize', options);
  if (answer.body?.accessToken) memory.accessTokens.set(answer.body.orderId, answer.body.accessToken);
  actor.tell(`another guest buys with the same address → ${outcome(answer)}`);
}

/** Repeats a call whose answer has arrived, now or hours later. */
async function repeatCall(actor: Actor, options: CallOptions, first: Answer): Promise<void> {
  const { random, simulation, tell } = actor;
  const route = 'POST /api/orders/initialize';
  await simulation.kernel.sleep(random.pick([0, 40_000, 1_200_000]));
  const again = await call(actor, route, options, 0);
  tell(
    `${options.as?.name ?? 'the guest'} repeats the call for ${first.body.orderId.slice(-6)} → ${outcome(again)}`,
  );
  if (again.status === 201 && again.body.orderId === first.body.orderId) return;
  const isUnclear = again.status === 0 || again.status >= 500 || again.code === 'busy';
  // The first answer may not have been stored; then the key stays claimed for 35 s. The login may have failed.
  if (isUnclear || again.code === 'in-progress' || again.code === 'invalid-token') return;
  simulation.violate('a repeated call gets the first answer', `${options.key}: ${outcome(again)}`);
}

/** Pays an order, or several at once, which are then fulfilled together. */
async function pay(actor: Actor): Promise<void> {
  const { random } = actor;
  const orders = Array.from({ length: random.chance(0.3) ? 4 : 1 }, () => pickOrder(actor, isPending));
  const different = new Map(orders.flatMap((order) => (order ? [[order.id, order]] : [])));
  await Promise.all([...different.values()].map((order) => payOrder(actor, order)));
}

export async function payOrder(actor: Actor, order: Item): Promise<void> {
  if (order.paymentMethod === 'CRYPTO') return payOnChain(actor, order);
  const { random, simulation, memory } = actor;
  const payment = paymentOf(actor, order);
  // The buyer pays at the address that the service shows.
  const isShown = simulation.all('ORDER').some(({ id, checkoutUrl }) => id === order.id && checkoutUrl);
  if (!payment || !isShown || payment.status === 'expired' || payment.status === 'paid') return;
  const kind = random.weighted([
    [12, 'whole'],
    [2, 'silent'],
    [1, 'short'],
    [1, 'other currency'],
    [2, 'declined first'],
    [1, 'twice'],
  ]);
  const wrong = {
    short: { amount: Math.floor(payment.amount / 2) },
    'other currency': { currency: 'EUR' },
  }[kind as 'short'];
  // Nobody tells the service about a silent payment: it asks the provider when the hold ends.
  const isSilent = kind === 'silent' && order.paymentStatus === 'PENDING';
  const options = { ...wrong, webhook: !isSilent, repeat: kind === 'twice' ? 2 : 1 };
  if (wrong) memory.wrongPayments.add(order.reference);
  actor.tell(`${payment.email} pays ${short(order)} at ${payment.gateway}: ${kind}`);
  await simulation.providers.runAsProvider(random, async () => {
    if (kind === 'declined first') await simulation.providers.actions.decline(payment);
    await simulation.providers.actions.pay(simulation.providers.payments.findByCode(payment.code), options);
  });
}

async function payOnChain(actor: Actor, order: Item): Promise<void> {
  const { random, simulation } = actor;
  const terms = order.chainTerms;
  const isEnough = random.chance(0.85);
  const value = isEnough ? BigInt(order.totalAmount) : BigInt(order.totalAmount) / 2n;
  const from = wallets.ann as string;
  const hash = simulation.chain.pay(from, terms.to, value, encodeReference(order.reference));
  // A thief confirms an order of theirs with the hash.
  const isOther = ({ id, paymentMethod }: Item) => paymentMethod === 'CRYPTO' && id !== order.id;
  const thief = random.chance(0.4)
    ? pickOrder(actor, (other) => isPending(other) && isOther(other))
    : undefined;
  await simulation.kernel.sleep(random.below(20_000));
  const confirm = async (confirmed: Item) => {
    const options = { as: buyerOf(actor, confirmed), params: { id: confirmed.id }, body: { txHash: hash } };
    const answer = await call(actor, 'POST /api/orders/{id}/confirm', options);
    actor.tell(
      `${options.as.name} confirms ${short(confirmed)} by ${hash.slice(0, 8)}${isEnough ? '' : ' (half)'} → ${outcome(answer)}`,
    );
  };
  await Promise.all([confirm(order), ...(thief ? [confirm(thief)] : [])]);
}

async function decline(actor: Actor): Promise<void> {
  const order = pickOrder(actor, isPending);
  const payment = order && paymentOf(actor, order);
  if (!payment || payment.status === 'paid' || !order?.checkoutUrl) return;
  actor.tell(`the card for ${short(order)} is declined`);
  await actor.simulation.providers.runAsProvider(actor.random, () =>
    actor.simulation.providers.actions.decline(payment),
  );
}

async function cancelOrder(actor: Actor): Promise<void> {
  const { simulation, focus } = actor;
  const isWanted = () => focus !== undefined || actor.random.chance(0.1);
  const order = pickOrder(actor, (candidate) => isPending(candidate) || isWanted());
  if (!order) return;
  const route = 'POST /api/orders/{id}/cancel';
  const params = { id: order.id };
  const { status } = await act(actor, buyerOf(actor, order), `cancels ${short(order)}`, route, { params });
  if (status === 200 && isPaid(order)) simulation.violate('a paid order is not cancelled', order.id);
}

async function refund(actor: Actor): Promise<void> {
  const isRefundable = (candidate: Item) => isPaid(candidate) || actor.focus !== undefined;
  const order = pickOrder(actor, isRefundable);
  if (!order) return;
  const { olu, ada } = actor.world.people;
  const as = actor.random.pick([olu, olu, ada]);
  // Some are refunded long after they were minted.
  if (actor.random.chance(0.3)) await actor.simulation.kernel.sleep(400_000);
  const times = actor.random.chance(0.2) ? 2 : 1;
  const options = { as, params: { id: order.id } };
  const wasSold = isSold(actor, order);
  const answers = await Promise.all(
    Array.from({ length: times }, () => call(actor, 'POST /api/orders/{id}/refund', options)),
  );
  if (wasSold && isSold(actor, order) && answers.some(({ status }) => status === 200))
    actor.simulation.violate('the seller of a token is not refunded', order.id);
  actor.tell(`${as.name} refunds ${short(order)} → ${answers.map(outcome)}`);
}

/** Refunds seats of an order, or an amount: once, or several parts at once. */
async function refundPart(actor: Actor): Promise<void> {
  const { random, world } = actor;
  const order = pickOrder(actor, (candidate) => isPaid(candidate) || actor.focus !== undefined);
  if (!order) return;
  const { quantity, totalAmount } = toOrder(order);
  if (random.chance(0.3)) await actor.simulation.kernel.sleep(400_000);
  const chooseSeats = () =>
    [1 + random.below(quantity), 1 + random.below(quantity)].slice(0, 1 + random.below(2));
  const chooseAmount = () =>
    Number(toDecimal((totalAmount * BigInt(1 + random.below(3))) / 4n, order.currency));
  const parts = Array.from({ length: random.pick([1, 1, 2, 3]) }, () =>
    random.chance(0.7) ? { seats: chooseSeats() } : { amount: chooseAmount() },
  );
  const as = random.pick([world.people.olu, world.people.olu, world.people.ada]);
  const answers = await Promise.all(
    parts.map(async (body, index) => {
      const key = random.chance(0.5) ? { key: `${random.name} part ${index}` } : {};
      const wasSold = body.seats && isSold(actor, order, body.seats);
      const answer = await call(actor, 'POST /api/orders/{id}/refund', {
        as,
        params: { id: order.id },
        body,
        ...key,
      });
      if (wasSold && isSold(actor, order, body.seats) && answer.status === 200)
        actor.simulation.violate('the seller of a token is not refunded', `${order.id} ${body.seats}`);
      return answer;
    }),
  );
  const description = parts
    .map(({ seats, amount }) => (seats ? `seats ${seats}` : `${amount}`))
    .join(' and ');
  actor.tell(`${as.name} refunds ${description} of ${short(order)} → ${answers.map(outcome)}`);
  if (answers.some(({ status }) => status === 200)) count(actor, 'a partial refund');
}

/** The buyer returns seats of an order, perhaps twice at once. */
export async function returnSeats(actor: Actor): Promise<void> {
  const { random } = actor;
  const order = pickOrder(
    actor,
    (candidate) => (isPaid(candidate) && candidate.returns) || actor.focus !== undefined,
  );
  if (!order) return;
  const { quantity } = toOrder(order);
  const seats = [1 + random.below(quantity), 1 + random.below(quantity)].slice(0, 1 + random.below(2));
  const as = buyerOf(actor, order);
  const options = { as, params: { id: order.id }, body: { seats }, key: `${random.name} return` };
  const times = random.chance(0.2) ? 2 : 1;
  const wasSold = isSold(actor, order, seats);
  const answers = await Promise.all(
    Array.from({ length: times }, () => call(actor, 'POST /api/orders/{id}/returns', options)),
  );
  const isReturned = answers.some(({ status }) => status === 201);
  if (isReturned && wasSold && isSold(actor, order, seats))
    actor.simulation.violate('the seller of a token is not refunded', `${order.id} ${seats}`);
  actor.tell(`${as.name} returns seats ${seats} of ${short(order)} → ${answers.map(outcome)}`);
  if (isReturned)
    count(actor, answers.some(({ body }) => body?.return?.status === 'listed') ? 'a listing' : 'a return');
}

/** Whether the buyer of a token could lose its seat to a refund. Nodes lag by up to eight blocks. */
function isSold({ simulation, world }: Actor, { id, eventId }: Item, seats?: number[]): boolean {
  // A dispute may have refunded the order since it was picked.
  const isRefunded = simulation.all('ORDER').some((order) => order.id === id && order.refund);
  if (eventId !== world.events.door || isRefunded) return false;
  const [now, before] = [simulation.chain.state(), simulation.chain.state(simulation.chain.head - 8)];
  const isCancelled = simulation
    .all('EVENT')
    .some((event) => event.id === eventId && event.status === 'CANCELLED');
  return (
    !isCancelled &&
    simulation.all('TICKET#').some(({ id: ticket, orderId, tokenId, owner }) => {
      if (seats && !seats.includes(seatNumber(ticket))) return false;
      const owners = [now, before].map(({ owners }) => owners.get(BigInt(tokenId)));
      return orderId === id && owners.every((other) => other !== undefined && other !== owner);
    })
  );
}

/** A return that somebody makes at the provider, not through the service. */
async function refundAtProvider(actor: Actor, isSettled = true): Promise<void> {
  const { random, simulation } = actor;
  const order = pickOrder(
    actor,
    (candidate) => isPaid(candidate) === isSettled && candidate.paymentMethod === 'FIAT',
  );
  if (!order) return;
  const payment = paymentOf(actor, order);
  if (payment?.status !== 'paid' || (isSettled && order.isPosted !== true)) return;
  const action = random.weighted([
    [4, 'refund'],
    [3, 'part'],
    [2, 'lost'],
    [2, 'won'],
    [3, 'inquiry'],
  ]);
  actor.tell(`${payment.gateway} returns ${short(order)}: ${action}`);
  actor.memory.returnedPayments.add(order.reference);
  const { actions, payments } = simulation.providers;
  await simulation.providers
    .runAsProvider(random, async () => {
      if (action === 'refund') await actions.refund(payment);
      else if (action === 'part')
        await actions.refund(payment, { amount: Math.ceil(payment.paid.amount / 3) });
      else if (action === 'inquiry') {
        // It stays open until somebody decides it.
        if (!payment.dispute) await actions.dispute(payment, { status: random.pick(['inquiry', 'open']) });
      } else if (isUndecided(payment.dispute)) await actions.dispute(payment, { status: action });
      else if (!payment.dispute) {
        await actions.dispute(payment, { status: 'open' });
        await actions.dispute(payments.findByCode(payment.code), { status: action });
      }
    })
    .catch(() => {});
  if (!isSettled || action !== 'part' || random.chance(0.5)) return;
  // The service gives back the rest.
  const amount = Number(toDecimal((BigInt(order.totalAmount) * 3n) / 4n, order.currency));
  const options = { as: actor.world.people.ada, params: { id: order.id }, body: { amount } };
  const answer = await call(actor, 'POST /api/orders/{id}/refund', options);
  actor.tell(`ada refunds ${amount} of ${short(order)} → ${outcome(answer)}`);
}

/** Asks for a code that a holder could show at the door. */
async function readCodes(actor: Actor, order: Item): Promise<{ number: number; checkInCode: string }[]> {
  const as = buyerOf(actor, order);
  const answer = await call(actor, 'GET /api/orders/{id}', { as, params: { id: order.id } });
  return answer.body?.order?.admissions ?? [];
}

export async function checkIn(actor: Actor): Promise<void> {
  const { random, simulation, memory, world } = actor;
  const order = pickOrder(actor, isPaid);
  if (!order) return;
  const codes = await readCodes(actor, order);
  if (codes.length === 0) return;
  const { number, checkInCode: code } = random.pick(codes);
  await simulation.kernel.sleep(random.pick([0, 0, 5_000, 200_000]));
  const as = random.pick([world.people.sam, world.people.sam, world.people.olu, world.people.ria]);
  // The device had no network, and sends the scan later.
  const isOffline = random.chance(0.3);
  const scan = async (scanId: string) => {
    const isRefunded = simulation
      .all('ORDER')
      .some(({ id, refund, returned }) => id === order.id && (refund || returned?.includes(number)));
    const isStaff = () =>
      as.name === 'olu' ||
      simulation.all('STAFF#').some(({ eventId, email }) => eventId === order.eventId && email === as.email);
    const wasStaff = isStaff();
    const answer = isOffline
      ? await uploadScan(actor, order, { code, number, scanId }, as)
      : await call(actor, 'POST /api/tickets/check-in', { as, body: { code, scanId } });
    const isAdmitted = isOffline ? answer.body?.results?.[0]?.result === 'admitted' : true;
    if (answer.status === 200 && isAdmitted) {
      if (!wasStaff && !isStaff()) {
        simulation.violate('only staff admits', `${as.name} admits ${order.id}`);
      }
      // A repetition of an admission that was undone has its first result.
      const isFirst = !memory.admissions.get(`${order.id} ${number}`)?.includes(hash(scanId));
      if (isRefunded && isFirst)
        simulation.violate('no admission after the refund', `${order.id} seat ${number}`);
      if (answer.body.chainChecked) requireTokenOwner(actor, order, number);
      const key = `${order.id} ${number}`;
      const scans = memory.admissions.get(key) ?? [];
      memory.admissions.set(key, scans.includes(hash(scanId)) ? scans : [...scans, hash(scanId)]);
      if ((memory.admissions.get(key)?.length ?? 0) > 1 + (memory.undoneAdmissions.get(key) ?? 0)) {
        simulation.violate('a seat is admitted once', `${order.id} seat ${number}`);
      }
    }
    return answer;
  };
  // The organizer refunds the order, or the seat, while it is scanned.
  const body = random.chance(0.75) ? { body: { seats: [number] } } : {};
  const refundOptions = { as: world.people.olu, params: { id: order.id }, ...body };
  const refunding = random.chance(0.4)
    ? call(actor, 'POST /api/orders/{id}/refund', refundOptions)
    : undefined;
  if (refunding) await simulation.kernel.sleep(random.pick([0, 30, 45, 60, 120]));
  const times = random.chance(0.4) ? 2 : 1;
  const scans = Array.from({ length: times }, (_, index) => scan(`${random.name}-${index}`));
  await refunding;
  const answers = await Promise.all(scans);
  actor.tell(`${as.name} scans seat ${number} of ${short(order)} → ${answers.map(outcome)}`);
}

/** Sends a scan that a device has made without network. */
function uploadScan(
  actor: Actor,
  { id, eventId }: Item,
  { code, number, scanId }: { code: string; number: number; scanId: string },
  as: Person,
): Promise<Answer> {
  const codeHash = createHash('sha256').update(code).digest().subarray(0, 16).toString('base64url');
  const at = new Date(actor.simulation.kernel.now - 60_000).toISOString();
  const body = {
    deviceId: `${as.name}-phone`,
    scans: [{ scanId, seat: `${id}.${number}`, hash: codeHash, at }],
  };
  return call(actor, 'POST /api/events/{id}/door/scans', { as, params: { id: eventId }, body });
}

/** The door or the organizer undoes an admission. */
async function undoAdmission(actor: Actor): Promise<void> {
  const { random, simulation, memory, world } = actor;
  const seats = simulation.all('SEAT#').filter(({ checkedInAt }) => checkedInAt);
  if (seats.length === 0) return;
  const { orderId, number } = random.pick(seats);
  const as = random.pick([world.people.sam, world.people.olu, world.people.ria]);
  const key = `${orderId} ${number}`;
  memory.undoneAdmissions.set(key, (memory.undoneAdmissions.get(key) ?? 0) + 1);
  const path = 'DELETE /api/orders/{id}/seats/{number}/admission';
  const answer = await call(actor, path, { as, params: { id: orderId, number: String(number) } });
  actor.tell(`${as.name} undoes the admission of seat ${key} → ${outcome(answer)}`);
}

/** Requires that a seat's holder has its token, as of now or 20 seconds ago, since nodes lag. */
function requireTokenOwner({ simulation }: Actor, order: Item, number: number): void {
  const ticket = simulation.all('TICKET#').find(({ id }) => id === ticketId(order.id, number));
  const seat = simulation.all('SEAT#').find((item) => item.orderId === order.id && item.number === number);
  const { chain } = simulation;
  const owners = [chain.state(), chain.state(chain.head - 10)].map(({ owners }) =>
    owners.get(BigInt(ticket?.tokenId ?? 0)),
  );
  const isOwner = owners.some((owner) => owner === undefined || owner === (seat?.wallet ?? ticket?.owner));
  if (!isOwner) simulation.violate('the owner of the token is admitted', `${order.id} seat ${number}`);
}

const hash = (text: string) =>
  [...text].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) | 0, 7);

/** Offers a seat, and mostly lets the other accept it. */
async function transfer(actor: Actor): Promise<void> {
  const { random, simulation } = actor;
  const order = pickOrder(actor, isPaid);
  if (!order) return;
  const as = buyerOf(actor, order);
  const to = pickBuyer(actor);
  const number = 1 + random.below(toOrder(order).quantity);
  const params = { id: order.id, number: String(number) };
  const offer = await call(actor, 'POST /api/orders/{id}/seats/{number}/transfer', {
    as,
    params,
    body: { email: to.email },
  });
  actor.tell(`${as.name} offers seat ${number} of ${short(order)} to ${to.name} → ${outcome(offer)}`);
  if (offer.status !== 201) return;
  await simulation.kernel.sleep(random.pick([0, 1_000, 100_000]));
  const token = { token: offer.body.transfer.token };
  const answer = (who: Person, route: string) => call(actor, route, { as: who, params: token });
  const accept = answer(random.chance(0.9) ? to : pickBuyer(actor), 'POST /api/transfers/{token}/accept');
  const withdrawn = random.chance(0.2) ? answer(as, 'DELETE /api/transfers/{token}') : undefined;
  const [accepted, withdrawal] = await Promise.all([accept, withdrawn]);
  if (accepted.status === 200 && withdrawal?.status === 200) {
    simulation.violate('an offer ends once', `${offer.body.transfer.token} was accepted and withdrawn`);
  }
  actor.tell(
    `${to.name} accepts seat ${number} of ${short(order)} → ${outcome(accepted)}${withdrawal ? `, withdrawn → ${outcome(withdrawal)}` : ''}`,
  );
}

/** Sells a token on a marketplace; its new owner claims the seat. */
async function sellToken(actor: Actor): Promise<void> {
  const { random, simulation, world } = actor;
  const tokens = [...simulation.chain.state().owners].filter(([, owner]) =>
    Object.values(wallets).includes(owner.toLowerCase()),
  );
  if (tokens.length === 0) return;
  const [tokenId, owner] = random.pick(tokens);
  const [name, wallet = ''] = random.pick(Object.entries(wallets));
  const person = world.people[name as 'ann'];
  if (owner.toLowerCase() !== wallet) simulation.chain.transferToken(tokenId, owner, person.wallet as string);
  await simulation.kernel.sleep(random.pick([0, 3_000, 8_000, 60_000]));
  // The organizer refunds the seller.
  const { orderId } = simulation.all('TICKET#').find((ticket) => ticket.tokenId === String(tokenId)) ?? {};
  const focus = simulation.all('ORDER').find(({ id }) => id === orderId);
  if (focus && random.chance(0.4)) await refund({ ...actor, random: random.child('refund'), focus });
  const body = { chainId, contractAddress: ticketContract, tokenId: String(tokenId) };
  const { chain } = simulation;
  const ownersBefore = chain.state(chain.final).owners;
  const answer = await call(actor, 'POST /api/tickets/claim', { as: person, body });
  const isOwner = [ownersBefore, chain.state(chain.final).owners].some(
    (owners) => owners.get(tokenId)?.toLowerCase() === wallet,
  );
  if (answer.status === 200 && !isOwner)
    simulation.violate('the final owner of a token claims its seat', `${name}: ${tokenId}`);
  actor.tell(`${name} buys a token and claims its seat → ${outcome(answer)}`);
}

async function reissue(actor: Actor): Promise<void> {
  const { random, world, simulation } = actor;
  const order = pickOrder(actor, (candidate) => candidate.fulfilmentStatus === 'minted');
  if (!order) return;
  const as = random.pick([buyerOf(actor, order), world.people.olu]);
  const walletAddress = random.pick([...Object.values(wallets), `0x${'c'.repeat(40)}`]);
  // The buyer sells a token meanwhile.
  const isSold = random.chance(0.3);
  const [token, owner] =
    [...simulation.chain.state().owners].find(([id]) => id === firstTokenOf(order.id, order.issue?.number)) ??
    [];
  const answer = await call(actor, 'POST /api/orders/{id}/reissue', {
    as,
    params: { id: order.id },
    body: { walletAddress },
  });
  if (isSold && token && owner)
    simulation.chain.transferToken(token, owner, world.people.ben.wallet as string);
  actor.tell(
    `${as.name} reissues ${short(order)}${isSold ? ', and sells a token' : ''} → ${outcome(answer)}`,
  );
}

/** Another account with the minter role mints an order, rightly or wrongly. */
async function mintElsewhere(actor: Actor): Promise<void> {
  const { random, simulation, world, memory } = actor;
  const order = pickOrder(
    actor,
    ({ eventId, fulfilmentStatus, issue }) =>
      eventId !== world.events.fiat && !issue && ['none', 'queued', 'minting'].includes(fulfilmentStatus),
  );
  const wallet = order && buyerOf(actor, order).wallet;
  if (!wallet) return;
  const quantity = seatNumbersOfIssue(toOrder(order)).length + random.pick([0, 1]);
  const to = random.chance(0.7) ? wallet : getAddress(wallets.ben as string);
  memory.foreignMints.add(order.id);
  simulation.chain.mintElsewhere(order.id, to, quantity);
  actor.tell(`another account mints ${quantity} of ${short(order)} to ${to}`);
}

/** Asks again for tickets that failed to be minted, or for the mail. */
async function fulfilAgain(actor: Actor): Promise<void> {
  const order = pickOrder(actor, isPaid);
  if (!order) return;
  const [route, as] = actor.random.pick([
    ['POST /api/orders/{id}/fulfil', actor.world.people.olu],
    ['POST /api/orders/{id}/send', buyerOf(actor, order)],
  ] as const);
  await act(actor, as, `calls ${route.split('/').at(-1)} ${short(order)}`, route, {
    params: { id: order.id },
  });
}

/** The credits that the ledger reserves for open disputes, by order. */
const reservedOrders = ({ simulation }: Actor): Map<string, bigint> =>
  new Map(
    simulation
      .all('ORDER')
      .filter(({ openDisputes, isCredited, currency }) => openDisputes && isCredited && currency === 'NGN')
      .map(toOrder)
      .map((order) => [order.id, netOf(remainingSoldOrder(order))]),
  );

/** A payout was accepted: with it, what is paid out and what stayed reserved all the time is not more than was earned. */
function requireReserve(actor: Actor, reservedBefore: Map<string, bigint>): void {
  const { simulation } = actor;
  const now = reservedOrders(actor);
  const reserved = [...reservedBefore].reduce((sum, [id, amount]) => (now.has(id) ? sum + amount : sum), 0n);
  const earned = simulation
    .all('ENTRY#')
    .filter(({ currency, pk }) => currency === 'NGN' && pk === `LEDGER#${actor.world.people.olu.id}`)
    .flatMap(({ orders = [] }) => orders.flatMap(({ items }: Item) => items))
    .reduce((sum, { net }) => (BigInt(net) > 0n ? sum + BigInt(net) : sum), 0n);
  const paidOut = simulation
    .all('BALANCE#')
    .filter(({ currency, pk }) => currency === 'NGN' && pk === `LEDGER#${actor.world.people.olu.id}`)
    .reduce((sum, { pending = 0, paidOut = 0 }) => sum + BigInt(pending) + BigInt(paidOut), 0n);
  if (paidOut + reserved > earned) {
    simulation.violate('what is disputed is not paid out', `${paidOut} + ${reserved} of ${earned}`);
  }
}

async function requestPayout(actor: Actor): Promise<void> {
  const { random, simulation, world } = actor;
  const balances = simulation
    .all('BALANCE#')
    .filter(({ available, currency }) => available > 0 && currency === 'NGN');
  if (balances.length === 0) return;
  const { available, currency } = random.pick(balances);
  const amount = Math.max(0.01, Math.floor(Number(available) * random.pick([0.3, 0.6, 1, 1.5])) / 100);
  const body = {
    amount,
    currency,
    gateway: random.pick(['gateway-a', 'gateway-b']),
    destination: { accountNumber: '0123456789', bankCode: '044', accountName: 'Olu' },
  };
  const times = random.chance(0.3) ? 2 : 1;
  const reservedBefore = reservedOrders(actor);
  const hadFailed = simulation.all('PAYOUT').some(({ status }) => status === 'FAILED');
  const answers = await Promise.all(
    Array.from({ length: times }, (_, index) =>
      call(actor, 'POST /api/payouts', {
        as: world.people.olu,
        body,
        key: `${random.name}-${random.chance(0.5) ? 0 : index}`,
      }),
    ),
  );
  // A failed payout may arrive after all, whatever is disputed.
  if (!hadFailed && answers.some(({ status }) => status === 201)) requireReserve(actor, reservedBefore);
  actor.tell(`olu requests ${amount} ${currency} → ${answers.map(outcome)}`);
}

async function changeTier(actor: Actor): Promise<void> {
  const { random, simulation, world } = actor;
  const event = simulation.all('EVENT').find(({ id }) => id === pickEvent(actor));
  if (!event) return;
  const tier: Item = random.pick(event.tiers as Item[]);
  const body = random.chance(0.7)
    ? { quantity: Math.max(0, tier.quantity + random.below(7) - 3) }
    : random.pick<object>([{ maxPerPerson: 1 + random.below(5) }, { price: 10 * (1 + random.below(6)) }]);
  const options = { params: { id: event.id, tierId: tier.id }, body };
  const what = `changes ${tier.name} to ${JSON.stringify(body)}`;
  const route = 'PUT /api/events/{id}/tiers/{tierId}';
  const { status } = await act(actor, world.people.olu, what, route, options);
  if (status === 200) count(actor, 'a tier changed');
}

async function changeEvent(actor: Actor): Promise<void> {
  const { random, simulation, world } = actor;
  const event = simulation.all('EVENT').find(({ id }) => id === pickEvent(actor));
  if (!event) return;
  const body = random.weighted<object>([
    [3, { totalSupply: event.totalSupply + random.below(5) - 2 }],
    [1, { eventDate: new Date(Date.parse(event.eventDate) + 3_600_000 * random.below(48)).toISOString() }],
    [1, { maxPerWallet: 2 + random.below(6) }],
    [1, { status: random.pick(['DRAFT', 'PUBLISHED']) }],
  ]);
  const what = `changes ${event.title} to ${JSON.stringify(body)}`;
  await act(actor, world.people.olu, what, 'PUT /api/events/{id}', { params: { id: event.id }, body });
}

async function cancelEvent(actor: Actor): Promise<void> {
  const id = pickEvent(actor);
  const event = actor.simulation.all('EVENT').find((candidate) => candidate.id === id);
  const options = { params: { id }, body: { status: 'CANCELLED' } };
  await act(actor, actor.world.people.olu, `cancels ${event?.title}`, 'PUT /api/events/{id}', options, 2);
}

async function changeCode(actor: Actor): Promise<void> {
  const { random, world } = actor;
  const code = random.pick(['HALF', 'ONCE']);
  const body = random.pick<object>([
    { maxUses: 1 + random.below(4) },
    { active: random.chance(0.7) },
    { budget: 20 + random.below(40) },
  ]);
  const options = { params: { id: world.events.fiat as string, code }, body };
  const what = `changes ${code} to ${JSON.stringify(body)}`;
  await act(actor, world.people.olu, what, 'PUT /api/events/{id}/codes/{code}', options);
}

/** Adds a guest's orders to the account of the address, at the moment when one of them is paid. */
async function attach(actor: Actor): Promise<void> {
  const { random, simulation, world, memory } = actor;
  const isGuests = ({ guestVersion }: Item) => guestVersion !== undefined;
  const order =
    pickOrder(actor, (order) => isGuests(order) && isPending(order)) ?? pickOrder(actor, isGuests);
  const as = order && guestOf(world, order);
  if (!order || !as) return;
  const before = memory.accessTokens.get(order.id);
  const times = random.chance(0.3) ? 2 : 1;
  const [answers] = await Promise.all([
    Promise.all(Array.from({ length: times }, () => call(actor, 'POST /api/auth/orders', { as }))),
    isPending(order) && payOrder(actor, order),
  ]);
  actor.tell(`${as.name} adds the orders of a guest → ${answers.map(outcome)}`);
  const attached = answers.find(({ status }) => status === 200);
  if (!attached) return;
  if (isPending(order)) count(actor, 'attached while it was paid');
  if (as.name === 'cy' && !memory.mayHaveReset.has(as.id)) {
    simulation.violate('only a confirmed address gets its orders', as.name);
  }
  as.token = attached.body.token;
  const params = { id: order.id };
  const opened = await call(actor, 'GET /api/orders/{id}', { as, params }, 3);
  if (opened.status === 404) simulation.violate('an account opens the orders that were added', order.id);
  const guest = { ...as, token: `Order ${before}` };
  const old = before && (await simulation.call('GET /api/orders/{id}', { as: guest, params }));
  if (old && old.status === 200) simulation.violate('an access token ends when its order is added', order.id);
}

async function setWallet(actor: Actor): Promise<void> {
  const order = pickOrder(actor, ({ guestVersion }) => guestVersion !== undefined);
  if (!order) return;
  const as = buyerOf(actor, order);
  const options = { as, params: { id: order.id }, body: { walletAddress: guestWallet } };
  const answer = await call(actor, 'PUT /api/orders/{id}/wallet', options);
  actor.tell(`${as.name} sets the wallet of ${short(order)} → ${outcome(answer)}`);
}

const guestWallet = getAddress(`0x${'9'.repeat(40)}`);

/** What everybody may read, and what only some may. */
async function look(actor: Actor): Promise<void> {
  const { random, world } = actor;
  const as = random.pick(Object.values(world.people));
  const id = pickEvent(actor);
  const [route, params] = random.pick([
    ['GET /api/orders', {}],
    ['GET /api/seats', {}],
    ['GET /api/tickets', {}],
    ['GET /api/notifications', {}],
    ['GET /api/events', {}],
    ['GET /api/events/{id}', { id }],
    ['GET /api/events/{id}/summary', { id }],
    ['GET /api/events/{id}/orders', { id }],
    ['GET /api/events/{id}/admissions', { id }],
    ['GET /api/organizer/balance', {}],
    ['GET /api/payouts', {}],
  ] as [string, Record<string, string>][]);
  await call(actor, route, { as, params }, 0);
}

/** Tries what a stranger may not do to somebody's order, or with a forged webhook. */
async function trespass(actor: Actor): Promise<void> {
  const { random, simulation, world } = actor;
  const order = pickOrder(actor);
  if (!order) return;
  const others = [...Object.values(world.people)].filter(
    ({ id, name, email }) =>
      id !== order.userId && hashBuyer(email) !== addressOf(order) && !['olu', 'ada', 'sam'].includes(name),
  );
  const as = random.pick(others);
  const params = { id: order.id, number: '1' };
  const [route, body] = random.pick([
    ['GET /api/orders/{id}', undefined],
    ['POST /api/orders/{id}/cancel', undefined],
    ['POST /api/orders/{id}/refund', undefined],
    ['POST /api/orders/{id}/fulfil', undefined],
    ['POST /api/orders/{id}/reissue', { walletAddress: wallets.ben }],
    ['POST /api/orders/{id}/send', undefined],
  ] as [string, object | undefined][]);
  const answer = await call(actor, route, { as, params, ...(body && { body }) }, 0);
  expectRefusal(actor, answer, `${as.name}: ${route} of ${buyerOf(actor, order).name}'s ${short(order)}`);
  const forged = JSON.stringify({
    event: 'charge.success',
    data: { id: 1, reference: order.reference, status: 'success' },
  });
  const webhook = await simulation.call('POST /api/webhooks/gateway-a', {
    rawBody: forged,
    headers: { 'x-gateway-a-signature': '0'.repeat(128) },
  });
  expectRefusal(actor, webhook, `a forged webhook about ${short(order)}`);
}

function expectRefusal(actor: Actor, answer: Answer, what: string): void {
  if (answer.status >= 200 && answer.status < 300) actor.simulation.violate('strangers are refused', what);
}

/** Waits for a time at which much becomes due. */
async function letTimePass(actor: Actor): Promise<void> {
  const { random, simulation } = actor;
  const minutes = random.weighted([
    [4, 1 + random.below(5)],
    [4, 16],
    [3, 60],
    [1, 26 * 60],
    [1, 3 * 24 * 60],
  ]);
  actor.tell(`${minutes} minutes pass`);
  // Ends early when much goes on in this time, such as a payout that asks again and again for its money.
  const requests = simulation.requests;
  for (let passed = 0; passed < minutes && simulation.requests < requests + 1_000; passed += 30) {
    await simulation.kernel.sleep(Math.min(30, minutes - passed) * 60_000);
  }
}

/** A late payment of an order that its buyer cancelled, that expired, or whose card was declined. */
async function payAfterCancelling(actor: Actor): Promise<void> {
  const isLate = ({ failureReason }: Item) =>
    ['cancelled', 'expired', 'payment-failed'].includes(failureReason);
  // Rather one of several items.
  const order =
    pickOrder(actor, (order) => isLate(order) && order.items.length > 1) ?? pickOrder(actor, isLate);
  const payment = order && paymentOf(actor, order);
  if (payment?.status !== 'open' && payment?.status !== 'declined') return;
  // An order whose checkout began, but was not stored, has shown its address to nobody.
  if (!order?.checkoutUrl) return;
  if (toOrder(order).items.length > 1) count(actor, 'a late payment of several items');
  // The webhook of a payment may be lost, while the service still asks the provider.
  const webhook = !order.dueAt || actor.random.chance(0.6);
  actor.tell(
    `${personOf(actor.world, order.userId)?.name} pays ${short(order)} late${webhook ? '' : ', without a webhook'}`,
  );
  await actor.simulation.providers.runAsProvider(actor.random, () =>
    actor.simulation.providers.actions.pay(payment, { webhook }),
  );
}

/** Lets the order's hold end. */
async function expire({ simulation, random, focus, tell }: Actor): Promise<void> {
  if (!focus || !isPending(focus)) return;
  await simulation.kernel.sleep(
    Math.max(0, Date.parse(focus.expiresAt) - simulation.kernel.now - 500 + random.below(3_000)),
  );
  tell(`the hold of ${short(focus)} ends`);
}

/** Waits until a worker mints the order's tickets, or burns them. */
async function waitFor({ simulation, focus, tell }: Actor, what: 'mint' | 'burn'): Promise<void> {
  const hasBegun = (item: Item) =>
    what === 'mint'
      ? item.id === focus?.id && item.fulfilmentStatus === 'minting'
      : item.orderId === focus?.id && item.status !== 'done';
  for (let waited = 0; waited < 60; waited++) {
    if (simulation.all(what === 'mint' ? 'ORDER' : 'BURN').some(hasBegun)) {
      return tell(`the ${what} of ${short(focus as Item)} is under way`);
    }
    await simulation.kernel.sleep(1_000);
  }
}

/** The operations of docs/operation-pairs.md, on the order in focus. */
export const pairOperations = {
  'cancel event': cancelEvent,
  'cancel order': cancelOrder,
  expire,
  fail: decline,
  settle: pay,
  'late settle': payAfterCancelling,
  refund,
  'refund part': refundPart,
  'return seats': returnSeats,
  'check in': checkIn,
  mint: (actor) => waitFor(actor, 'mint'),
  burn: (actor) => waitFor(actor, 'burn'),
  'pay out': requestPayout,
} satisfies Partial<Record<PairName, Operation['run']>>;

/** Lets two operations meet on one order: at the same time, or one after the other. */
async function meet(actor: Actor): Promise<void> {
  const { random } = actor;
  const focus = pickOrder(actor);
  if (!focus) return;
  // An event is cancelled for all its orders, so rarely.
  const names = Object.keys(pairOperations).flatMap((name) =>
    name === 'cancel event' ? [name] : [name, name],
  );
  const pair = [random.pick(names), random.pick(names)] as const;
  await runPair({ ...actor, focus }, pairOperations, pair, random.chance(0.5));
}

/** Runs two operations on the order in focus. */
export async function runPair(
  actor: Actor,
  named: Record<string, Operation['run']>,
  [first, second]: readonly [string, string],
  isAtOnce: boolean,
): Promise<void> {
  const { random, memory } = actor;
  const done: string[] = [];
  const run = async (name: string, part: string) => {
    const tell = (text: string) => {
      done.push(name);
      actor.tell(`${part} ${text}`);
    };
    await named[name]?.({ ...actor, random: random.child(part), tell });
  };
  if (isAtOnce) await Promise.all([run(first, 'a'), run(second, 'b')]);
  else {
    await run(first, 'a');
    await run(second, 'b');
  }
  if (new Set(done).size === new Set([first, second]).size) memory.pairs.add(`${first}, ${second}`);
}

/** Places an order, and pays it when `isPaid` is true. @returns a function that reads the stored order as it is then */
export async function buyAndPay(
  actor: Actor,
  buyer: Person,
  tickets: object,
  isPaid: boolean,
): Promise<() => Item> {
  const { simulation, random, memory } = actor;
  memory.attempts.set(buyer.id, (memory.attempts.get(buyer.id) ?? 0) + 1);
  const body = { gateway: random.pick([...gateways]), ...tickets, paymentMethod: 'FIAT' };
  const options = { as: buyer, body, key: `${random.name} buys` };
  // The faults of a call that began before may reach this one.
  const { body: bought } = await call(actor, 'POST /api/orders/initialize', options, 5);
  const find = () => simulation.all('ORDER').find(({ id }) => id === bought.orderId) as Item;
  if (!isPaid) return find;
  const payment = paymentOf(actor, find());
  await simulation.providers.runAsProvider(random.child('payment'), () =>
    simulation.providers.actions.pay(payment, {}),
  );
  while (!find().isPosted) await simulation.kernel.sleep(1_000);
  return find;
}

/** Histories of listed seats: what happens to them most, and what may happen to their orders meanwhile. */
const resaleWeights: Record<string, number> = {
  'list seats': 20,
  'take offer': 6,
  'keep seats': 6,
  pay: 8,
  'pay late': 5,
  'cancel order': 5,
  'check in': 6,
  'undo admission': 2,
  transfer: 4,
  'refund part': 4,
  refund: 2,
  'return at provider': 2,
  'leave list': 3,
  reissue: 2,
  erase: 0.5,
  'change event': 1,
  'cancel event': 0.5,
  'let time pass': 4,
};

export const operations: readonly Operation[] = [
  { name: 'buy', weight: 26, run: buy },
  { name: 'pay', weight: 8, run: pay },
  { name: 'decline', weight: 2, run: decline },
  { name: 'cancel order', weight: 5, run: cancelOrder },
  { name: 'pay late', weight: 3, run: payAfterCancelling },
  { name: 'refund', weight: 6, run: refund },
  { name: 'refund part', weight: 7, run: refundPart },
  { name: 'return seats', weight: 5, run: returnSeats },
  { name: 'meet', weight: 12, run: meet },
  ...peopleOperations,
  ...thiefOperations,
  ...webhookOperations,
  ...waitingOperations,
  { name: 'return at provider', weight: 4, run: (actor) => refundAtProvider(actor) },
  { name: 'return before settling', weight: 3, run: (actor) => refundAtProvider(actor, false) },
  { name: 'check in', weight: 8, run: checkIn },
  { name: 'undo admission', weight: 2, run: undoAdmission },
  { name: 'transfer', weight: 5, run: transfer },
  { name: 'sell token', weight: 4, run: sellToken },
  { name: 'reissue', weight: 4, run: reissue },
  { name: 'mint elsewhere', weight: 1, run: mintElsewhere },
  { name: 'fulfil again', weight: 2, run: fulfilAgain },
  { name: 'payout', weight: 6, run: requestPayout },
  { name: 'change tier', weight: 4, run: changeTier },
  { name: 'change event', weight: 3, run: changeEvent },
  { name: 'cancel event', weight: 1, run: cancelEvent },
  { name: 'change code', weight: 1, run: changeCode },
  { name: 'attach', weight: 3, run: attach },
  { name: 'set wallet', weight: 2, run: setWallet },
  { name: 'look', weight: 4, run: look },
  { name: 'trespass', weight: 3, run: trespass },
  { name: 'let time pass', weight: 5, run: letTimePass },
];

export const resaleScenario: readonly Operation[] = operations
  .filter(({ name }) => name in resaleWeights)
  .map((operation) => ({ ...operation, weight: resaleWeights[operation.name] ?? 0 }));
