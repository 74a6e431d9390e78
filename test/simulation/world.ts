import { Wallet } from 'ethers';
import { runAs } from './core/kernel.ts';
import { noFaults } from './core/rates.ts';
import { newCause, type Person, type Program, Simulation } from './core/simulation.ts';
import { chainId, ticketContract } from './parts/chain.ts';
import { Table } from './parts/table.ts';

/** The people and events with which each history begins. They were made through the API, once for all histories. */
export interface World {
  table: Table;
  start: number;
  people: Record<PersonName, Person>;
  /** The ids of the events, by name. */
  events: Record<string, string>;
}

export type PersonName = 'olu' | 'ria' | 'sam' | 'ada' | 'ann' | 'ben' | 'cy' | 'dan';

/** Olu organizes all events, Sam is on their staff, Ada is the administrator; Ria organizes others' competition. */
const roles: Record<PersonName, 'ORGANIZER' | 'USER'> = {
  olu: 'ORGANIZER',
  ria: 'ORGANIZER',
  sam: 'USER',
  ada: 'USER',
  ann: 'USER',
  ben: 'USER',
  cy: 'USER',
  dan: 'USER',
};

const signers = { ann: new Wallet(`0x${'a'.repeat(64)}`), ben: new Wallet(`0x${'b'.repeat(64)}`) };
export const wallets: Partial<Record<PersonName, string>> = {
  ann: signers.ann.address.toLowerCase(),
  ben: signers.ben.address.toLowerCase(),
};

const start = Date.UTC(2026, 10, 24, 12);
export const dayMilliseconds = 86_400_000;

export async function createWorld(program: Program): Promise<World> {
  // The first times, the SDK loads parts of itself on demand, in real time: a call may time out meanwhile.
  for (let attempt = 1; attempt <= 10; attempt++) {
    const isMade = await runUntilMade(program).then(
      () => true,
      () => false,
    );
    if (isMade) break;
  }
  return runUntilMade(program);
}

async function runUntilMade(program: Program): Promise<World> {
  const table = new Table();
  const simulation = new Simulation({ seed: 'world', program, table, start, rates: { ...noFaults } });
  let made: Pick<World, 'people' | 'events'> | undefined;
  let failure: unknown;
  runAs(newCause('world', 'world'), () => make(simulation)).then(
    (result) => {
      made = result;
    },
    (error) => {
      failure = error;
    },
  );
  await simulation.kernel.runUntil(() => made !== undefined || failure !== undefined);
  await simulation.kernel.runUntil(() => simulation.isQuiet);
  if (!made) throw failure;
  const change = (name: PersonName, attributes: object) => {
    const user = simulation.all('PROFILE').find(({ id }) => id === made?.people[name].id);
    const key = { pk: { S: user?.pk }, sk: { S: 'PROFILE' } };
    table.execute('PutItem', { Item: { ...table.get(key), ...attributes } });
  };
  // The role is granted as `npm run ops -- grant-role` would, and some have opened the link that confirms their address.
  change('ada', { role: { S: 'ADMIN' } });
  // Her token is from before. The first call with an invalid one logs in again.
  made.people.ada.token += '.';
  for (const name of ['sam', 'ann', 'ben'] as const)
    change(name, { emailVerified: { BOOL: true }, ownsAddress: { BOOL: true } });
  return { ...made, table, start: simulation.kernel.now };
}

async function make(simulation: Simulation): Promise<Pick<World, 'people' | 'events'>> {
  const people = {} as World['people'];
  for (const [name, role] of Object.entries(roles) as [PersonName, 'USER'][]) {
    const email = `${name}@example.com`;
    const password = `the password of ${name}`;
    const body = { email, password, name: `${name} Example`, role, walletAddress: wallets[name] };
    const answer = await expectAnswer(simulation.call('POST /api/auth/register', { body }));
    const { user, token } = answer.body;
    people[name] = { name, email, password, id: user.id, token, wallet: user.walletAddress ?? undefined };
  }
  for (const [name, signer] of Object.entries(signers) as [PersonName, Wallet][]) {
    const as = people[name];
    const challenge = { address: signer.address, chainId, purpose: 'link' };
    const { body } = await expectAnswer(
      simulation.call('POST /api/auth/wallet/challenge', { as, body: challenge }),
    );
    const signed = { message: body.message, signature: signer.signMessageSync(body.message) };
    await expectAnswer(simulation.call('POST /api/auth/wallet/verify', { as, body: signed }));
  }
  const events: World['events'] = {};
  for (const [name, event] of Object.entries(eventBodies)) {
    const body = {
      title: `Event ${name}`,
      venue: 'Hall',
      startDate: new Date(start + 2 * dayMilliseconds).toISOString(),
      returns: { until: new Date(start + dayMilliseconds).toISOString(), feePercent: 15 },
      ...event,
    };
    const answer = await expectAnswer(simulation.call('POST /api/events', { as: people.olu, body }));
    const { id } = answer.body.event;
    events[name] = id;
    const params = { id };
    const staff = { email: people.sam.email, role: 'door' };
    await expectAnswer(
      simulation.call('POST /api/events/{id}/staff', { as: people.olu, params, body: staff }),
    );
  }
  for (const body of codes) {
    const params = { id: events.fiat as string };
    await expectAnswer(simulation.call('POST /api/events/{id}/codes', { as: people.olu, params, body }));
  }
  return { people, events };
}

async function expectAnswer(answering: ReturnType<Simulation['call']>) {
  const answer = await answering;
  if (answer.status >= 300) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  return answer;
}

const tier = (name: string, price: number, quantity: number, maxPerPerson = 4) => ({
  name,
  price,
  quantity,
  maxPerPerson,
});

/** Orders of events with a seller have invoices. */
const seller = { name: 'Olu', address: '1 Road' };

const eventBodies: Record<string, object> = {
  fiat: {
    currency: 'NGN',
    tiers: [tier('Floor', 50, 6), tier('Balcony', 20, 9), { ...tier('Parking', 5, 4), kind: 'addon' }],
    totalSupply: 12,
    maxPerWallet: 6,
    buyers: 'anyone',
    waitingList: true,
    seller,
  },
  minted: {
    currency: 'USD',
    contractAddress: ticketContract,
    entry: 'account',
    buyers: 'anyone',
    seller,
    waitingList: true,
    tiers: [tier('Seat', 30, 8), tier('Child', 10, 4), { ...tier('Meal', 7, 4), kind: 'addon' }],
  },
  resold: {
    currency: 'USD',
    contractAddress: ticketContract,
    entry: 'account',
    buyers: 'anyone',
    waitingList: true,
    returns: {
      until: new Date(start + dayMilliseconds).toISOString(),
      feePercent: 15,
      mode: 'when-resold',
    },
    tiers: [tier('Seat', 30, 5), tier('Child', 10, 3), { ...tier('Meal', 7, 4), kind: 'addon' }],
  },
  door: {
    currency: 'USD',
    contractAddress: ticketContract,
    entry: 'token',
    lockAfterAdmission: true,
    tiers: [tier('Seat', 10, 8)],
  },
  free: {
    currency: 'USD',
    buyers: 'anyone',
    contractAddress: ticketContract,
    tiers: [tier('Free', 0, 5, 2)],
  },
  crypto: { currency: 'POL', contractAddress: ticketContract, tiers: [tier('Seat', 2, 6)] },
};

const codes = [
  { code: 'HALF', kind: 'percent', value: 50, maxUses: 2 },
  { code: 'ONCE', kind: 'amount', value: 10, maxPerUser: 1, budget: 30 },
];
