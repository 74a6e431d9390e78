import { findCodeDifferences, findInventoryDifferences } from '../../infra/ops/reconcile.ts';
import { findLedgerDifferences } from '../../infra/ops/reconcile-ledger.ts';
import { countTickets } from '../../shared/catalog/inventory/inventory.ts';
import { itemOfSeat, seatNumbersOfIssue, toOrder } from '../../shared/orders/order.ts';
import type { Memory } from './actor.ts';
import type { Answer, CallOptions, Item, Simulation } from './core/simulation.ts';
import { firstTokenOf, firstTokensOf } from './parts/chain.ts';
import type { World } from './world.ts';

/** The rules that hold under every fault. They are checked after each invocation that has written to the table. */
export class Safety {
  readonly #simulation: Simulation;
  readonly #world: World;
  readonly #memory: Memory;
  #checkedVersion = -1;
  /** The events, orders and claimed idempotency keys at the last check. */
  #events = new Map<string, Item>();
  #orderIds = new Set<string>();
  #claims = new Map<string, number>();

  constructor(simulation: Simulation, world: World, memory: Memory) {
    this.#simulation = simulation;
    this.#world = world;
    this.#memory = memory;
  }

  /** Checks the whole state. It takes no time in the history. */
  async check(): Promise<void> {
    const simulation = this.#simulation;
    if (simulation.table.version === this.#checkedVersion || simulation.violation) return;
    this.#checkedVersion = simulation.table.version;
    const items = simulation.items();
    const read = async () => items;
    const [inventory, ledger, codes] = await Promise.all([
      findInventoryDifferences(read),
      findLedgerDifferences(read),
      findCodeDifferences(read),
    ]);
    this.#reportDifferences('available + held + sold = capacity', inventory);
    this.#reportDifferences('the ledger sums to zero and agrees with the orders', ledger);
    this.#reportDifferences('the uses of codes agree with the orders', codes);
    const orders = items.filter(({ sk }) => sk === 'ORDER');
    for (const order of orders) this.#checkOrder(order, items);
    this.#checkAttempts(orders);
    this.#checkSales(items, orders);
    this.#checkClaims(items);
    this.#checkSeats(items, orders);
    this.#checkPayouts(items);
    this.#checkNonces(items);
    this.#checkLocks(items);
    for (const order of orders) this.#checkTokens(order);
    this.#checkBuyers(items);
  }

  #reportDifferences(
    invariant: string,
    differences: { subject: string; expected: unknown; found: unknown }[],
  ) {
    const [first] = differences;
    if (!first) return;
    this.#simulation.violate(invariant, `${first.subject}: expected ${first.expected}, found ${first.found}`);
  }

  #checkOrder(order: Item, items: Item[]): void {
    const { violate } = bind(this.#simulation);
    const payment = this.#simulation.providers.payments.findByReference(order.reference);
    if (
      order.paymentStatus === 'COMPLETED' &&
      order.paymentMethod === 'FIAT' &&
      BigInt(order.totalAmount) > 0n
    ) {
      if (!payment?.paid) violate('completed is paid', `order ${order.id} was never paid`);
      else if (this.#memory.wrongPayments.has(order.reference)) {
        violate('completed is paid in full', `order ${order.id} was paid ${JSON.stringify(payment.paid)}`);
      }
    }
    if (order.paymentStatus === 'COMPLETED' && order.paymentMethod === 'CRYPTO')
      this.#checkChainPayment(order);
    if (order.refund?.status === 'done' && payment && order.paymentMethod === 'FIAT') {
      const isReturned = returned(payment) >= payment.paid.amount || payment.dispute === 'lost';
      if (!isReturned && !order.refund.transactionId) {
        violate(
          'a refund that is done returned the money',
          `order ${order.id}: ${JSON.stringify(payment.refunds)}`,
        );
      }
    }
    if (payment?.paid && returned(payment) > payment.paid.amount && payment.dispute !== 'lost') {
      violate('never more back than paid', `order ${order.id}: ${JSON.stringify(payment.refunds)}`);
    }
    const event = this.#events.get(order.eventId);
    const isReturned = this.#memory.returnedPayments.has(order.reference);
    if (
      order.refund &&
      (order.admitted || order.transferred) &&
      event?.status !== 'CANCELLED' &&
      !isReturned
    ) {
      violate('an order with a used seat is not refunded', order.id);
    }
    if (
      order.fulfilmentStatus === 'refund-due' &&
      !order.holdsInventory &&
      !order.refund &&
      order.isCredited
    ) {
      violate('an order without tickets earns nothing', order.id);
    }
    if (order.refund && order.holdsInventory) {
      violate('a refunded order holds no tickets', order.id);
    }
    const purchases = items.filter(
      ({ sk, title, message, id }) =>
        sk.startsWith('NOTIFICATION#') &&
        title === 'Ticket Purchase Successful' &&
        message &&
        id.includes(order.id),
    );
    if (purchases.length > 1) violate('one notification per purchase', order.id);
  }

