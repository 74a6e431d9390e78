import { randomUUID } from 'node:crypto';
import type { StackDescription } from '../../infra/local/stack.ts';
import { codeOf, toStep } from '../../shared/accounts/factors/totp.ts';
import type { User } from '../../shared/accounts/users/user.ts';
import { type Key, keys } from '../../shared/dynamo/keys.ts';
import { type Item, queryAll } from '../../shared/dynamo/read.ts';
import { update, write } from '../../shared/dynamo/write.ts';
import { type Authenticator, createAuthenticator } from './authenticator.ts';
import { eventually } from './eventually.ts';
import { type Answer, type CallOptions, call } from './http.ts';
import { awaitMail } from './mailbox.ts';
import { runOps, sharedStack } from './stack.ts';

/** Users, events and orders for tests that call the API. Each function fails the test when the API refuses it. */

// biome-ignore lint/suspicious/noExplicitAny: responses are not typed
type Json = any;

/** Sends requests as one user. The responses have any status. */
export interface Caller {
  /** An access token; undefined without a login. */
  token?: string | undefined;
  get(path: string, options?: CallOptions): Promise<Answer>;
  post(path: string, body?: object, options?: CallOptions): Promise<Answer>;
  put(path: string, body?: object, options?: CallOptions): Promise<Answer>;
  patch(path: string, body: object): Promise<Answer>;
  delete(path: string, body?: object): Promise<Answer>;
}

export interface Person extends Caller {
  user: User;
  token: string;
  /** The refresh cookie as a browser sends it: `name=value`. */
  cookie: string;
  password: string;
  stack: StackDescription;
}

/** Creates a caller. @param token by default none: an anonymous caller */
export function createCaller(token?: string, stack?: StackDescription): Caller {
  const send =
    (method: string) =>
    (path: string, body?: object, options: CallOptions = {}) =>
      call(method, path, {
        ...(stack && { apiUrl: stack.apiUrl }),
        ...(token && { token }),
        ...(body && { body }),
        ...options,
      });
  return {
    token,
    get: (path, options) => send('GET')(path, undefined, options),
    post: send('POST'),
    put: send('PUT'),
    patch: send('PATCH'),
    delete: send('DELETE'),
  };
}

/** A caller without a login, at the shared stack. */
export const anonymous = createCaller();

export interface Registration {
  /** By default a new one. */
  email?: string;
  role?: 'USER' | 'ORGANIZER';
  name?: string;
  walletAddress?: string;
  password?: string;
}

/** Registers a new user with a unique e-mail address. */
export async function registerUser(
  registration: Registration = {},
  stack: StackDescription = sharedStack(),
): Promise<Person> {
  const { password = 'correct horse battery' } = registration;
  const answer = await createCaller(undefined, stack).post('/api/auth/register', {
    email: freshEmail(),
    name: 'Ann Example',
    ...registration,
    password,
  });
  const { user, token } = expectStatus(201, answer);
  return { ...createCaller(token, stack), user, token, cookie: cookieOf(answer), password, stack };
}

/** Registers a user and grants the role ADMIN with the operator's command. */
export async function registerAdmin(stack: StackDescription = sharedStack()): Promise<Person> {
  const person = await registerUser({}, stack);
  await runOps(['grant-role', '--email', person.user.email, '--role', 'ADMIN', '--unconfirmed'], stack);
  return { ...(await renewSession(person)), user: { ...person.user, role: 'ADMIN' } };
}

/** Returns a person with a new access token: one expires after 15 minutes, and has the role of its time. */
export async function renewSession(person: Person): Promise<Person> {
  const answer = await person.post('/api/auth/refresh-token', undefined, { cookie: person.cookie });
  const { token } = expectStatus(200, answer);
  return { ...person, ...createCaller(token, person.stack), token };
}

export const freshEmail = (): string => `${randomUUID()}@example.com`;

/** Returns the first cookie of a response, as a browser sends it. */
export const cookieOf = ({ cookies }: Pick<Answer, 'cookies'>): string => cookies[0]?.split(';')[0] ?? '';

/** Opens the link that confirms a person's address. */
export async function confirmAddress({ user, stack, post }: Person): Promise<void> {
  const { body } = await awaitMail(user.email, 'Confirm your e-mail address', stack);
  const token = /verify-email\?token=([\w-]{43})/.exec(body.text)?.[1];
  expectStatus(200, await post('/api/auth/verify-email', { token }));
}

