import { randomUUID } from 'node:crypto';
import { freshEmail } from '../../support/fixtures.ts';
import { routeOf, unprovedPasskey } from './table.ts';
import type { World } from './world.ts';

interface TestRequest {
  method: string;
  path: string;
  body?: object;
}

const startDate = '2030-01-01';
/** The address of a wallet or a contract. */
const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
/** The discount code that some lines of the access table create, change and delete. */
const discountCode = 'INVITED';
const destination = { accountNumber: '0690000031', bankCode: '044', accountName: 'O. Organizer' };

const webhookEndpoint = { url: 'https://crm.invalid/hook', types: ['order.completed'] };

/** The request bodies, by route. */
const bodies: Record<string, (world: World) => object> = {
  'POST /api/auth/register': () => ({ email: freshEmail(), password: 'correct horse', name: 'New' }),
  'POST /api/auth/login': ({ owner }) => ({ email: owner.user.email, password: owner.password }),
  'POST /api/auth/forgot-password': ({ owner }) => ({ email: owner.user.email }),
  'POST /api/auth/reset-password': () => ({ token: 'guessed', password: 'correct horse' }),
  'POST /api/auth/verify-email': () => ({ token: 'guessed' }),
  'POST /api/auth/confirm': ({ owner }) => ({ password: owner.password }),
  'POST /api/auth/passkeys': () => ({ response: unprovedPasskey }),
  'PATCH /api/auth/passkeys/{id}': () => ({ name: 'Phone' }),
  'POST /api/auth/passkeys/login': () => ({ response: unprovedPasskey }),
  'POST /api/auth/login/verify': () => ({ challenge: 'guessed', code: '000000' }),
  'POST /api/auth/totp/activate': () => ({ code: '00000a' }),
  'POST /api/auth/change-email': () => ({ email: freshEmail() }),
  'POST /api/auth/change-email/confirm': () => ({ token: 'guessed' }),
  'POST /api/auth/change-email/undo': () => ({ token: 'guessed' }),
  'PUT /api/auth/password': ({ owner }) => ({ currentPassword: owner.password, password: owner.password }),
  'PATCH /api/auth/me': () => ({}),
  'PUT /api/users/{id}/kyc': () => ({ status: 'NONE' }),
  'POST /api/webhook-endpoints': () => webhookEndpoint,
  'PUT /api/webhook-endpoints/{id}': () => webhookEndpoint,
  'POST /api/keys': () => ({ name: 'CRM', scopes: ['orders:read'] }),
  'PUT /api/organizer/page': () => ({ slug: `page-${randomUUID().slice(0, 8)}`, name: 'Old Station' }),
  'POST /api/events': () => ({ title: 'New', venue: 'Club', startDate }),
  'PUT /api/events/{id}': () => ({ city: 'Lagos' }),
  'POST /api/events/{id}/tiers': () => ({ name: 'Seated', price: 80, quantity: 5 }),
  'PUT /api/events/{id}/tiers/{tierId}': () => ({ description: 'By the bar' }),
  'POST /api/events/{id}/staff': ({ candidate }) => ({ email: candidate.user.email, role: 'door' }),
  'DELETE /api/events/{id}/staff': ({ candidate }) => ({ email: candidate.user.email }),
  'POST /api/events/{id}/codes': () => ({ code: discountCode, kind: 'percent', value: 10 }),
  'PUT /api/events/{id}/codes/{code}': () => ({ maxUses: 5 }),
  'PUT /api/events/{id}/queue': () => ({ paused: false }),
  'POST /api/events/{id}/waiting-list': ({ tierId }) => ({ tierId, quantity: 1 }),
  'POST /api/events/{id}/quote': ({ tierId }) => ({ tierId, quantity: 1 }),
  'POST /api/orders/initialize': ({ eventId, tierId }) => {
    return { eventId, tierId, quantity: 1, paymentMethod: 'FIAT' };
  },
  'POST /api/orders/initialize -- a guest': ({ eventId, tierId }) => {
    const customer = { email: freshEmail(), name: 'Gus Guest' };
    return { eventId, tierId, quantity: 1, paymentMethod: 'FIAT', customer };
  },
  'POST /api/orders/access': () => ({ email: freshEmail() }),
  'PUT /api/orders/{id}/answers': () => ({ answers: [] }),
  'PUT /api/orders/{id}/wallet': () => ({ walletAddress: address }),
  'POST /api/orders/{id}/confirm': () => ({ txHash: `0x${'ab'.repeat(32)}` }),
  'POST /api/orders/{id}/reissue': () => ({ walletAddress: address }),
  'POST /api/auth/wallet/challenge': () => ({ address, chainId: 137, purpose: 'contract' }),
  'POST /api/auth/wallet/verify': () => ({ message: 'unsigned', signature: '0xab' }),
  'POST /api/contracts/verify': () => ({
    chainId: 137,
    address,
    message: 'unsigned',
    signature: '0xab',
  }),
  'PUT /api/contracts/{chainId}/{address}': ({ owner }) => ({ organizerId: owner.user.id }),
  'POST /api/tickets/check-in': ({ checkInCode }) => ({ code: checkInCode }),
  'POST /api/events/{id}/image': () => ({ type: 'image/png' }),
  'POST /api/organizer/page/logo': () => ({ type: 'image/png' }),
  'POST /api/events/{id}/duplicate': () => ({ startDate }),
  'POST /api/events/{id}/door/scans': () => ({
    deviceId: 'gate-1',
    scans: [{ scanId: 'scan', seat: 'unknown.1', hash: 'A'.repeat(22), at: '2030-01-01T00:00:00Z' }],
  }),
  'POST /api/events/{id}/admissions': ({ paidOrderId }) => ({ orderId: paidOrderId, number: 1 }),
  'PUT /api/orders/{id}/seats/{number}': () => ({ name: 'Ada Attendee' }),
  'POST /api/orders/{id}/returns': () => ({ seats: [1] }),
  'POST /api/orders/{id}/seats/{number}/transfer': () => ({ email: freshEmail() }),
  'POST /api/tickets/claim': () => ({ chainId: 137, contractAddress: address, tokenId: '1' }),
  'POST /api/payouts/stop': () => ({ token: 'guessed' }),
  'POST /api/payouts': () => ({ amount: 5, currency: 'NGN', gateway: 'gateway-a', destination }),
};

