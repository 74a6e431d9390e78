import { codeOf, toStep } from '../../shared/accounts/factors/totp.ts';
import { type Actor, act, call, findLinkToken } from './actor.ts';
import type { Item, Person } from './core/simulation.ts';
import type { Operation } from './operations.ts';

const destination = { accountNumber: '6666666666', bankCode: '044', accountName: 'A thief' };

/**
 * Somebody has a fresh session of Olu, and requests payouts. Olu stops them by the mailed link, undoes a change of the
 * address, or has the thief's authenticator app reset. Then nothing that waited is sent, and the session is of no use.
 */
async function steal(actor: Actor): Promise<void> {
  const { random, simulation, world, memory } = actor;
  const { olu } = world.people;
  if (memory.isRobbed) return;
  memory.isRobbed = true;
  for (let waited = 0; waited < 5 && !findBalance(actor, olu); waited++)
    await simulation.kernel.sleep(600_000);
  memory.robberies++;
  const { email, password } = olu;
  const login = await call(actor, 'POST /api/auth/login', { body: { email, password } });
  if (login.body?.token) {
    const thief = {
      ...olu,
      token: login.body.token,
      email: `thief-${memory.robberies}@example.com`,
      password: 'unknown',
    };
    await random.pick([stealAndStop, changeAddressAndUndo, addAppAndReset])(actor, thief);
  }
  memory.isRobbed = false;
}

async function stealAndStop(actor: Actor, thief: Person): Promise<void> {
  await requestPayouts(actor, thief);
  await waitForOwner(actor);
  const { olu } = actor.world.people;
  const token = findLinkToken(actor, olu.email, 'stop-payouts');
  if (!token) return;
  const stopping = stopBy(actor, 'opens the link that stops payouts', 'POST /api/payouts/stop', token);
  await Promise.all([stopping, requestPayouts(actor, thief)]);
  if (await stopping) await requireEnded(actor, thief);
}

async function changeAddressAndUndo(actor: Actor, thief: Person): Promise<void> {
  const { simulation, world } = actor;
  const { olu } = world.people;
  const body = { email: thief.email };
  await act(actor, thief, 'is robbed, and the thief wants another address', 'POST /api/auth/change-email', {
    body,
  });
  await simulation.kernel.sleep(60_000);
  const link = findLinkToken(actor, thief.email, 'change-email');
  if (!link) return;
  const changed = await act(actor, thief, 'has another address', 'POST /api/auth/change-email/confirm', {
    body: { token: link },
  });
  await requestPayouts(actor, thief);
  await waitForOwner(actor);
  const undo = findLinkToken(actor, olu.email, 'undo-email-change');
  if (changed.status !== 200 || !undo) return;
  const isUndone = await stopBy(actor, 'undoes it', 'POST /api/auth/change-email/undo', undo);
  if (!isUndone) return;
  await requireEnded(actor, thief);
  const { email } = simulation.all('PROFILE').find(({ id }) => id === olu.id) as Item;
  if (email !== olu.email) simulation.violate('an undone change gives the address back', email);
  await choosePassword(actor);
}

/** Olu's password ended with the undone change. */
async function choosePassword(actor: Actor): Promise<void> {
  const { random, simulation, world } = actor;
  const { olu } = world.people;
  await call(actor, 'POST /api/auth/forgot-password', { body: { email: olu.email } }, 5);
  await simulation.kernel.sleep(120_000);
  const token = findLinkToken(actor, olu.email, 'reset-password');
  const password = `${random.name} again`;
  const options = { body: { token, password }, key: password };
  const { status } = await call(actor, 'POST /api/auth/reset-password', options, 5);
  if (status === 200) olu.password = password;
}

async function addAppAndReset(actor: Actor, thief: Person): Promise<void> {
  const { simulation, world } = actor;
  await act(actor, thief, 'is robbed, and the thief adds an app', 'POST /api/auth/totp');
  const app = simulation.all('FACTOR#TOTP').find(({ pk }) => pk === `USER#${thief.id}`);
  if (!app) return;
  const code = codeOf(app.secret, toStep(simulation.kernel.now));
  await act(actor, thief, 'has the app of the thief', 'POST /api/auth/totp/activate', { body: { code } });
  await requestPayouts(actor, thief);
  await waitForOwner(actor);
  const params = { id: thief.id };
  const options = { as: world.people.ada, params };
  const { status } = await call(actor, 'DELETE /api/users/{id}/factors', options, 5);
  if (status === 200) await requireEnded(actor, thief);
}

async function requestPayouts(actor: Actor, thief: Person): Promise<void> {
  const { random, simulation } = actor;
  const balance = findBalance(actor, thief);
  if (!balance) return;
  const amount = Math.max(0.01, Math.floor(Number(balance.available) * 0.3) / 100);
  const body = { amount, currency: 'NGN', gateway: 'gateway-a', destination };
  for (let count = 1 + random.below(2); count > 0; count--) {
    await act(actor, thief, 'is robbed of a payout', 'POST /api/payouts', {
      body,
      key: `${random.name} ${amount} ${count}`,
    });
    await simulation.kernel.sleep(random.pick([0, 500, 2_000]));
  }
}

const findBalance = ({ simulation }: Actor, { id }: Person) =>
  simulation
    .all('BALANCE#')
    .find(({ available, currency, pk }) => available > 0 && currency === 'NGN' && pk === `LEDGER#${id}`);

const waitForOwner = ({ random, simulation }: Actor) =>
  simulation.kernel.sleep(random.pick([30_000, 300_000, 1_200_000]));

/** Opens a mailed link. @returns whether what waits for a new bank account at this moment has to be stopped */
async function stopBy(actor: Actor, what: string, route: string, token: string): Promise<boolean> {
  const { simulation, world, memory } = actor;
  const soon = new Date(simulation.kernel.now + 600_000).toISOString();
  const waits = simulation
    .all('PAYOUT')
    .filter(({ attempts, newAccountUntil }) => attempts === 0 && newAccountUntil > soon)
    .map(({ newAccountUntil }) => newAccountUntil);
  const { status } = await act(actor, world.people.olu, what, route, { body: { token } }, 5);
  if (status !== 200) return false;
  for (const wait of waits) memory.stoppedWaits.add(wait);
  return true;
}

/** The session of the thief has ended. */
async function requireEnded({ simulation }: Actor, thief: Person): Promise<void> {
  const { status } = await simulation.call('GET /api/auth/sessions', { as: thief });
  if (status === 200) simulation.violate('an ended session is refused', thief.email);
}

export const thiefOperations: readonly Operation[] = [{ name: 'steal', weight: 3, run: steal }];
