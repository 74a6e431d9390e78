import { findCodeDifferences, findInventoryDifferences } from '../../infra/ops/reconcile.ts';
import { findLedgerDifferences } from '../../infra/ops/reconcile-ledger.ts';
import { isUndecided } from '../../infra/sandbox/payments.ts';
import { countTickets, hashBuyer } from '../../shared/catalog/inventory/inventory.ts';
import type { Backing } from '../../shared/catalog/waiting-list/entry.ts';
import { netOf } from '../../shared/money/ledger/ledger.ts';
import { allRefunds, creditNotesOf } from '../../shared/orders/invoice.ts';
import {
  isInvoiced,
  itemOfSeat,
  type Order,
  type Refund,
  seatNumbersOfIssue,
  toOrder,
} from '../../shared/orders/order.ts';
import { remainingSoldOrder } from '../../shared/orders/shares.ts';
import { seatNumber, ticketId } from '../../shared/tickets/ticket.ts';
import { addressOf, count, type Memory } from './actor.ts';
import type { Answer, CallOptions, Item, Simulation } from './core/simulation.ts';
import { firstTokenOf, firstTokensOf } from './parts/chain.ts';
import type { Change } from './parts/table.ts';
import { findUndelivered, Messages } from './webhooks.ts';
import type { World } from './world.ts';

/**
 * A rule, with the kinds of items that it reads: it is checked again when one of them has changed. Without kinds it is
 * checked after each change of the table: providers and the chain change by themselves.
 */
interface Rule {
  reads?: string[];
  check(items: Item[]): void | Promise<void>;
}

