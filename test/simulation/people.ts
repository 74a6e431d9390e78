import { Wallet } from 'ethers';
import { type Actor, act, call, findLinkToken, outcome, pickBuyer, pickEvent } from './actor.ts';
import type { Item } from './core/simulation.ts';
import type { Operation } from './operations.ts';
import { chainId } from './parts/chain.ts';
import { dayMilliseconds } from './world.ts';

/** Changes a password, sets a new one with a mailed link, or both at the same time. */
async function changePassword(actor: Actor): Promise<void> {
  const { random, simulation, memory } = actor;
  const person = pickBuyer(actor);
  if (memory.changingPasswords.has(person.id)) return;
  memory.changingPasswords.add(person.id);
  await call(actor, 'POST /api/auth/forgot-password', { body: { email: person.email } });
  await simulation.kernel.sleep(random.pick([60_000, 300_000]));
  const token = findLinkToken(actor, person.email, 'reset-password');
  if (token) memory.mayHaveReset.add(person.id);
  const [current, changed, reset] = [person.password, `${random.name} changed`, `${random.name} reset`];
  const change = { currentPassword: current, password: changed };
  const [answer, resetAnswer] = await Promise.all([
    random.chance(0.7) ? call(actor, 'PUT /api/auth/password', { as: person, body: change }, 0) : undefined,
    token && random.chance(0.7)
      ? call(actor, 'POST /api/auth/reset-password', { body: { token, password: reset }, key: reset })
      : undefined,
  ]);
  actor.tell(
    `${person.name} changes the password → ${answer && outcome(answer)}, sets it by a link → ${resetAnswer && outcome(resetAnswer)}`,
  );
  // Only a password that was set, or may have been, opens the account.
  const isUnclear = [answer, resetAnswer].some(
    (given) => given && (given.status === 0 || given.status >= 500),
  );
  // Of both, the link is the later one: a change needs the password that the link has ended.
  const expected = resetAnswer?.status === 200 ? reset : answer?.status === 200 ? changed : current;
  for (const password of [current, changed, reset]) {
    const login = await call(actor, 'POST /api/auth/login', { body: { email: person.email, password } }, 5);
    if (login.status === 200 && password !== expected && !isUnclear) {
      simulation.violate('only the current password opens an account', `${person.email}: ${password}`);
    }
    if (login.status === 200) Object.assign(person, { password, token: login.body.token });
    else if (
      login.code === 'wrong-credentials' &&
      password === expected &&
      !isUnclear &&
      !memory.closing.has(person.id)
    ) {
      simulation.violate('the current password opens an account', `${person.email}: ${password}`);
    }
  }
  if (token && resetAnswer?.status === 200) {
    const body = { token, password: 'the password of a thief' };
    const again = await call(actor, 'POST /api/auth/reset-password', { body }, 0);
    if (again.status === 200) simulation.violate('a link sets a password once', person.email);
  }
  memory.changingPasswords.delete(person.id);
}

/** Removes Sam from the staff of an event, or adds him again. */
async function changeStaff(actor: Actor): Promise<void> {
  const { random, world } = actor;
  const { olu, sam } = world.people;
  const [route, body] = random.pick([
    ['DELETE /api/events/{id}/staff', { email: sam.email }],
    ['POST /api/events/{id}/staff', { email: sam.email, role: 'door' }],
    ['POST /api/events/{id}/staff', { email: sam.email, role: 'door' }],
  ] as const);
  await act(actor, olu, `calls ${route} with sam`, route, { params: { id: pickEvent(actor) }, body });
}

