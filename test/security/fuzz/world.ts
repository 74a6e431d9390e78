import { randomInt, randomUUID } from 'node:crypto';
import { write } from '../../../shared/dynamo/write.ts';
import { insertTicket } from '../../../shared/tickets/store.ts';
import { ticketId } from '../../../shared/tickets/ticket.ts';
import { eventually } from '../../support/eventually.ts';
import {
  buyTickets,
  initializeOrder,
  openSale,
  type Person,
  registerUser,
  type Sale,
} from '../../support/fixtures.ts';
import { call } from '../../support/http.ts';
import { connectToTable } from '../../support/stack.ts';
import type { Samples } from './generators.ts';

/** Attackers with their own accounts and data, and victims whose data must neither leak nor change. */
export interface World {
  user: Person;
  organizer: Person;
  /** A user whose cookie is sent only to the refresh-token endpoint. Other requests may end the session of `user`. */
  refreshUser: Person;
  victims: { buyer: Person; organizer: Person };
  /** Ids of the attackers' and the victims' data, by the path segment that precedes them, such as `orders`. */
  ids: Record<string, string[]>;
  /** Values for the fields of requests, by field name. */
  samples: Samples;
  /** Valid cursors of the attackers' and the victims' lists. */
  cursors: string[];
  /** Payment references of the attackers' own orders. */
  references: string[];
  /** Texts that only the victims' data contains. */
  canaries: string[];
  /** A victim's bank account number, which no answer shows in full. */
  accountNumber: string;
  /** Reads all data that the victims can see. */
  readVictimsData(): Promise<unknown>;
}

const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const get = async ({ token }: Person, path: string) => (await call('GET', path, { token })).body;

export async function createWorld(): Promise<World> {
  connectToTable();
  const [user, refreshUser, attackerSale, buyer, victimSale] = await Promise.all([
    registerUser({ password: `${randomUUID()}` }),
    registerUser(),
    openSale(),
    registerUser({ name: `Name ${randomUUID()}` }),
    openSale(),
  ]);
  const attackerData = await createAttackerData(attackerSale, user);
  const victimData = await createVictimData(victimSale, buyer);
  const victims = { buyer, organizer: victimSale.organizer };
  const cursors = await Promise.all([
    ...['orders', 'notifications', 'tickets'].map((list) => get(buyer, `/api/${list}?limit=1`)),
    ...['orders', 'notifications'].map((list) => get(user, `/api/${list}?limit=1`)),
    get(user, '/api/events?limit=1'),
  ]).then((pages) => pages.map(({ nextCursor }) => nextCursor).filter(Boolean));
  const people = [user, attackerSale.organizer, buyer, victims.organizer];
  const events = [attackerSale.event, victimSale.event];
  const spareEvents = await Promise.all(
    Array.from({ length: 4 }, () => createSpareEvent(attackerSale.organizer)),
  );
  const ids = {
    users: people.map((person) => person.user.id),
    events: [...events, ...spareEvents].map(({ id }) => id),
    tiers: [...events, ...spareEvents].map(({ tiers }) => tiers[0].id),
    orders: [...attackerData.orders, ...victimData.orders],
    notifications: [attackerData.notification, victimData.notification],
  };
  return {
    user,
    refreshUser,
    organizer: attackerSale.organizer,
    victims,
    ids,
    cursors,
    samples: {
      email: [user.user.email, buyer.user.email, victims.organizer.user.email],
      password: [user.password, 'wrong password'],
      name: ['Eve'],
      walletAddress: [address, address.toLowerCase(), `0x${'0'.repeat(40)}`],
      contractAddress: [address],
      startDate: ['2030-01-01T10:00:00+02:00', '2030-02-30'],
      endDate: ['2030-01-01T12:00:00Z'],
      eventDate: ['2030-01-01'],
      saleStart: ['2020-01-01T00:00:00Z'],
      saleEnd: ['2031-01-01T00:00:00Z'],
      from: ['2020-01-01', '9999-12-31T23:59:59.999Z'],
      to: ['2040-01-01', '0001-01-01'],
      timezone: ['Europe/Berlin', 'UTC'],
      image: ['https://example.com/a.png'],
      imageUrl: ['ipfs://abc'],
      metadataUri: ['ipfs://abc', 'javascript:alert(1)'],
      eventId: events.map(({ id }) => id),
      tierId: events.map(({ tiers }) => tiers[0].id),
      orderId: ids.orders,
      organizerId: ['me', ...ids.users],
      customerEmail: ['eve@example.com'],
      quantity: [1, 2],
      limit: [1, 100],
      cursor: cursors,
      txHash: [`0x${'ab'.repeat(32)}`],
      accountNumber: ['0690000031'],
      bankCode: ['044'],
      amount: [1, 10.5],
      currency: ['NGN', 'USD'],
    },
    references: attackerData.references,
    canaries: [...victimData.canaries, victimData.accountNumber],
    accountNumber: victimData.accountNumber,
    readVictimsData: () => readVictimsData(victims, victimSale, victimData.orders),
  };
}