  #checkChainPayment(order: Item): void {
    const simulation = this.#simulation;
    if (BigInt(order.totalAmount) === 0n) return;
    const mined = simulation.chain.state().mined.get(order.paymentTxId);
    if (!mined) {
      simulation.violate('completed is paid', `order ${order.id} has no payment on the chain`);
      return;
    }
    const isOwn = mined.data.includes(Buffer.from(order.reference).toString('hex'));
    if (!isOwn || mined.value < BigInt(order.totalAmount)) {
      simulation.violate('completed is paid in full', `order ${order.id} by ${mined.hash}: ${mined.value}`);
    }
    if (mined.block > simulation.chain.final) {
      simulation.violate(
        'a payment on the chain counts when it is final',
        `order ${order.id} by ${mined.hash}`,
      );
    }
  }

  /**
   * No call creates more than one order, however often it is repeated. An order that could not be paid because the
   * gateway failed does not count, also when its buyer cancelled it meanwhile: a repeated call may then create another.
   */
  #checkAttempts(orders: Item[]): void {
    const payable = orders.filter(
      ({ failureReason, checkoutUrl, gateway }) =>
        failureReason !== 'gateway-failed' && !(failureReason === 'cancelled' && gateway && !checkoutUrl),
    );
    for (const [userId, count] of Map.groupBy(payable, ({ userId }) => userId)) {
      const attempts = this.#memory.attempts.get(userId) ?? 0;
      if (count.length > attempts) {
        this.#simulation.violate(
          'one order per purchase',
          `${count.length} orders by ${attempts} purchases: ${count.map(({ id, paymentStatus, failureReason }) => `${id} ${paymentStatus} ${failureReason ?? ''}`)}`,
        );
      }
    }
  }

  /** A new order has the terms of its event, unless the event has changed since the last check. */
  #checkSales(items: Item[], orders: Item[]): void {
    const { violate } = bind(this.#simulation);
    const events = new Map(items.filter(({ sk }) => sk === 'EVENT').map((event) => [event.id, event]));
    for (const order of orders) {
      const event = events.get(order.eventId);
      if (!event) violate('an event with orders exists', order.id);
      if (this.#orderIds.has(order.id) || event !== this.#events.get(order.eventId)) continue;
      const priceNow = (tierId: string) => event?.tiers.find(({ id }: Item) => id === tierId)?.price;
      const isPriced = toOrder(order).items.every(
        ({ tierId, unitPrice }) => BigInt(priceNow(tierId) ?? -1) === unitPrice,
      );
      if (event?.status !== 'PUBLISHED' || !isPriced) {
        violate('an order has the terms of its event', `${order.id}: ${event?.status}, ${order.items}`);
      }
    }
    this.#events = events;
    for (const { id } of orders) this.#orderIds.add(id);
  }

  /** Nobody takes over a call with an idempotency key while it may run. */
  #checkClaims(items: Item[]): void {
    const seconds = this.#simulation.kernel.now / 1000;
    for (const { pk, seed, leaseUntil } of items.filter(({ pk }) => pk.startsWith('IDEMPOTENCY#'))) {
      const claim = `${pk} ${seed}`;
      const before = this.#claims.get(claim);
      // The clocks of environments differ by up to half a second.
      if (before !== undefined && before !== leaseUntil && seconds < before - 2) {
        this.#simulation.violate('a call in progress is not taken over', claim);
      }
      this.#claims.set(claim, leaseUntil);
    }
  }

  #checkSeats(items: Item[], orders: Item[]): void {
    const { violate } = bind(this.#simulation);
    const seats = items.filter(({ sk }) => sk.startsWith('SEAT#'));
    const admittedByOrder = Map.groupBy(
      seats.filter(({ checkedInAt }) => checkedInAt),
      ({ orderId }) => orderId,
    );
    const transfersByOrder = Map.groupBy(seats, ({ orderId }) => orderId);
    for (const order of orders) {
      const admitted = admittedByOrder.get(order.id)?.length ?? 0;
      if (admitted !== (order.admitted ?? 0)) {
        violate(
          'admitted seats are counted',
          `order ${order.id}: ${admitted} seats, counted ${order.admitted}`,
        );
      }
      const transfers = (transfersByOrder.get(order.id) ?? []).reduce(
        (sum, { epoch, transfers = epoch }) => sum + (transfers ?? 0),
        0,
      );
      if (transfers !== (order.transferred ?? 0)) {
        violate(
          'transferred seats are counted',
          `order ${order.id}: ${transfers}, counted ${order.transferred}`,
        );
      }
    }
    const counted = items
      .filter(({ sk }) => sk === 'ADMITTED')
      .reduce((sum, item) => sum + Number(item.count ?? item.admitted ?? 0), 0);
    const isPerson = ({ orderId, number }: Item) => {
      const order = orders.find(({ id }) => id === orderId);
      return order && !itemOfSeat(toOrder(order), number).isAddOn;
    };
    const all = seats.filter((seat) => seat.checkedInAt && isPerson(seat)).length;
    if (counted !== all) violate('the count at the door', `${all} seats were admitted, ${counted} counted`);
  }

  #checkPayouts(items: Item[]): void {
    const { violate } = bind(this.#simulation);
    for (const { pk, sk, pending = 0, paidOut = 0 } of items.filter(({ sk }) => sk.startsWith('BALANCE#'))) {
      const earned = items
        .filter(
          (entry) => entry.pk === pk && entry.sk.startsWith('ENTRY#') && `BALANCE#${entry.currency}` === sk,
        )
        .flatMap(({ orders = [] }) => (orders as Item[]).flatMap(({ items }) => items as Item[]))
        .reduce((sum, { net }) => (BigInt(net) > 0n ? sum + BigInt(net) : sum), 0n);
      if (BigInt(pending) + BigInt(paidOut) > earned) {
        violate('no more is paid out than was earned', `${pk}: ${pending} + ${paidOut} of ${earned}`);
      }
    }
    const transfers = this.#simulation.providers.transfers();
    for (const payout of items.filter(({ sk }) => sk === 'PAYOUT')) {
      const own = transfers.filter(({ reference }) => reference.startsWith(payout.id));
      const succeeded = own.filter(({ status }) => status === 'succeeded');
      if (succeeded.length > 1)
        violate('a payout arrives once', `${payout.id}: ${succeeded.map(({ reference }) => reference)}`);
      if (own.filter(({ status }) => status !== 'failed').length > 1) {
        violate('a payout has one transfer under way', payout.id);
      }
      if (payout.status === 'COMPLETED' && succeeded.length === 0)
        violate('a completed payout arrived', payout.id);
    }
  }

  /** A nonce never gets a second meaning: all its attempts are the same call, or cancel it. */
  #checkNonces(items: Item[]): void {
    const byNonce = Map.groupBy(this.#simulation.chain.sent, ({ from, nonce }) => `${from} ${nonce}`);
    for (const [nonce, sent] of byNonce) {
      const calls = new Set(sent.filter(({ data }) => data !== '0x').map(({ data }) => data));
      if (calls.size > 1) this.#simulation.violate('a nonce has one meaning', nonce);
    }
    const mints = [...this.#simulation.chain.state().mined.values()].filter(({ isOwn }) => isOwn);
    const minted = mints.flatMap(({ data }) => firstTokensOf(data));
    if (new Set(minted).size < minted.length) {
      this.#simulation.violate('an order is sent to the contract once', mints.map(({ hash }) => hash).join());
    }
    for (const order of items.filter(({ sk }) => sk === 'ORDER').map(toOrder)) {
      const expected = countTickets(order.items);
      const tickets = items.filter(({ sk, orderId }) => sk.startsWith('TICKET#') && orderId === order.id);
      if (tickets.length > expected) {
        this.#simulation.violate('one ticket per seat', `${order.id}: ${tickets.length} of ${expected}`);
      }
      if (order.fulfilmentStatus === 'minted' && !order.issue && tickets.length < expected) {
        this.#simulation.violate(
          'a minted order has its tickets',
          `${order.id}: ${tickets.length} of ${expected}`,
        );
      }
    }
  }

  /** A token is locked only after its refund, or after an admission at an event that locks admitted tickets. */
  #checkLocks(items: Item[]): void {
    const { owners, locked } = this.#simulation.chain.state();
    for (const id of locked) {
      const ticket = items.find(({ sk, tokenId }) => sk.startsWith('TICKET#') && tokenId === String(id));
      if (!owners.has(id) || !ticket) continue;
      const order = items.find(({ sk, id }) => sk === 'ORDER' && id === ticket.orderId);
      const event = items.find(({ sk, id }) => sk === 'EVENT' && id === ticket.eventId);
      const number = Number(ticket.id.split('-')[1]);
      const seat = items.find(
        ({ sk, orderId, number: ofSeat }) =>
          sk.startsWith('SEAT#') && orderId === ticket.orderId && ofSeat === number,
      );
      const isUsed = event?.lockAfterAdmission && seat?.checkedInAt;
      if (!order?.refund && !isUsed) this.#simulation.violate('a valid ticket is not locked', ticket.id);
    }
  }

  /** The chain has the tokens that an order is entitled to: never more, and none that was not paid. */
  #checkTokens(order: Item): void {
    const { violate } = bind(this.#simulation);
    const { chain } = this.#simulation;
    const { id, fulfilmentStatus, issue, userId } = order;
    const quantity = countTickets(toOrder(order).items);
    const isForeign = this.#memory.foreignMints.has(id);
    const tokens = tokensOf(this.#simulation, order);
    if (!isForeign && tokens.length > quantity) {
      violate('no more tokens than tickets', `${id}: ${tokens.length} of ${quantity}`);
    }
    if (!isForeign && tokens.length > 0 && order.paymentStatus !== 'COMPLETED') {
      violate('only paid orders have tokens', id);
    }
    if (fulfilmentStatus === 'failed' && !isForeign) {
      violate('every order can be minted', `${id}: ${order.fulfilmentReason}`);
    }
    if (fulfilmentStatus !== 'minted') return;
    const minted = chain.state(chain.final).orders.get(firstTokenOf(id, issue?.number));
    if (minted?.quantity !== seatNumbersOfIssue(toOrder(order)).length) {
      violate(
        'a minted order has its tokens, and they are final',
        `${id}: ${minted?.quantity} of ${quantity}`,
      );
    }
    const others = Object.values(this.#world.people).filter((person) => person.id !== userId);
    const isWrong = issue
      ? minted?.buyer !== issue.wallet
      : others.some(({ wallet }) => wallet === minted?.buyer);
    if (isWrong) violate('tokens go to the wallet of the buyer', `${id}: ${minted?.buyer}`);
  }

  /** Checks a transaction that a node receives. */
  checkSent(raw: string): void {
    const bytes = Buffer.from(raw.slice(2), 'hex').toString('base64');
    const stored = [...this.#simulation.all('NONCE#'), ...this.#simulation.all('ATTEMPT#')];
    const isStored = stored
      .flatMap(({ attempts, ...attempt }) => attempts ?? [attempt])
      .some((attempt) => Buffer.from(attempt.raw, 'base64').toString('base64') === bytes);
    if (!isStored) this.#simulation.violate('a transaction is stored before it is sent', raw.slice(0, 40));
  }

  /** A buyer never has more tickets than the highest limit that operations set: five of a tier. */
  #checkBuyers(items: Item[]): void {
    for (const buyer of items.filter(({ sk }) => sk === 'BUYER')) {
      const tiers = Object.entries(buyer).filter(([name]) => name.startsWith('tier_'));
      const isWithin = tiers.every(([, count]) => count >= 0 && count <= 5);
      if (!isWithin) this.#simulation.violate('limits per buyer', `${buyer.pk}: ${JSON.stringify(tiers)}`);
    }
  }

  /** What every answer has to fulfil. */
  checkAnswer(answer: Answer, route: string, { as }: CallOptions): void {
    const { violate } = bind(this.#simulation);
    const { status, cause, body } = answer;
    if (status === 500 && cause?.faults === 0) violate('no 500 without a fault', route);
    // A gateway repeats a webhook after a 500.
    const isTableFault = cause !== undefined && cause.faults > 0 && cause.faults === cause.tableFaults;
    if (status === 500 && isTableFault && !route.includes('/webhooks/'))
      violate('a table that throttles or does not answer is a 503', route);
    if (!as || as.name === 'olu' || as.name === 'ada' || status !== 200) return;
    const text = JSON.stringify(body ?? '');
    for (const other of Object.values(this.#world.people)) {
      if (other.id === as.id || !text.includes(other.email)) continue;
      // The offer of a seat names the address that its sender typed.
      if (/transfer|seats/.test(route)) continue;
      violate('nothing private in an answer', `${route} tells ${as.name} the address of ${other.name}`);
    }
  }

  checkLog(line: string): void {
    for (const person of Object.values(this.#world.people)) {
      if (line.includes(person.email) || line.includes(person.password) || line.includes(person.token)) {
        this.#simulation.violate('nothing private in a log', line.slice(0, 300));
      }
    }
  }
}

const bind = (simulation: Simulation) => ({
  violate: (invariant: string, details: string) => simulation.violate(invariant, details),
});

function returned(payment: Item): number {
  return payment.refunds
    .filter(({ status }: Item) => status !== 'failed')
    .reduce((sum: number, { amount }: Item) => sum + amount, 0);
}

/** How long after the faults have ended everything must be done, in simulated time. */
export const livenessHours = 16;

/**
 * What has to be done once the faults have ended and the time for it has passed.
 * @returns what is missing
 */
export function findUndone(simulation: Simulation, memory: Memory): string[] {
  const missing: string[] = [];
  const { now } = simulation.kernel;
  const items = simulation.items();
  const orders = items.filter(({ sk }) => sk === 'ORDER');
  const mails = items.filter(({ sk }) => sk === 'MAIL');
  const tenMinutesAgo = new Date(now - 600_000).toISOString();
  for (const [id, { sort }] of simulation.table.index('byDue', true)) {
    if (sort < tenMinutesAgo) missing.push(`due since ${sort}: ${id.replace('\n', ' ')}`);
  }
  for (const order of orders) {
    const payment = simulation.providers.payments.findByReference(order.reference);
    const isPaid = payment?.status === 'paid' && !memory.wrongPayments.has(order.reference);
    const { id, paymentStatus, fulfilmentStatus, refund } = order;
    if (paymentStatus === 'PENDING' && Date.parse(order.expiresAt) < now - 3_600_000)
      missing.push(`${id} is still pending`);
    // The provider is asked about an order that has failed at growing intervals, for three days.
    const isAskedLater = paymentStatus === 'FAILED' && order.dueAt > new Date(now).toISOString();
    if (isPaid && paymentStatus !== 'COMPLETED' && !isAskedLater)
      missing.push(`${id} is paid and ${paymentStatus}`);
    if (paymentStatus !== 'COMPLETED') continue;
    if (!order.isPosted) missing.push(`${id} is not posted`);
    const event = items.find(({ sk, id: eventId }) => sk === 'EVENT' && eventId === order.eventId);
    if (event?.status === 'CANCELLED' && !refund) missing.push(`${id} of a cancelled event is not refunded`);
    const isTicketDone = ['minted', 'not-needed', 'refund-due', 'failed'].includes(fulfilmentStatus);
    if (!isTicketDone) missing.push(`${id} is ${fulfilmentStatus}`);
    if (fulfilmentStatus === 'refund-due' && !refund) missing.push(`the refund of ${id} was not begun`);
    if (refund?.status === 'pending') missing.push(`the refund of ${id} is pending`);
    if (payment?.paid && !refund && returned(payment) >= payment.paid.amount) {
      missing.push(`${id}: the money went back at the provider, and the order is not refunded`);
    }
    if (payment?.paid && !refund && returned(payment) > 0 && !order.paymentReview)
      missing.push(`${id}: a part of the money went back, and nobody reviews it`);
    if (
      order.isPosted &&
      !mails.some(({ content, status }) => content.orderId === id && status !== 'waiting')
    ) {
      missing.push(`no mail about ${id}`);
    }
  }
  for (const { id, status } of mails) if (status === 'waiting') missing.push(`the mail ${id} waits`);
  for (const { id, status, isUncovered } of items.filter(({ sk }) => sk === 'PAYOUT')) {
    if ((status === 'PENDING' || status === 'SENT') && !isUncovered)
      missing.push(`the payout ${id} is ${status}`);
  }
  const events = new Set(items.filter(({ sk }) => sk === 'EVENT').map(({ id }) => id));
  for (const { pk, sk, eventId } of items.filter(({ sk }) => /^(STAFF|CODE)#/.test(sk))) {
    if (!events.has(eventId)) missing.push(`${pk} ${sk} of a deleted event`);
  }
  for (const { pk, sk } of items.filter((item) => memory.erased.has(item.userId) && item.customerEmail)) {
    missing.push(`${pk} ${sk} has the address of an erased person`);
  }
  return [
    ...missing,
    ...findUnminted(simulation, memory, items),
    ...findUnburned(simulation, memory, items),
    ...findUnannounced(simulation, items),
  ];
}

/** The tickets that are not marked as burned have a token. */
function findUnminted(simulation: Simulation, memory: Memory, items: Item[]): string[] {
  const { owners } = simulation.chain.state();
  const missing = items.filter(
    ({ sk, tokenId, burnedAt, orderId }) =>
      sk.startsWith('TICKET#') &&
      tokenId !== undefined &&
      !burnedAt &&
      !memory.foreignMints.has(orderId) &&
      !owners.has(BigInt(tokenId)),
  );
  return missing.map(({ sk, orderId }) => `${orderId}: the token of ${sk} does not exist`);
}

/** The existing tokens of all issues of an order. */
function tokensOf(simulation: Simulation, { id, issue }: Item): bigint[] {
  const { orders, owners } = simulation.chain.state();
  return Array.from({ length: issue?.number ?? 1 }, (_, index) => firstTokenOf(id, index + 1)).flatMap(
    (first) =>
      Array.from({ length: orders.get(first)?.quantity ?? 0 }, (_, index) => first + BigInt(index)).filter(
        (token) => owners.has(token),
      ),
  );
}

/** The metadata of the tokens of a cancelled event is announced. */
function findUnannounced(simulation: Simulation, items: Item[]): string[] {
  if (simulation.chain.state().announcements > 0) return [];
  return items
    .filter(({ sk, status, contractAddress }) => sk === 'EVENT' && status === 'CANCELLED' && contractAddress)
    .filter(({ id }) =>
      items.some(({ sk, eventId, mintedAt }) => sk === 'ORDER' && eventId === id && mintedAt),
    )
    .map(({ id }) => `${id} is cancelled, and the metadata of its tokens is not announced`);
}

/** The tokens of refunded orders are burned, unless their owner has sold them. */
function findUnburned(simulation: Simulation, memory: Memory, items: Item[]): string[] {
  const { mined } = simulation.chain.state();
  const burns = new Map(items.filter(({ sk }) => sk === 'BURN').map((burn) => [burn.orderId, burn]));
  const sold = new Set(
    [...mined.values()].flatMap(({ data, isSuccess }) =>
      isSuccess && data.startsWith('transfer ') ? [data.split(' ')[1]] : [],
    ),
  );
  return items.flatMap((order) => {
    const { sk, id, refund, fulfilmentStatus } = order;
    if (sk !== 'ORDER' || !(refund || fulfilmentStatus === 'refund-due')) return [];
    if (memory.foreignMints.has(id) || burns.get(id)?.status === 'failed') return [];
    const alive = tokensOf(simulation, order).filter((token) => !sold.has(String(token)));
    return alive.length > 0 ? [`${id} is refunded, and ${alive.length} of its tokens are not burned`] : [];
  });
}
