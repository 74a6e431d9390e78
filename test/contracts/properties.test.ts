import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compileContracts } from '../../infra/contracts/compile.ts';
import { type Chain, type DeployedContract, startChain } from './chain.ts';
import {
  callOf,
  indexes,
  Model,
  type Movement,
  orderKey,
  orders,
  Refusal,
  sequences,
  type Token,
  tokenId,
} from './model.ts';

const { BoxofficeTickets, Lens } = compileContracts(
  ['infra/contracts/BoxofficeTickets.sol', 'test/contracts/Lens.sol'],
  ['BoxofficeTickets', 'Lens'],
);

let chain: Chain;
let lens: DeployedContract;
let accounts: string[];

beforeAll(async () => {
  chain = await startChain();
  accounts = chain.accounts.slice(0, 5);
  lens = await chain.deploy(accounts[0] as string, Lens, []);
}, 60_000);
afterAll(() => chain?.stop());

/** A sequence has some 38 calls. The long form (`npm run nightly -- contract`) has no limit of time. */
const numRuns = Number(process.env.CONTRACT_SEQUENCES ?? 40);
const isLongForm = process.env.CONTRACT_SEQUENCES !== undefined;

test(
  'random sequences of calls have the same results as in the model',
  async () => {
    const [admin, minter, burner] = accounts as [string, string, string];
    await fc.assert(
      fc.asyncProperty(sequences(accounts), async (sequence) => {
        const model = new Model(admin, minter, burner);
        const args = ['T', 'T', '', true, admin, [minter], [burner], ''];
        const tickets = await chain.deploy(admin, BoxofficeTickets, args);
        for (const step of sequence) {
          const call = callOf(step, model);
          const expected = runOnModel(call.applyToModel);
          const { error, events } = await chain.execute(call.from, tickets, call.method, call.args);
          const transfers = events.filter(({ name }) => name === 'Transfer').map(({ args }) => [...args]);

          expect({ error, transfers: lowerCase(transfers) }).toEqual({
            error: expected.error,
            transfers: expected.movements.map(({ from, to, token }) => [from, to, tokenId(token)]),
          });
          expect(await readContractState(tickets)).toEqual(readModelState(model));
        }
      }),
      { numRuns, ...(!isLongForm && { interruptAfterTimeLimit: 40_000 }) },
    );
  },
  isLongForm ? 0 : 60_000,
);

function runOnModel(applyToModel: () => Movement[]): { error?: string; movements: Movement[] } {
  try {
    return { movements: applyToModel() };
  } catch (error) {
    if (error instanceof Refusal) return { error: error.message, movements: [] };
    throw error;
  }
}

async function readContractState(tickets: DeployedContract) {
  const args = [tickets.address, orders.map(orderKey), indexes, accounts];
  const state = (await chain.read(lens, 'read', args)) as Record<string, Iterable<unknown>>;
  const list = (name: string) => lowerCase([...(state[name] ?? [])]);
  return {
    quantities: list('quantities'),
    owners: list('owners'),
    approved: list('approved'),
    locked: list('locked'),
    balances: list('balances'),
    operators: list('operators'),
  };
}

function readModelState(model: Model) {
  const tokens = orders.flatMap((order) => indexes.map((index): Token => `${order}/${index}`));
  return {
    quantities: orders.map((order) => BigInt(model.quantity(order))),
    owners: tokens.map((token) => model.owner(token)),
    approved: tokens.map((token) => model.approvedFor(token)),
    locked: tokens.map((token) => model.isLocked(token)),
    balances: accounts.map((account) => BigInt(model.balance(account))),
    operators: accounts.flatMap((owner) => accounts.map((other) => model.isOperator(owner, other))),
  };
}

/** The node returns addresses with a checksum; the model has them in lower case. */
function lowerCase<Value>(value: Value): Value {
  if (typeof value === 'string') return value.toLowerCase() as Value;
  return (Array.isArray(value) ? value.map(lowerCase) : value) as Value;
}