/** Creates a user's orders for an organizer's event: one paid order, and two that wait for payment. */
async function createAttackerData(sale: Sale, user: Person) {
  const paid = await buyTickets(sale, user, 1);
  const waiting = [await initializeOrder(sale, user, 1), await initializeOrder(sale, user, 1, 'gateway-b')];
  const { notifications } = await get(user, '/api/notifications');
  const orders = [paid, ...waiting];
  return {
    orders: orders.map(({ orderId }) => orderId),
    notification: notifications[0].id,
    references: orders.map(({ reference }) => reference),
  };
}

/** Creates an event without orders, which the fuzzed requests may change and delete. */
async function createSpareEvent({ token }: Person) {
  const body = { title: 'Spare', venue: 'Club', startDate: '2030-01-01', ticketPrice: 5, maxCapacity: 10 };
  return (await call('POST', '/api/events', { token, body })).body.event;
}

/** Creates data of all kinds: orders, a ticket, notifications, a payout, a draft event. */
async function createVictimData(sale: Sale, buyer: Person) {
  const { token } = sale.organizer;
  const title = `Title ${randomUUID()}`;
  const changeEvent = (body: object) => call('PUT', `/api/events/${sale.event.id}`, { token, body });
  await changeEvent({ title });
  const paid = await buyTickets(sale, buyer, 2);
  const waiting = await initializeOrder(sale, buyer, 1, 'gateway-b');
  const tokenId = `${Date.now()}${randomInt(1e12)}`;
  await write(insertTicket(newTicket(paid.orderId, tokenId, sale, buyer)));
  const accountNumber = `${randomInt(1e9, 1e10)}`;
  const accountName = `Account ${randomUUID()}`;
  const destination = { accountNumber, bankCode: '044', accountName };
  const body = { amount: 10, currency: 'NGN', gateway: 'gateway-a', destination };
  const payout = await call('POST', '/api/payouts', { token, body });
  if (payout.status !== 201) throw new Error(`No payout: ${JSON.stringify(payout.body)}`);
  await eventually('the payout is completed', async () => {
    return (await get(sale.organizer, '/api/payouts')).payouts[0].status === 'COMPLETED';
  });
  // An order shows the status of its mail, which is sent after the order is posted.
  await eventually('the mail of the order is sent', async () => {
    return (await get(buyer, `/api/orders/${paid.orderId}`)).order.mail?.status === 'sent';
  });
  await changeEvent({ status: 'DRAFT' });
  const { notifications } = await get(buyer, '/api/notifications');
  return {
    orders: [paid.orderId, waiting.orderId],
    notification: notifications[0].id,
    canaries: [
      ...[buyer.user.name, buyer.user.email, sale.organizer.user.email, title],
      ...[paid.reference, waiting.reference, tokenId, accountName],
    ],
    accountNumber,
  };
}

function newTicket(orderId: string, tokenId: string, { event }: Sale, buyer: Person) {
  return {
    id: ticketId(orderId, 1),
    tokenId,
    contractAddress: address,
    chainId: 137,
    txHash: `0x${'cd'.repeat(32)}`,
    eventId: event.id,
    orderId,
    owner: address,
    userId: buyer.user.id,
    createdAt: new Date().toISOString(),
  };
}

async function readVictimsData({ buyer, organizer }: World['victims'], { event }: Sale, [paid]: string[]) {
  return Promise.all([
    get(buyer, '/api/auth/me'),
    get(buyer, '/api/orders'),
    get(buyer, `/api/orders/${paid}`),
    get(buyer, '/api/tickets'),
    get(buyer, '/api/notifications'),
    get(organizer, '/api/auth/me'),
    get(organizer, `/api/events/${event.id}`),
    get(organizer, '/api/organizer/balance'),
    get(organizer, '/api/payouts'),
    call('POST', '/api/auth/refresh-token', { cookie: buyer.cookie }).then(({ status }) => status),
    call('POST', '/api/auth/refresh-token', { cookie: organizer.cookie }).then(({ status }) => status),
  ]);
}