/** Creates an event, and deletes it while somebody buys, and while a code and staff are added. */
async function deleteEvent(actor: Actor): Promise<void> {
  const { random, simulation, world, memory } = actor;
  const { olu, sam } = world.people;
  const body = {
    title: 'Event deleted',
    venue: 'Hall',
    startDate: new Date(simulation.kernel.now + 5 * dayMilliseconds).toISOString(),
    tiers: [{ name: 'Floor', price: random.pick([0, 10]), quantity: 5, maxPerPerson: 4 }],
  };
  const created = await call(actor, 'POST /api/events', { as: olu, body, key: random.name }, 2);
  if (created.status !== 201) return;
  const { id, tiers } = created.body.event;
  const params = { id };
  const buyer = pickBuyer(actor);
  const request = { eventId: id, tierId: tiers[0].id, quantity: 1, paymentMethod: 'FIAT' };
  const isBought = random.chance(0.6);
  if (isBought) memory.attempts.set(buyer.id, (memory.attempts.get(buyer.id) ?? 0) + 1);
  const [deleted, bought] = await Promise.all([
    call(actor, 'DELETE /api/events/{id}', { as: olu, params }, 2),
    isBought &&
      call(actor, 'POST /api/orders/initialize', { as: buyer, body: request, key: `${random.name}-buy` }, 0),
    call(
      actor,
      'POST /api/events/{id}/staff',
      { as: olu, params, body: { email: sam.email, role: 'door' } },
      0,
    ),
    call(
      actor,
      'POST /api/events/{id}/codes',
      { as: olu, params, body: { code: 'LATE', kind: 'percent', value: 5 } },
      0,
    ),
  ]);
  actor.tell(
    `olu deletes an event → ${outcome(deleted)}${bought ? `, ${buyer.name} buys → ${outcome(bought)}` : ''}`,
  );
}

/** Closes Dan's account, which is refused as long as an order of his is not done. */
export async function closeAccount(actor: Actor): Promise<void> {
  const { world, memory } = actor;
  const { dan } = world.people;
  memory.closing.add(dan.id);
  const params = { id: dan.id };
  const { status } = await act(actor, dan, 'closes the account', 'POST /api/users/{id}/erasure', { params });
  if (status === 200) memory.erased.add(dan.id);
}

/** Links a wallet to an account, with one signature for all attempts, or unlinks it. */
async function linkWallet(actor: Actor): Promise<void> {
  const { random, simulation, world } = actor;
  const as = random.pick([world.people.cy, world.people.dan]);
  if (random.chance(0.3)) {
    await act(actor, as, 'unlinks the wallet', 'DELETE /api/auth/wallet');
    return;
  }
  const wallet = new Wallet(`0x${'7'.repeat(64)}`);
  const challenge = { address: wallet.address, chainId, purpose: 'link' };
  const { body } = await call(actor, 'POST /api/auth/wallet/challenge', { as, body: challenge });
  if (!body?.message) return;
  const signed = { message: body.message, signature: wallet.signMessageSync(body.message) };
  const link = () => call(actor, 'POST /api/auth/wallet/verify', { as, body: signed }, 1);
  const answers = await Promise.all(random.chance(0.5) ? [link(), link()] : [link()]);
  actor.tell(`${as.name} links a wallet → ${answers.map(outcome)}`);
  const owners = simulation
    .all('PROFILE')
    .filter(({ walletAddress }: Item) => walletAddress === wallet.address);
  if (owners.length > 1) simulation.violate('a wallet belongs to one account', wallet.address);
}

async function readNotifications(actor: Actor): Promise<void> {
  const { random } = actor;
  const as = pickBuyer(actor);
  const answer = await call(actor, 'GET /api/notifications', { as }, 0);
  const notifications: Item[] = answer.body?.notifications ?? [];
  if (notifications.length === 0) return;
  const params = { id: random.pick(notifications).id };
  const route = random.chance(0.5) ? 'POST /api/notifications/{id}/read' : 'POST /api/notifications/read-all';
  await act(actor, as, `calls ${route}`, route, { params });
}

export const peopleOperations: readonly Operation[] = [
  { name: 'change password', weight: 2, run: changePassword },
  { name: 'change staff', weight: 2, run: changeStaff },
  { name: 'delete event', weight: 2, run: deleteEvent },
  { name: 'erase', weight: 0.5, run: closeAccount },
  { name: 'link wallet', weight: 1, run: linkWallet },
  { name: 'read notifications', weight: 1, run: readNotifications },
];