/** The rules that hold under every fault. They are checked after each invocation that has written to the table. */
export class Safety {
  readonly #simulation: Simulation;
  readonly #world: World;
  readonly #memory: Memory;
  readonly #messages: Messages;
  #checkedVersion = -1;
  /** The versions of what each rule reads, when it was checked last. */
  readonly #checked = new Map<Rule, string>();
  /** The events, orders and claimed idempotency keys at the last check. */
  #events = new Map<string, Item>();
  #orderIds = new Set<string>();
  #claims = new Map<string, number>();
  /** When each entry was first seen waiting, and the offers that were made. */
  readonly #waitingSince = new Map<string, number>();
  readonly #offers = new Set<string>();
  /** The orders that took over listed seats. */
  readonly #sold = new Set<string>();
  /** The listed seats of each order while it was unpaid. */
  readonly #backed = new Map<string, Backing | undefined>();
  readonly #rules: Rule[] = [
    { check: () => this.#orders.forEach((order) => void this.#checkOrder(order)) },
    { check: () => this.#orders.forEach((order) => void this.#checkTokens(order)) },
    { check: () => this.#checkNonces() },
    { check: () => this.#checkLocks() },
    { reads: ['NOTIFICATION#'], check: () => this.#checkNotifications() },
    { reads: ['ORDER'], check: () => this.#checkAttempts() },
    { reads: ['ORDER', 'EVENT'], check: () => this.#checkSales() },
    { reads: ['WAITLIST#', 'WAITING#', 'OFFERED#'], check: () => this.#checkLists() },
    { reads: ['ORDER'], check: () => this.#checkTakenOffers() },
    { reads: ['ORDER'], check: () => this.#checkResales() },
    { check: () => this.#checkReplacedTokens() },
    { reads: ['IDEMPOTENCY'], check: () => this.#checkClaims() },
    { reads: ['ORDER', 'SEAT#', 'ADMITTED'], check: () => this.#checkSeats() },
    { reads: ['BALANCE#', 'ENTRY#'], check: () => this.#checkBalances() },
    { reads: ['ORDER', 'INVOICES'], check: () => this.#checkInvoices() },
    { check: () => this.#checkPayouts() },
    { reads: ['ORDER', 'TICKET#'], check: () => this.#checkTickets() },
    { reads: ['BUYER'], check: () => this.#checkBuyers() },
    { reads: ['ORDER', 'PROFILE'], check: () => this.#checkGuests() },
    { reads: ['#OCCURRENCES'], check: (occurrences) => this.#messages.checkPulled(occurrences) },
    { reads: ['#DELIVERIES'], check: (deliveries) => this.#messages.checkDeliveries(deliveries) },
    { reads: ['ENDPOINT#', 'USE'], check: () => this.#messages.checkUse() },
    {
      reads: ['EVENT', 'ORDER', 'INVENTORY', 'BUYER', 'OFFERED#'],
      check: async (items) =>
        this.#report(
          'available + held + offered + sold = capacity',
          await findInventoryDifferences(async () => items),
        ),
    },
    {
      reads: ['ORDER', 'ENTRY#', 'BALANCE#', 'PAYOUT', 'UPCOMING#'],
      check: async (items) =>
        this.#report(
          'the ledger sums to zero and agrees with the orders',
          await findLedgerDifferences(async () => items),
        ),
    },
    {
      reads: ['ORDER', 'CODE#', 'BUYER'],
      check: async (items) =>
        this.#report('the uses of codes agree with the orders', await findCodeDifferences(async () => items)),
    },
  ];

  constructor(simulation: Simulation, world: World, memory: Memory) {
    this.#simulation = simulation;
    this.#world = world;
    this.#memory = memory;
    this.#messages = new Messages(simulation, memory);
    const checkMessages = simulation.onCommit;
    simulation.onCommit = (changes) => {
      checkMessages(changes);
      for (const { kind, before, after } of changes) {
        if (kind === 'PAYOUT' && before?.attempts === 0 && after?.attempts === 1) this.#checkSend(after);
        const isWithdrawn = before?.status === 'offered' && after?.status === 'waiting';
        if (kind === 'WAITLIST#' && isWithdrawn) this.#checkWithdrawal(before.offer, changes);
      }
    };
  }

  /** An offer is taken back: by the seller who keeps a seat, or since one was admitted or transferred. */
  #checkWithdrawal({ id, backedBy }: Item, changes: readonly Change<Item>[]): void {
    // Only a worker tells the person.
    const isByWorker = changes.some(({ kind }) => kind === 'NOTIFICATION#');
    const offered = changes.flatMap(({ before }): Item[] => before?.listings ?? []);
    const count = offered.filter(({ offer }) => offer?.id === id).length;
    if (isByWorker && count >= backedBy.quantity)
      this.#violate('an offer is taken back when one of its seats is no longer for sale', id);
  }

  /** A payout is sent for the first time. Clocks differ by up to half a second. */
  #checkSend({ id, organizerId, newAccountUntil }: Item): void {
    const now = this.#simulation.kernel.now + 1_000;
    const owner = this.#simulation.all('PROFILE').find((user) => user.id === organizerId);
    if (Date.parse(owner?.payoutsHeldUntil) > now) this.#violate('no payout while they are held', id);
    if (Date.parse(newAccountUntil) > now) this.#violate('a payout to a new account waits', id);
    if (this.#memory.stoppedWaits.has(newAccountUntil)) this.#violate('a stopped payout is not sent', id);
  }

  /** Checks the whole state. It takes no time in the history. */
  check(): void {
    const simulation = this.#simulation;
    const { table } = simulation;
    if (table.version === this.#checkedVersion || simulation.violation) return;
    this.#checkedVersion = table.version;
    for (const rule of this.#rules) {
      const { reads = [], check } = rule;
      const versions = reads.map((kind) => table.kind(kind).version).join();
      if (versions && this.#checked.get(rule) === versions) continue;
      this.#checked.set(rule, versions);
      void check(reads.flatMap((kind) => simulation.all(kind)));
    }
  }

  get #orders(): readonly Item[] {
    return this.#simulation.all('ORDER');
  }

  #violate(invariant: string, details: string): void {
    this.#simulation.violate(invariant, details);
  }

  #report(invariant: string, [first]: { subject: string; expected: unknown; found: unknown }[]): void {
    if (first) this.#violate(invariant, `${first.subject}: expected ${first.expected}, found ${first.found}`);
  }

  #checkOrder(order: Item): void {
    const { id, paymentStatus, refund, holdsInventory } = order;
    const isFiat = order.paymentMethod === 'FIAT';
    const payment = this.#simulation.providers.payments.findByReference(order.reference);
    if (paymentStatus === 'COMPLETED' && BigInt(order.totalAmount) > 0n) {
      if (!isFiat) this.#checkChainPayment(order);
      else if (!payment?.paid) this.#violate('completed is paid', `order ${id} was never paid`);
      else if (this.#memory.wrongPayments.has(order.reference)) {
        this.#violate('completed is paid in full', `order ${id} was paid ${JSON.stringify(payment.paid)}`);
      }
    }
    if (payment?.paid && payment.dispute !== 'lost') {
      const details = `order ${id}: ${JSON.stringify(payment.refunds)}`;
      const amount = returned(payment);
      if (inMinorUnits(payment, amount) > inMinorUnits(payment, payment.paid.amount))
        this.#violate('never more back than paid', details);
      // The opening of a dispute takes the money at gateway-c, and brings it back when the merchant has won.
      const isTakenByDispute = payment.gateway === 'gateway-c' && payment.dispute !== undefined;
      const { refunds: parts = [] } = orderOf(order);
      const begun = [...parts, ...(refund ? [orderOf(order).refund as Refund] : [])];
      const done = begun.filter(({ status, transactionId }) => status === 'done' && !transactionId);
      const sumOf = (refunds: Refund[]) => refunds.reduce((sum, part) => sum + Number(part.amount), 0);
      if (isFiat && !isTakenByDispute && inMinorUnits(payment, amount) < sumOf(done)) {
        this.#violate('a refund that is done returned the money', details);
      }
      if (inMinorUnits(payment, amount - returnedElsewhere(payment)) > sumOf(begun)) {
        this.#violate('the provider refunds what was requested', details);
      }
    }
    for (const { number, checkedInAt, orderId } of this.#simulation.all('SEAT#')) {
      if (orderId === id && checkedInAt && order.returned?.includes(number))
        this.#violate('a refunded seat is not admitted', `${id} seat ${number}`);
    }
    const isUsed = order.admitted || (order.transferred && refund?.kind === 'whole');
    const isCancelled = this.#events.get(order.eventId)?.status === 'CANCELLED';
    if (refund && isUsed && !isCancelled && !this.#memory.returnedPayments.has(order.reference)) {
      this.#violate('an order with a used seat is not refunded', id);
    }
    if (order.fulfilmentStatus === 'refund-due' && !holdsInventory && !refund && order.isCredited) {
      this.#violate('an order without tickets earns nothing', id);
    }
    if (refund && holdsInventory) this.#violate('a refunded order holds no tickets', id);
  }

  #checkChainPayment({ id, paymentTxId, reference, totalAmount }: Item): void {
    const { chain } = this.#simulation;
    const mined = chain.state().mined.get(paymentTxId);
    if (!mined) {
      this.#violate('completed is paid', `order ${id} has no payment on the chain`);
      return;
    }
    const isOwn = mined.data.includes(Buffer.from(reference).toString('hex'));
    if (!isOwn || mined.value < BigInt(totalAmount)) {
      this.#violate('completed is paid in full', `order ${id} by ${mined.hash}: ${mined.value}`);
    }
    if (mined.block > chain.final) {
      this.#violate('a payment on the chain counts when it is final', `order ${id} by ${mined.hash}`);
    }
  }

  #checkNotifications(): void {
    const purchases = this.#simulation
      .all('NOTIFICATION#')
      .filter(({ title, message }) => title === 'Ticket Purchase Successful' && message);
    for (const { id } of this.#orders) {
      const own = purchases.filter((purchase) => purchase.id.includes(id));
      if (own.length > 1) this.#violate('one notification per purchase', id);
    }
  }

  /**
   * No call creates more than one order, however often it is repeated. An order that could not be paid because the
   * gateway failed does not count, also when its buyer cancelled it meanwhile: a repeated call may then create another.
   */
  #checkAttempts(): void {
    const payable = this.#orders.filter(
      ({ failureReason, checkoutUrl, gateway }) =>
        failureReason !== 'gateway-failed' && !(failureReason === 'cancelled' && gateway && !checkoutUrl),
    );
    const buyerOf = (order: Item) => (order.guestVersion === undefined ? order.userId : addressOf(order));
    for (const [by, orders] of Map.groupBy(payable, buyerOf)) {
      const attempts = this.#memory.attempts.get(by) ?? 0;
      if (orders.length <= attempts) continue;
      const states = orders.map((order) => `${order.id} ${order.paymentStatus} ${order.failureReason ?? ''}`);
      this.#violate('one order per purchase', `${orders.length} by ${attempts} purchases: ${states}`);
    }
  }

  /** A new order has the terms of its event, unless the event has changed since the last check. */
  #checkSales(): void {
    const events = new Map(this.#simulation.all('EVENT').map((event) => [event.id, event]));
    for (const order of this.#orders) {
      const event = events.get(order.eventId);
      if (!event) this.#violate('an event with orders exists', order.id);
      if (this.#orderIds.has(order.id) || event !== this.#events.get(order.eventId)) continue;
      const priceNow = (tierId: string) => event?.tiers.find(({ id }: Item) => id === tierId)?.price;
      const isPriced = orderOf(order).items.every(
        ({ tierId, unitPrice }) => BigInt(priceNow(tierId) ?? -1) === unitPrice,
      );
      if (event?.status !== 'PUBLISHED' || !isPriced) {
        this.#violate('an order has the terms of its event', `${order.id}: ${event?.status}, ${order.items}`);
      }
      const isForList = event?.tiers.some(
        ({ id, sellsToList, kind }: Item) =>
          (sellsToList || (event.poolSellsToList && kind !== 'addon')) &&
          id !== order.takenOffer?.tierId &&
          orderOf(order).items.some(({ tierId }) => tierId === id),
      );
      if (isForList) this.#violate('nobody buys before those who wait', `${order.id}: ${order.items}`);
    }
    this.#events = events;
    for (const { id } of this.#orders) this.#orderIds.add(id);
  }

  /** A place in a list is that of its entry, and an offer goes to nobody before somebody who has waited longer. */
  #checkLists(): void {
    const simulation = this.#simulation;
    const entries = simulation.all('WAITLIST#');
    const open = entries.filter(({ status }) => status === 'waiting' || status === 'offered');
    const waiting = simulation.all('WAITING#');
    const offered = simulation.all('OFFERED#');
    const placeOf = new Map([...waiting, ...offered].map((place) => [place.id, place]));
    const isPlaced = open.every(({ id, status }) => placeOf.get(id)?.status === status);
    if (!isPlaced || placeOf.size !== open.length || waiting.length + offered.length !== open.length) {
      this.#violate('an open entry has one place', open.map(({ id, status }) => `${id} ${status}`).join());
    }
    const people = new Set(open.map(({ userId, tierId }) => `${userId} ${tierId}`));
    if (people.size < open.length) this.#violate('one open entry of a person in a list', [...people].join());
    const { now } = simulation.kernel;
    for (const { id } of waiting) if (!this.#waitingSince.has(id)) this.#waitingSince.set(id, now);
    for (const { id, tierId, quantity, offer } of offered) {
      // Whose offer is taken back waits again.
      this.#waitingSince.delete(id);
      if (this.#offers.has(offer.id)) continue;
      this.#offers.add(offer.id);
      const sellers = this.#orders.filter(({ id }) => offer.backedBy?.orderIds.includes(id));
      const earlier = waiting.find(
        (other) =>
          other.tierId === tierId &&
          !sellers.some((seller) => this.#isOf(seller, other)) &&
          other.id < id &&
          other.quantity <= quantity &&
          !this.#isOfferedEnough(other, offered) &&
          now - (this.#waitingSince.get(other.id) ?? now) > 60_000,
      );
      if (earlier) this.#violate('offers are made in the order of joining', `${id} before ${earlier.id}`);
    }
  }

  /** Nobody is offered more tickets of an event than one person may buy. */
  #isOfferedEnough({ userId, eventId, quantity }: Item, offered: readonly Item[]): boolean {
    const others = offered.filter((other) => other.userId === userId && other.eventId === eventId);
    const sum = others.reduce((tickets, other) => tickets + other.quantity, quantity);
    return sum > (this.#events.get(eventId)?.maxPerWallet ?? 0);
  }

  /** Nobody is offered the own seats. */
  #isOf({ userId, buyer }: Item, entry: Item): boolean {
    const person = this.#simulation.all('PROFILE').find(({ id }) => id === entry.userId);
    return userId === entry.userId || buyer === hashBuyer(person?.email ?? '');
  }

  /** A listed seat that was sold has one buyer, who paid for as many as were given back. */
  #checkResales(): void {
    const orders = new Map(this.#orders.map((order) => [order.id, orderOf(order)]));
    const sold = new Map<string, number>();
    for (const { id, refunds = [], refund, listings = [], returned = [] } of orders.values()) {
      for (const part of [...refunds, ...(refund ? [refund] : [])]) {
        if (!part.soldTo) continue;
        sold.set(part.soldTo, (sold.get(part.soldTo) ?? 0) + (part.seats?.length ?? 0));
      }
      const numbers = listings.map(({ number }) => number);
      if (new Set(numbers).size < numbers.length || numbers.some((number) => returned.includes(number)))
        this.#violate('a seat is listed once, while its order has it', id);
    }
    for (const [id, seats] of sold) {
      const order = orders.get(id);
      const { quantity = 0, orderIds = [] } = this.#backed.get(id) ?? {};
      if (order?.paymentStatus !== 'COMPLETED' || quantity !== seats)
        this.#violate('a seat that is sold on has a buyer who paid', `${id}: ${seats} for ${quantity}`);
      if (this.#sold.has(id)) continue;
      this.#sold.add(id);
      const bought = order?.items.find(({ tierId }) => tierId === order.takenOffer?.tierId)?.quantity ?? 0;
      count({ memory: this.#memory }, 'a listed seat sold');
      if (orderIds.length > 1) count({ memory: this.#memory }, 'seats of several orders sold together');
      if (bought > quantity) count({ memory: this.#memory }, 'listed seats sold with free tickets');
    }
    const taken = this.#orders.filter(({ backedBy }) => backedBy);
    for (const { id, paymentStatus, backedBy } of taken) {
      this.#backed.set(id, backedBy);
      if (paymentStatus !== 'PENDING') this.#violate('only an unpaid order is backed by listed seats', id);
    }
  }

  /** The seats that were sold on have no token while their buyer has one. */
  #checkReplacedTokens(): void {
    const { owners } = this.#simulation.chain.state();
    const tickets = this.#simulation.all('TICKET#');
    for (const seller of this.#orders) {
      for (const part of [...(seller.refunds ?? []), ...(seller.refund ? [seller.refund] : [])]) {
        const buyer = this.#orders.find(({ id }) => id === part.soldTo);
        const isForeign = buyer && this.#memory.foreignMints.has(buyer.id);
        if (!buyer || isForeign || tokensOf(this.#simulation, buyer).length === 0) continue;
        const isReplaced = ({ orderId, id }: Item) =>
          orderId === seller.id && part.seats?.includes(seatNumber(id));
        // A token that its holder has sent elsewhere can't be burned; it is locked.
        const isAlive = ({ tokenId, owner }: Item) => owners.get(BigInt(tokenId)) === owner;
        const alive = tickets.find((ticket) => isReplaced(ticket) && isAlive(ticket));
        if (alive) this.#violate('a seat never has two tokens', `${alive.id} and those of ${buyer.id}`);
      }
    }
  }

  #checkTakenOffers(): void {
    const orders = this.#orders.filter(
      ({ takenOffer, failureReason }) => takenOffer && failureReason !== 'gateway-failed',
    );
    const offers = new Set(orders.map(({ takenOffer }) => takenOffer.id));
    if (offers.size < orders.length)
      this.#violate('an offer is taken once', orders.map(({ id }) => id).join());
  }

  /** Nobody takes over a call with an idempotency key while it may run. */
  #checkClaims(): void {
    const seconds = this.#simulation.kernel.now / 1000;
    for (const { pk, seed, leaseUntil } of this.#simulation.all('IDEMPOTENCY')) {
      const claim = `${pk} ${seed}`;
      const before = this.#claims.get(claim);
      // The clocks of environments differ by up to half a second.
      if (before !== undefined && before !== leaseUntil && seconds < before - 2) {
        this.#violate('a call in progress is not taken over', claim);
      }
      this.#claims.set(claim, leaseUntil);
    }
  }

  #checkSeats(): void {
    const seats = this.#simulation.all('SEAT#');
    const seatsByOrder = Map.groupBy(seats, ({ orderId }) => orderId);
    for (const { id, admitted = 0, transferred = 0 } of this.#orders) {
      const own = seatsByOrder.get(id) ?? [];
      const used = own.filter(({ checkedInAt }) => checkedInAt).length;
      if (used !== admitted) {
        this.#violate('admitted seats are counted', `order ${id}: ${used} seats, counted ${admitted}`);
      }
      const transfers = own.reduce((sum, { epoch = 0, transfers = epoch }) => sum + transfers, 0);
      if (transfers !== transferred) {
        this.#violate('transferred seats are counted', `order ${id}: ${transfers}, counted ${transferred}`);
      }
    }
    const counted = this.#simulation
      .all('ADMITTED')
      .reduce((sum, { admitted = 0, count = admitted }) => sum + Number(count), 0);
    const people = seats.filter(({ checkedInAt, orderId, number }) => {
      const order = checkedInAt && this.#orders.find(({ id }) => id === orderId);
      return order && !itemOfSeat(orderOf(order), number).isAddOn;
    });
    if (counted !== people.length) {
      this.#violate('the count at the door', `${people.length} seats were admitted, ${counted} counted`);
    }
  }

  #checkBalances(): void {
    for (const { pk, sk, pending = 0, paidOut = 0 } of this.#simulation.all('BALANCE#')) {
      const earned = this.#simulation
        .all('ENTRY#')
        .filter((entry) => entry.pk === pk && `BALANCE#${entry.currency}` === sk)
        .flatMap(({ orders = [] }) => orders.flatMap(({ items }: Item) => items))
        .reduce((sum, { net }) => (BigInt(net) > 0n ? sum + BigInt(net) : sum), 0n);
      if (BigInt(pending) + BigInt(paidOut) > earned) {
        this.#violate('no more is paid out than was earned', `${pk}: ${pending} + ${paidOut} of ${earned}`);
      }
    }
  }

  /** Each number up to the organizer's last is that of one invoice or credit note. There is one organizer. */
  #checkInvoices(): void {
    const orders = this.#orders.map(orderOf);
    const numbers = orders.flatMap((order) =>
      [order.invoice, ...allRefunds(order).map(({ creditNote }) => creditNote)].flatMap(
        (numbered) => numbered?.number ?? [],
      ),
    );
    const last = Number(this.#simulation.all('INVOICES')[0]?.last ?? 0);
    const sorted = numbers.sort((a, b) => a - b).join();
    if (sorted !== Array.from({ length: last }, (_, index) => index + 1).join())
      this.#violate('invoices are numbered without gaps', `${sorted} of ${last}`);
    for (const order of orders) {
      const isMissing = order.isCredited && isInvoiced(order) && !order.invoice;
      if (isMissing) this.#violate('a credited order has its invoice', order.id);
      const notes = creditNotesOf(order);
      for (const [index, { amount, creditNote }] of allRefunds(order).entries())
        if (order.invoice && (notes[index]?.total ?? 0n) > 0n !== (creditNote !== undefined))
          this.#violate('a refund of an invoice has its credit note', `${order.id} ${amount}`);
    }
  }

  #checkPayouts(): void {
    const transfers = this.#simulation.providers.transfers();
    for (const { id, status } of this.#simulation.all('PAYOUT')) {
      const own = transfers.filter(({ reference }) => reference.startsWith(id));
      const arrived = own.filter((transfer) => transfer.status === 'succeeded').length;
      if (arrived > 1) this.#violate('a payout arrives once', id);
      if (own.filter((transfer) => transfer.status !== 'failed').length > 1) {
        this.#violate('a payout has one transfer under way', id);
      }
      if (status === 'COMPLETED' && arrived === 0) this.#violate('a completed payout arrived', id);
    }
  }

  /** A nonce never gets a second meaning: all its attempts are the same call, or cancel it. */
  #checkNonces(): void {
    const { chain } = this.#simulation;
    const byNonce = Map.groupBy(chain.sent.values(), ({ from, nonce }) => `${from} ${nonce}`);
    for (const [nonce, sent] of byNonce) {
      const calls = new Set(sent.filter(({ data }) => data !== '0x').map(({ data }) => data));
      if (calls.size > 1) this.#violate('a nonce has one meaning', nonce);
    }
    const mints = [...chain.state().mined.values()].filter(({ isOwn }) => isOwn);
    const minted = mints.flatMap(({ data }) => firstTokensOf(data));
    if (new Set(minted).size < minted.length) {
      this.#violate('an order is sent to the contract once', mints.map(({ hash }) => hash).join());
    }
  }

  #checkTickets(): void {
    const tickets = Map.groupBy(this.#simulation.all('TICKET#'), ({ orderId }) => orderId);
    for (const item of this.#orders) {
      const { id, items, fulfilmentStatus, issue } = orderOf(item);
      const expected = countTickets(items);
      const { length } = tickets.get(id) ?? [];
      if (length > expected) this.#violate('one ticket per seat', `${id}: ${length} of ${expected}`);
      if (fulfilmentStatus === 'minted' && !issue && length < expected) {
        this.#violate('a minted order has its tickets', `${id}: ${length} of ${expected}`);
      }
    }
  }

  /** A token is locked only after its refund, or after an admission at an event that locks admitted tickets. */
  #checkLocks(): void {
    const simulation = this.#simulation;
    const { owners, locked } = simulation.chain.state();
    for (const token of locked) {
      const ticket = simulation.all('TICKET#').find(({ tokenId }) => tokenId === String(token));
      if (!owners.has(token) || !ticket) continue;
      const order = this.#orders.find(({ id }) => id === ticket.orderId);
      const event = simulation.all('EVENT').find(({ id }) => id === ticket.eventId);
      const isUsed = simulation
        .all('SEAT#')
        .some(({ orderId, number, checkedInAt }) => checkedInAt && ticketId(orderId, number) === ticket.id);
      const isReturned = order?.refund || order?.returned?.includes(seatNumber(ticket.id));
      if (!isReturned && !(event?.lockAfterAdmission && isUsed)) {
        this.#violate('a valid ticket is not locked', ticket.id);
      }
    }
  }

  /** The chain has the tokens that an order is entitled to: never more, and none that was not paid. */
  #checkTokens(order: Item): void {
    const { chain } = this.#simulation;
    const { id, fulfilmentStatus, fulfilmentReason, issue, userId } = order;
    const quantity = countTickets(orderOf(order).items);
    if (!this.#memory.foreignMints.has(id)) {
      const { length } = tokensOf(this.#simulation, order);
      if (length > quantity) this.#violate('no more tokens than tickets', `${id}: ${length} of ${quantity}`);
      if (length > 0 && order.paymentStatus !== 'COMPLETED')
        this.#violate('only paid orders have tokens', id);
      if (fulfilmentStatus === 'failed')
        this.#violate('every order can be minted', `${id}: ${fulfilmentReason}`);
    }
    if (fulfilmentStatus !== 'minted') return;
    const minted = chain.state(chain.final).orders.get(firstTokenOf(id, issue?.number));
    if (minted?.quantity !== seatNumbersOfIssue(orderOf(order)).length) {
      const details = `${id}: ${minted?.quantity} of ${quantity}`;
      this.#violate('a minted order has its tokens, and they are final', details);
    }
    const others = Object.values(this.#world.people).filter((person) => person.id !== userId);
    const isWrong = issue
      ? minted?.buyer !== issue.wallet
      : others.some(({ wallet }) => wallet === minted?.buyer);
    if (isWrong) this.#violate('tokens go to the wallet of the buyer', `${id}: ${minted?.buyer}`);
  }

  /**
   * A buyer never has more tickets than the highest limit that operations set: five of a tier. The order of a guest is
   * counted once it is paid, when the account of the address may have ordered too.
   */
  #checkBuyers(): void {
    for (const buyer of this.#simulation.all('BUYER')) {
      const tiers = Object.entries(buyer).filter(([name]) => name.startsWith('tier_'));
      const isGuests = (order: Item) =>
        order.guestVersion !== undefined && buyer.pk === `BUYER#${order.eventId}#${order.buyer}`;
      const maximum = this.#orders.some(isGuests) ? 10 : 5;
      if (tiers.every(([, count]) => count >= 0 && count <= maximum)) continue;
      this.#violate('limits per buyer', `${buyer.pk}: ${JSON.stringify(tiers)}`);
    }
  }

  /** An address has one guest, and the guest at most one unpaid order of an event. */
  #checkGuests(): void {
    const guests = this.#simulation.all('PROFILE').filter(({ role, email }) => role === 'GUEST' && email);
    if (new Set(guests.map(({ email }) => email)).size < guests.length)
      this.#violate('an address has one guest', guests.map(({ id, email }) => `${id} ${email}`).join());
    const isUnpaid = (order: Item) => order.guestVersion !== undefined && order.paymentStatus === 'PENDING';
    const unpaid = Map.groupBy(this.#orders.filter(isUnpaid), ({ buyer, eventId }) => `${buyer} ${eventId}`);
    for (const [of, { length }] of unpaid) if (length > 1) this.#violate('a guest has one unpaid order', of);
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

  /** What every answer has to fulfil. */
  checkAnswer({ status, cause, body }: Answer, route: string, { as }: CallOptions): void {
    if (status === 500 && cause?.faults === 0) this.#violate('no 500 without a fault', route);
    // A gateway repeats a webhook after a 500.
    const isTableFault = cause !== undefined && cause.faults > 0 && cause.faults === cause.tableFaults;
    if (status === 500 && isTableFault && !route.includes('/webhooks/'))
      this.#violate('a table that throttles or does not answer is a 503', route);
    if (!as || as.name === 'olu' || as.name === 'ada' || status !== 200) return;
    // The offer of a seat names the address that its sender typed.
    if (/transfer|seats/.test(route)) return;
    const text = JSON.stringify(body ?? '');
    for (const { name, email } of Object.values(this.#world.people)) {
      if (email === as.email || !text.includes(email)) continue;
      this.#violate('nothing private in an answer', `${route} tells ${as.name} the address of ${name}`);
    }
  }

  checkLog(line: string): void {
    for (const person of Object.values(this.#world.people)) {
      if (line.includes(person.email) || line.includes(person.password) || line.includes(person.token)) {
        this.#simulation.violate('nothing private in a log', line.slice(0, 300));
      }
    }
    for (const token of this.#memory.accessTokens.values()) {
      if (line.includes(token)) this.#simulation.violate('no access token in a log', line.slice(0, 300));
    }
  }
}

const orders = new WeakMap<Item, Order>();

/** An order as the service reads it. */
function orderOf(item: Item): Order {
  const order = orders.get(item) ?? toOrder(item);
  orders.set(item, order);
  return order;
}

function returned(payment: Item): number {
  return payment.refunds
    .filter(({ status }: Item) => status !== 'failed')
    .reduce((sum: number, { amount }: Item) => sum + amount, 0);
}

/** What went back without a request of the service. */
function returnedElsewhere(payment: Item): number {
  return returned({ refunds: payment.refunds.filter(({ note }: Item) => !note.startsWith('refund-')) });
}

/** The simulated currencies have two decimals at all providers. */
function inMinorUnits({ gateway }: Item, amount: number): number {
  return gateway === 'gateway-b' ? Math.round(amount * 100) : amount;
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
  const orders = simulation.all('ORDER');
  const mails = simulation.all('MAIL');
  const events = new Map(simulation.all('EVENT').map((event) => [event.id, event]));
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
    if (events.get(order.eventId)?.status === 'CANCELLED' && !refund)
      missing.push(`${id} of a cancelled event is not refunded`);
    const isTicketDone = ['minted', 'not-needed', 'refund-due', 'failed'].includes(fulfilmentStatus);
    if (!isTicketDone) missing.push(`${id} is ${fulfilmentStatus}`);
    if (fulfilmentStatus === 'refund-due' && !refund) missing.push(`the refund of ${id} was not begun`);
    const hasPending = [refund, ...(order.refunds ?? [])].some((part) => part?.status === 'pending');
    if (hasPending) missing.push(`a refund of ${id} is pending`);
    const isReturned = payment?.paid && returned(payment) >= payment.paid.amount;
    if (isReturned && !refund && returnedElsewhere(payment) > 0) {
      missing.push(`${id}: the money went back at the provider, and the order is not refunded`);
    }
    // Under review, an operator decides who bears what an operator returned.
    const isReviewed = Boolean(order.paymentReview);
    if (
      isReturned &&
      refund &&
      order.isCredited &&
      !isReviewed &&
      netOf(remainingSoldOrder(orderOf(order))) > 0n
    )
      missing.push(`${id}: the money went back, and the organizer keeps a part of it`);
    // After refunds of the whole payment in parts, nothing is left to reserve.
    if (payment && !refund && !isReturned && isUndecided(payment.dispute) !== Boolean(order.openDisputes))
      missing.push(`${id}: the dispute is ${payment.dispute}, and the credit is not reserved accordingly`);
    if (payment?.paid && !refund && returnedElsewhere(payment) > 0 && !order.paymentReview)
      missing.push(`${id}: a part of the money went back, and nobody reviews it`);
    if (
      order.isPosted &&
      !mails.some(({ content, status }) => content.orderId === id && status !== 'waiting')
    ) {
      missing.push(`no mail about ${id}`);
    }
  }
  for (const { id, status } of mails) if (status === 'waiting') missing.push(`the mail ${id} waits`);
  for (const { id, status, isUncovered, heldUntil, newAccountUntil } of simulation.all('PAYOUT')) {
    const waitsUntil = Math.max(Date.parse(heldUntil ?? 0), Date.parse(newAccountUntil ?? 0));
    const isWaiting = isUncovered || waitsUntil > simulation.kernel.now;
    if ((status === 'PENDING' || status === 'SENT') && !isWaiting)
      missing.push(`the payout ${id} is ${status}`);
  }
  for (const { pk, sk, eventId } of [...simulation.all('STAFF#'), ...simulation.all('CODE#')]) {
    if (!events.has(eventId)) missing.push(`${pk} ${sk} of a deleted event`);
  }
  for (const { pk, sk, userId, customerEmail, buyer } of orders) {
    if (!memory.erased.has(userId)) continue;
    if (customerEmail || buyer !== userId) missing.push(`${pk} ${sk} has the address of an erased person`);
  }
  for (const { type, id, view, body = view } of [
    ...simulation.all('#OCCURRENCES'),
    ...simulation.all('#DELIVERIES'),
  ]) {
    // Dan is the only one who closes an account.
    if (memory.erased.size > 0 && body?.includes('dan@'))
      missing.push(`${type} ${id} has the address of an erased person`);
  }
  const text = JSON.stringify([...simulation.table.items()]);
  for (const [id, token] of memory.accessTokens) {
    if (text.includes(token)) missing.push(`the access token of ${id} is in the table`);
  }
  return [
    ...missing,
    ...findUnminted(simulation, memory),
    ...findUnburned(simulation, memory),
    ...findUnannounced(simulation),
    ...findUndelivered(simulation),
    ...findUnserved(simulation),
  ];
}

/** Tickets that suffice for somebody who waits are offered, and where nobody waits, everybody can buy. */
function findUnserved(simulation: Simulation): string[] {
  const { now } = simulation.kernel;
  const waiting = simulation.all('WAITING#');
  const offered = simulation.all('OFFERED#');
  const expired = offered
    .filter(({ offer }) => Date.parse(offer.expiresAt) < now - 600_000)
    .map(({ id }) => `the offer to ${id} has not ended`);
  return simulation.all('EVENT').flatMap((event) => {
    const free = (pool: string) =>
      simulation
        .all('INVENTORY')
        .filter(({ pk }) => pk.startsWith(`INVENTORY#${event.id}#${pool}#`))
        .reduce((sum, { available }) => sum + available, 0);
    const ofEvent = ({ eventId }: Item) => eventId === event.id;
    const isOver = event.status === 'CANCELLED' || Date.parse(event.eventDate) < now + 3_600_000;
    const countListed = (entry: Item) =>
      simulation.all('ORDER').reduce((sum, item) => {
        if (item.eventId !== event.id || !item.listings) return sum;
        const order = orderOf(item);
        const person = simulation.all('PROFILE').find(({ id }) => id === entry.userId);
        if (order.userId === entry.userId || order.buyer === hashBuyer(person?.email ?? '')) return sum;
        const isFree = ({ number, offer }: Item) =>
          !offer && itemOfSeat(order, number).tierId === entry.tierId;
        return sum + (order.listings?.filter(isFree).length ?? 0);
      }, 0);
    const freeFor = (tierId: string) =>
      Math.min(free(tierId), event.supplyShards ? free('EVENT') : Number.POSITIVE_INFINITY);
    const unserved = waiting
      .filter(ofEvent)
      .filter(
        (entry) =>
          isOver ||
          (event.status === 'PUBLISHED' && freeFor(entry.tierId) + countListed(entry) >= entry.quantity),
      )
      .map(({ id }) => `nothing is offered to ${id}, or it has not ended`);
    const isIdle = (tierId: string) =>
      ![...waiting, ...offered].some((place) => ofEvent(place) && place.tierId === tierId);
    const closed = event.tiers
      .filter(({ id, sellsToList }: Item) => Boolean(sellsToList) === isIdle(id))
      .map(({ id }: Item) => `${event.id} ${id}: who may buy does not follow its waiting list`);
    // Where somebody waits, a seat backs an open offer, or an unpaid order.
    const orphans = simulation
      .all('ORDER')
      .filter((order) => ofEvent(order) && waiting.some(ofEvent) && event.status === 'PUBLISHED')
      .flatMap(({ listings = [] }) => listings.flatMap(({ offer }: Item) => offer?.id ?? []))
      .filter(
        (id) =>
          !offered.some(({ offer }) => offer.id === id) &&
          !simulation
            .all('ORDER')
            .some(({ takenOffer, paymentStatus }) => takenOffer?.id === id && paymentStatus === 'PENDING'),
      )
      .map((id) => `a listed seat backs the offer ${id}, which has ended`);
    return [...expired, ...unserved, ...closed, ...orphans];
  });
}

/** The tickets that are not marked as burned have a token. */
function findUnminted(simulation: Simulation, { foreignMints }: Memory): string[] {
  const { owners } = simulation.chain.state();
  return simulation
    .all('TICKET#')
    .filter(({ tokenId, burnedAt, orderId }) => tokenId && !burnedAt && !foreignMints.has(orderId))
    .filter(({ tokenId }) => !owners.has(BigInt(tokenId)))
    .map(({ sk, orderId }) => `${orderId}: the token of ${sk} does not exist`);
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
function findUnannounced(simulation: Simulation): string[] {
  if (simulation.chain.state().announcements > 0) return [];
  const orders = simulation.all('ORDER');
  return simulation
    .all('EVENT')
    .filter(({ status, contractAddress }) => status === 'CANCELLED' && contractAddress)
    .filter(({ id }) => orders.some(({ eventId, mintedAt }) => eventId === id && mintedAt))
    .map(({ id }) => `${id} is cancelled, and the metadata of its tokens is not announced`);
}

/** The tokens of refunded orders are burned, unless their owner has sold them. */
function findUnburned(simulation: Simulation, memory: Memory): string[] {
  const { mined } = simulation.chain.state();
  const burns = Map.groupBy(simulation.all('BURN'), ({ orderId }) => orderId);
  const sold = new Set(
    [...mined.values()].flatMap(({ data, isSuccess }) =>
      isSuccess && data.startsWith('transfer ') ? [data.split(' ')[1]] : [],
    ),
  );
  return simulation.all('ORDER').flatMap((order) => {
    const { id, refund, fulfilmentStatus } = order;
    const isWhole = refund || fulfilmentStatus === 'refund-due';
    if (!isWhole && !order.returned) return [];
    if (memory.foreignMints.has(id) || burns.get(id)?.some(({ status }) => status === 'failed')) return [];
    const returned = simulation
      .all('TICKET#')
      .filter((ticket) => ticket.orderId === id && order.returned?.includes(seatNumber(ticket.id)));
    const tokens = isWhole ? tokensOf(simulation, order) : returned.map(({ tokenId }) => BigInt(tokenId));
    const { owners } = simulation.chain.state();
    const alive = tokens.filter((token) => owners.has(token) && !sold.has(String(token)));
    return alive.length > 0 ? [`${id} is refunded, and ${alive.length} of its tokens are not burned`] : [];
  });
}