/** Adds a person to the staff of an event. The person confirms the address first, unless it is confirmed. */
export async function addStaff(
  organizer: Person,
  eventId: string,
  person: Person,
  role: 'manager' | 'door',
): Promise<void> {
  const { user } = (await person.get('/api/auth/me')).body;
  if (!user.emailVerified) await confirmAddress(person);
  expectStatus(201, await organizer.post(`/api/events/${eventId}/staff`, { email: user.email, role }));
}

/** Reads a person's newest notifications, at most 100. */
export async function readNotifications(person: Person): Promise<Json[]> {
  return (await person.get('/api/notifications?limit=100')).body.notifications;
}

/** Reads an organizer's balance in one currency. Returns zeros when there is none. */
export async function readBalance(organizer: Person, currency = 'NGN'): Promise<Json> {
  const { balances } = (await organizer.get('/api/organizer/balance')).body;
  const found = balances.find((balance: Json) => balance.currency === currency);
  return found ?? { currency, upcoming: 0, available: 0, disputed: 0, pending: 0, paidOut: 0 };
}

export interface Sale {
  organizer: Person;
  event: Json;
}

/** A date on which an event can begin. */
const inAMonth = new Date(Date.now() + 30 * 24 * 3600 * 1000).toISOString();

interface SaleFields {
  title?: string;
  price?: number;
  currency?: string;
  quantity?: number;
  maxPerPerson?: number;
  entry?: 'account' | 'token';
  /** Whether the event uses the stack's ticket contract. */
  hasContract?: boolean;
  lockAfterAdmission?: boolean;
  /** By default a new one. */
  organizer?: Person;
  stack?: StackDescription;
}

/** Publishes an event with one tier. */
export async function openSale(fields: SaleFields = {}): Promise<Sale> {
  const {
    title = 'Jazz',
    price = 50,
    currency = 'NGN',
    quantity = 100,
    maxPerPerson = 10,
    hasContract = false,
    entry,
    lockAfterAdmission,
  } = fields;
  const organizer = fields.organizer ?? (await registerUser({ role: 'ORGANIZER' }, fields.stack));
  const { ticketContract, chainId } = organizer.stack;
  const contract = hasContract ? { contractAddress: ticketContract, chainId } : {};
  const tiers = [{ name: 'Standing', price, quantity, maxPerPerson }];
  return {
    organizer,
    event: await createEvent(organizer, { title, currency, tiers, entry, lockAfterAdmission, ...contract }),
  };
}

/** Publishes an event. @returns the event as the API returns it */
export async function createEvent(organizer: Caller, fields: object = {}): Promise<Json> {
  const body = { title: 'Jazz', venue: 'Club', startDate: inAMonth, ...fields };
  return expectStatus(201, await organizer.post('/api/events', body)).event;
}

/** Changes an event as its organizer. Returns the response of any status. */
export const changeEvent = ({ event, organizer }: Sale, body: object): Promise<Answer> =>
  organizer.put(`/api/events/${event.id}`, body);

/** Returns the number of available tickets of an event's first tier. */
export async function countAvailable({ id }: { id: string }, stack?: StackDescription): Promise<number> {
  return (await createCaller(undefined, stack).get(`/api/events/${id}`)).body.event.tiers[0].available;
}

/**
 * Serves the waiting lists of a sale's event at once, as the sweep has it done every minute, until all of these people have an
 * offer. A pass leaves what the sweep's pass is just doing.
 */
export async function serveWaitingLists({ event }: Sale, ...people: Person[]): Promise<void> {
  const body = JSON.stringify({ type: 'offer-tickets', eventId: event.id });
  await eventually('all have an offer', async () => {
    await sharedStack().invoke('workers-run-event-jobs', {
      Records: [{ messageId: '1', body, attributes: {} }],
    });
    const answers = await Promise.all(people.map((person) => person.get('/api/waiting-list')));
    return answers.every(({ body: { entries } }) => entries[0]?.status === 'offered');
  });
}

/** Creates a promo code for a sale's event. */
export async function createCode({ event, organizer }: Sale, fields: object): Promise<Json> {
  return expectStatus(201, await organizer.post(`/api/events/${event.id}/codes`, fields)).code;
}

/** Reads a promo code as the organizer. @param text the code in upper case */
export async function readCode({ event, organizer }: Sale, text: string): Promise<Json> {
  const { body } = await organizer.get(`/api/events/${event.id}/codes?limit=100`);
  return body.codes.find(({ code }: Json) => code === text);
}

/** Requests a quote. Returns the response of any status. */
export function requestQuote({ event }: Sale, fields: object, caller = createCaller()): Promise<Answer> {
  const body = { ...(!('items' in fields) && { tierId: event.tiers[0].id, quantity: 1 }), ...fields };
  return caller.post(`/api/events/${event.id}/quote`, body);
}

