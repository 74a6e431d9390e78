import { randomUUID } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { resolveConfiguration } from '../../../infra/local/defaults.ts';
import { createFundedAccount } from '../../support/chain.ts';
import {
  addStaff,
  buyTickets,
  type Caller,
  freshEmail,
  initializeOrder,
  listTickets,
  openSale,
  type Person,
  payOrder,
  placeGuestOrder,
  readOrder,
  registerAdmin,
  registerUser,
  waitForMintedOrder,
} from '../../support/fixtures.ts';
import { call } from '../../support/http.ts';
import { sharedStack } from '../../support/stack.ts';
import type { CallerKind } from './table.ts';

/** A caller's credentials. */
export interface Credentials {
  token?: string;
  cookie?: string;
}

/** One caller of each kind, and the data of the owner and the organizer. */
export interface World {
  callers: Record<CallerKind, Credentials>;
  owner: Person;
  /** The user whom requests add to the event's staff. */
  candidate: Person;
  eventId: string;
  tierId: string;
  draftEventId: string;
  deletableEventId: string;
  paidOrderId: string;
  unpaidOrderId: string;
  notificationId: string;
  /** The check-in code of the owner's order that is not refunded. */
  checkInCode: string;
  /** An order of the owner whose seat was transferred to `pastHolder` and then to `holder`, and the latest offer. */
  transferredSeat: { orderId: string; transferToken: string };
  /** The order of a guest, and the guest's offer of its seat. */
  guestSeat: { orderId: string; transferToken: string };
  /** The token of the owner's offer of a seat to another account. */
  transferToken: string;
  /** The chain id, contract and id of the owner's token, separated by slashes. */
  tokenPath: string;
  /** A key and a webhook endpoint of the organizer, and a delivery to it. */
  keyId: string;
  endpointId: string;
  deliveryId: string;
  /** Texts that only the owner and the event's organizer may see. */
  secrets: string[];
}

export async function createWorld(): Promise<World> {
  const [stranger, pastHolder, holder, owner, rival, door, manager, candidate, admin, sale] =
    await Promise.all([
      registerUser(),
      registerUser(),
      registerUser(),
      registerUser({ name: `Name ${randomUUID()}` }),
      registerUser({ role: 'ORGANIZER' }),
      registerUser(),
      registerUser(),
      registerUser(),
      registerAdmin(),
      openSale(),
    ]);
  const { organizer, event } = sale;
  const seller = { name: 'Club', address: '1 Road' };
  await organizer.put(`/api/events/${event.id}`, { seller });
  await organizer.put('/api/organizer/page', { slug: `page-${event.id.slice(-8)}`, name: 'Old Station' });
  // One of the tested requests refunds `paid`. `unrefunded` keeps a credit in the organizer's balance.
  const paid = await buyTickets(sale, owner, 2);
  const unrefunded = await buyTickets(sale, owner, 1);
  const [{ checkInCode }] = (await readOrder(owner, unrefunded.orderId)).admissions;
  const unpaid = await initializeOrder(sale, owner, 1);
  await organizer.put(`/api/events/${event.id}`, { buyers: 'anyone' });
  const guestOrder = await placeGuestOrder(sale);
  await payOrder(guestOrder);
  const draftEventId = await createEvent(organizer);
  const body = { status: 'DRAFT' };
  await organizer.put(`/api/events/${draftEventId}`, body);
  for (const id of [event.id, draftEventId]) {
    await addStaff(organizer, id, door, 'door');
    await addStaff(organizer, id, manager, 'manager');
  }
  const { notifications } = (await owner.get('/api/notifications')).body;
  return {
    callers: {
      anonymous: {},
      expired: expire(owner),
      refresh: { token: owner.cookie.replace('refreshToken=', '') },
      guest: { token: guestOrder.guest.token ?? '' },
      stranger,
      pastHolder,
      holder,
      owner,
      rival,
      door,
      manager,
      admin,
      organizer,
    },
    owner,
    candidate,
    eventId: event.id,
    tierId: event.tiers[0].id,
    draftEventId,
    deletableEventId: await createEvent(organizer),
    paidOrderId: paid.orderId,
    unpaidOrderId: unpaid.orderId,
    notificationId: notifications[0].id,
    checkInCode,
    transferredSeat: await transferSeat(await buyTickets(sale, owner, 1), owner, pastHolder, holder),
    guestSeat: {
      orderId: guestOrder.orderId,
      transferToken: await offerSeat(guestOrder.guest, guestOrder.orderId, 1),
    },
    transferToken: await offerSeat(owner, paid.orderId, 2),
    tokenPath: await mintToken(owner),
    ...(await createEndpoint(organizer)),
    keyId: (await organizer.post('/api/keys', { name: 'CRM', scopes: ['orders:read'] })).body.key.id,
    secrets: [
      owner.user.name,
      owner.user.email,
      paid.orderId,
      paid.reference,
      unpaid.orderId,
      unpaid.reference,
      checkInCode,
    ],
  };
}

async function offerSeat(
  { post }: Caller,
  orderId: string,
  number: number,
  email = freshEmail(),
): Promise<string> {
  const path = `/api/orders/${orderId}/seats/${number}/transfer`;
  return (await post(path, { email })).body.transfer.token;
}

/** Transfers the seat of an order from each of these people to the next. */
async function transferSeat({ orderId }: { orderId: string }, ...people: Person[]) {
  let transferToken = '';
  for (const [index, receiver] of people.slice(1).entries()) {
    transferToken = await offerSeat(people[index] as Person, orderId, 1, receiver.user.email);
    await receiver.post(`/api/transfers/${transferToken}/accept`);
  }
  return { orderId, transferToken };
}

/** Mints a token for a person. @returns its path in the API: chain id, contract and token id */
async function mintToken(owner: Person): Promise<string> {
  const { address } = await createFundedAccount(sharedStack());
  await owner.patch('/api/auth/me', { walletAddress: address });
  const { orderId } = await buyTickets(await openSale({ hasContract: true }), owner, 1);
  await waitForMintedOrder(owner, orderId);
  const [ticket] = await listTickets(owner, orderId);
  return `${ticket?.chainId}/${ticket?.contractAddress}/${ticket?.tokenId}`;
}

async function createEndpoint({ post }: Person) {
  const body = { url: 'https://crm.invalid/hook', types: ['order.completed'] };
  const endpointId = (await post('/api/webhook-endpoints', body)).body.endpoint.id;
  const { delivery } = (await post(`/api/webhook-endpoints/${endpointId}/test`)).body;
  return { endpointId, deliveryId: delivery.id };
}

async function createEvent({ token }: Person): Promise<string> {
  const body = { title: 'Another', venue: 'Club', startDate: '2030-01-01' };
  return (await call('POST', '/api/events', { token, body })).body.event.id;
}

/** Returns a person's tokens with an expiry one second ago. */
function expire({ token, cookie }: Person): Credentials {
  const addresses = { apiUrl: '', sandboxUrl: '', chainRpcUrl: '' };
  const { JWT_ACCESS_SECRET = '', JWT_REFRESH_SECRET = '' } = resolveConfiguration(addresses, process.env);
  const sign = (token: string, key: string) => {
    const claims = jwt.verify(token, key) as jwt.JwtPayload;
    return jwt.sign({ ...claims, exp: Math.floor(Date.now() / 1000) - 1 }, key);
  };
  const [name, refreshToken = ''] = cookie.split('=');
  return {
    token: sign(token, JWT_ACCESS_SECRET),
    cookie: `${name}=${sign(refreshToken, JWT_REFRESH_SECRET)}`,
  };
}