/** The ids in paths, by the segment before them. */
const idsBySegment = (world: World): Record<string, string> => ({
  users: world.owner.user.id,
  events: world.eventId,
  tiers: world.tierId,
  orders: world.paidOrderId,
  notifications: world.notificationId,
  docs: 'reference.css',
  pictures: world.eventId,
  qr: world.checkInCode,
  keys: world.keyId,
  'webhook-endpoints': world.endpointId,
  deliveries: world.deliveryId,
  seats: '1',
  passkeys: 'unknown',
  sessions: world.eventId,
  transfers: world.transferToken,
});

/** Returns the id after `orders` or `transfers` in a path to another seat than the owner's; undefined for other segments. */
const findOtherId = (line: string, segment: string, world: World): string | undefined => {
  const seat = { ' -- transferred': world.transferredSeat, ' -- of a guest': world.guestSeat }[
    / -- (?:transferred|of a guest)$/.exec(line)?.[0] ?? ''
  ];
  return seat && { orders: seat.orderId, transfers: seat.transferToken }[segment];
};

/** The ids in the paths of lines about a particular object, such as a draft. */
const idsByLine: Record<string, (world: World) => string> = {
  'GET /api/events/{id} -- a draft': ({ draftEventId }) => draftEventId,
  'GET /api/events/{id}/calendar -- a draft': ({ draftEventId }) => draftEventId,
  'GET /events/{id+} -- a draft': ({ draftEventId }) => draftEventId,
  'PUT /api/events/{id} -- a draft': ({ draftEventId }) => draftEventId,
  'GET /api/events/{id}/admissions -- a draft': ({ draftEventId }) => draftEventId,
  'GET /api/events/{id}/staff -- a draft': ({ draftEventId }) => draftEventId,
  'DELETE /api/events/{id} -- without orders': ({ deletableEventId }) => deletableEventId,
  'POST /api/orders/{id}/cancel -- unpaid': ({ unpaidOrderId }) => unpaidOrderId,
};

/** Returns the request of a line of the table. */
export function requestOf(line: string, world: World): TestRequest {
  if (line === '$default') return { method: 'GET', path: '/api/nothing' };
  if (line === 'OPTIONS /{proxy+}') return { method: 'OPTIONS', path: '/api/orders/initialize' };
  const [method = '', path = ''] = routeOf(line).split(' ');
  const [chainId = '', contract = '', tokenId = ''] = world.tokenPath.split('/');
  const filledPath = path
    .replace('/tokens/{chainId}', `/tokens/${chainId}`)
    .replace('{contract}', contract)
    .replace('{tokenId}', tokenId)
    .replace('{upload}/{width}', 'unknown/400')
    .replace('{slug}', 'nobodys-page')
    .replace('{chainId}', '137')
    .replace('{code}', path.includes('/codes/') ? discountCode : '{code}')
    .replace('{address}', address)
    .replace(/([\w-]+)\/\{\w+\+?\}/g, (_, segment) => {
      const otherId = findOtherId(line, segment, world);
      return `${segment}/${idsByLine[line]?.(world) ?? otherId ?? idsBySegment(world)[segment]}`;
    });
  const query = queryOf(line, world);
  return { method, path: filledPath + query, body: (bodies[line] ?? bodies[routeOf(line)])?.(world) };
}

function queryOf(line: string, { owner }: World): string {
  if (line.endsWith('=me')) return `?${line.split(' -- ')[1]}`;
  if (line === 'GET /api/banks') return '?gateway=gateway-a&currency=NGN';
  if (routeOf(line) === 'GET /api/orders/{id}/returns/quote') return '?seats=1';
  return line.startsWith('DELETE /api/contracts') ? `?organizerId=${owner.user.id}` : '';
}