/** Requests an order, by default of one ticket of the first tier. Returns the response of any status. */
export function requestOrder(
  { event }: Pick<Sale, 'event'>,
  buyer: Caller,
  fields: object = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  const tickets = 'items' in fields ? {} : { tierId: event.tiers[0].id, quantity: 1 };
  const body = { eventId: event.id, ...tickets, paymentMethod: 'FIAT', ...fields };
  return buyer.post('/api/orders/initialize', body, { headers });
}

/** The API's answer to an accepted order. */
export interface PlacedOrder {
  orderId: string;
  reference: string;
  totalAmount: number;
  [field: string]: Json;
  /** Reads the order with its buyer's token. */
  read(): Promise<Json>;
}

/** Creates an order, by default of one ticket of the first tier, to pay at the default gateway. */
export async function placeOrder(
  sale: Pick<Sale, 'event'>,
  buyer: Caller,
  fields: object = {},
): Promise<PlacedOrder> {
  const body = expectStatus(201, await requestOrder(sale, buyer, fields));
  return { ...body, read: () => readOrder(buyer, body.orderId) };
}

/** Places an order without an account. @returns the order, and a caller with its access token */
export async function placeGuestOrder(
  sale: Pick<Sale, 'event'>,
  email: string = freshEmail(),
  fields: object = {},
): Promise<PlacedOrder & { email: string; guest: Caller }> {
  const customer = { email, name: 'Gus Guest' };
  const body = expectStatus(201, await requestOrder(sale, anonymous, { customer, ...fields }));
  const guest = createCaller(`Order ${body.accessToken}`);
  return { ...body, email, guest, read: () => readOrder(guest, body.orderId) };
}

/** Pays an order at its gateway, and waits until it is posted. */
export async function payOrder({ reference, read }: PlacedOrder): Promise<void> {
  await controlSandbox(`payments/${reference}/pay`);
  await eventually('the order is posted', async () => {
    const { fulfilment } = await read();
    return !['none', 'queued'].includes(fulfilment.status);
  });
}

/** Creates an order to pay at a gateway. */
export const initializeOrder = (
  sale: Pick<Sale, 'event'>,
  buyer: Caller,
  quantity: number,
  gateway = 'gateway-a',
): Promise<PlacedOrder> => placeOrder(sale, buyer, { quantity, gateway });

/** Buys tickets, and waits until the buyer is notified and the order is posted to the ledger. */
export async function buyTickets(
  sale: Pick<Sale, 'event'>,
  buyer: Person,
  quantity: number,
  gateway?: string,
) {
  const { orderId, reference } = await initializeOrder(sale, buyer, quantity, gateway);
  await controlSandbox(`payments/${reference}/pay`, {}, 'POST', buyer.stack);
  // The status changes when the order is posted, after the buyer's notification.
  await eventually('the order is posted', async () => {
    const { fulfilment } = await readOrder(buyer, orderId);
    return !['none', 'queued'].includes(fulfilment.status);
  });
  return { orderId, reference };
}

/** Reads an order with its buyer's token. */
export async function readOrder(buyer: Caller, orderId: string): Promise<Json> {
  return (await buyer.get(`/api/orders/${orderId}`)).body.order;
}

/** Cancels an unpaid order. Returns the response of any status. */
export const cancelOrder = (orderId: string, buyer: Caller): Promise<Answer> =>
  buyer.post(`/api/orders/${orderId}/cancel`);

/** Requests a refund. Returns the response of any status. */
export const requestRefund = (orderId: string, caller: Caller): Promise<Answer> =>
  caller.post(`/api/orders/${orderId}/refund`);

/** Waits until the refund of an order has a status. */
export const waitForRefund = (buyer: Caller, orderId: string, status = 'done'): Promise<Json> =>
  eventually(`the refund is ${status}`, async () => {
    const order = await readOrder(buyer, orderId);
    return order.refund?.status === status && order;
  });

/** Waits until an order's tickets are minted. */
export const waitForMintedOrder = (buyer: Caller, orderId: string): Promise<Json> =>
  eventually('the tickets are minted', async () => {
    const order = await readOrder(buyer, orderId);
    return order.fulfilment.status === 'minted' && order;
  });

/** A ticket in the API. */
export interface TicketView {
  id: string;
  tokenId: string;
  contractAddress: string;
  chainId: number;
  txHash: string;
  owner: string;
  checkInCode: string;
  checkedInAt: string | null;
  burnedAt: string | null;
}

/** Lists the tickets of an order as its buyer. */
export async function listTickets(buyer: Caller, orderId: string): Promise<TicketView[]> {
  return (await buyer.get(`/api/tickets?orderId=${orderId}`)).body.tickets;
}

/** Reads the check-in codes of an order's seats. They are shown to its buyer only. */
export async function readCheckInCodes(caller: Caller, orderId: string): Promise<string[]> {
  const { admissions } = await readOrder(caller, orderId);
  return admissions.map(({ checkInCode }: Json) => checkInCode);
}

/** Checks a code in. @param eventId the event whose codes are accepted; by default any event */
export const checkIn = (code: unknown, staff: Caller, eventId?: string): Promise<Answer> =>
  staff.post('/api/tickets/check-in', { code, eventId });

/** Lists a page of the seats that a person holds or bought. */
export async function readSeats(person: Caller, query = ''): Promise<Json> {
  return (await person.get(`/api/seats${query}`)).body;
}

/** Finds a seat that a person holds or bought. */
export async function findSeat(person: Caller, orderId: string, number: number): Promise<Json> {
  const { seats } = await readSeats(person, `?orderId=${orderId}`);
  return seats.find((seat: Json) => seat.number === number);
}

export const nameAttendee = (holder: Caller, orderId: string, number: number, body: object) =>
  holder.put(`/api/orders/${orderId}/seats/${number}`, body);

export const offerSeat = (holder: Caller, orderId: string, number: number, email: string) =>
  holder.post(`/api/orders/${orderId}/seats/${number}/transfer`, { email });

export const acceptTransfer = (receiver: Caller, transferToken: string) =>
  receiver.post(`/api/transfers/${transferToken}/accept`);

export const withdrawTransfer = (holder: Caller, transferToken: string) =>
  holder.delete(`/api/transfers/${transferToken}`);

/** Calls the control API of the sandbox's providers (infra/sandbox/control.ts). */
export async function controlSandbox(
  path: string,
  body: object = {},
  method = 'POST',
  { sandboxUrl }: StackDescription = sharedStack(),
): Promise<Json> {
  const response = await fetch(`${sandboxUrl}/control/${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: method === 'GET' ? undefined : JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** Returns the body of an answer with the expected status. @throws Error for any other status */
export function expectStatus(status: number, answer: Answer): Json {
  if (answer.status === status) return answer.body;
  throw new Error(`${answer.status} instead of ${status}: ${JSON.stringify(answer.body)}`);
}

/** Begins the registration of a passkey. */
export async function beginPasskey({
  post,
}: Pick<Person, 'post'>): Promise<{ challenge: string; userHandle: string }> {
  const { options } = expectStatus(200, await post('/api/auth/passkeys/options'));
  return { challenge: options.challenge, userHandle: options.user.id };
}

/** Adds a passkey to a person's account. */
export async function addPasskey(
  person: Pick<Person, 'post' | 'stack'>,
  counter = 0,
): Promise<Authenticator & { recoveryCodes: string[] }> {
  const authenticator = createAuthenticator(person.stack.apiUrl);
  const response = authenticator.create({ ...(await beginPasskey(person)), counter });
  const { recoveryCodes } = expectStatus(201, await person.post('/api/auth/passkeys', { response }));
  return { ...authenticator, recoveryCodes };
}

/** Returns the codes of an authenticator app by their distance from the current step. @param secret in base32 */
export function totpCodeOf(secret: string): (offset: number) => string {
  const bits = [...secret].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  const bytes = new Uint8Array((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  return (offset) => codeOf(bytes, toStep(Date.now()) + offset);
}

/** Sets up an authenticator app. `codeAt(1)` is the code of the next step. */
export async function addTotp(person: Pick<Person, 'post'>) {
  const { secret, uri } = expectStatus(200, await person.post('/api/auth/totp'));
  if (!uri.includes(`secret=${secret}`)) throw new Error(`${uri} does not have the secret`);
  const codeAt = totpCodeOf(secret);
  const activate = () => person.post('/api/auth/totp/activate', { code: codeAt(-1) });
  const first = await activate();
  // The step may have ended meanwhile.
  const answer = first.status === 200 ? first : await activate();
  return { codeAt, recoveryCodes: expectStatus(200, answer).recoveryCodes as string[] };
}

/** Makes the second factors of an account older than a week. The process has to be connected to the stack's table. */
export async function ageFactors({ user }: Person): Promise<void> {
  const createdAt = new Date(Date.now() - 8 * 24 * 3600 * 1000).toISOString();
  for await (const item of queryAll({ partition: keys.user(user.id).pk, prefix: 'FACTOR#' })) {
    await write(update(item as Item & Key, { set: { createdAt } }));
  }
}
