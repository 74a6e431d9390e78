import { readFileSync, writeFileSync } from 'node:fs';
import { dataSlice, id } from 'ethers';
import { type CompiledContract, compileContracts } from '../../infra/contracts/compile.ts';
import { type Chain, startChain } from './chain.ts';

/** Gas used by one transaction, or per order of a transaction with ten orders. */
export interface GasUse {
  /** mintOrder for a buyer without tickets, by quantity. */
  mint: Record<number, number>;
  /** mintOrders for ten orders of one ticket each, divided by ten. */
  batchedMint: number;
  /** mintOrder for an order that is already minted; null for a contract that would mint it again. */
  replay: number | null;
  /** The first transfer of a ticket, to an account without tickets. */
  transfer: number;
  /** What only this contract has; absent for the others. */
  roles?: RoleGasUse;
}

interface RoleGasUse {
  /** burn for one ticket of an order. */
  burn: number;
  /** burn for ten tickets of one order. */
  burnOrder: number;
  /** burn for ten tickets of ten orders, of one holder. */
  burnOrders: number;
  /** lock for one ticket, after others were locked. */
  lock: number;
  /** refreshMetadata for one ticket. */
  refresh: number;
  /** announceLocks for ten tickets, divided by ten. */
  announceLock: number;
  /** The first transfer of a ticket, once another ticket is locked. */
  transferWithLocks: number;
}

export const quantities = [1, 2, 5, 10, 50, 500];

export type GasMeasurements = Record<'boxoffice' | 'erc721a' | 'plain', GasUse>;

/**
 * Measures the contract and two alternatives, all compiled with the same settings.
 */
export async function measureGas(chain: Chain): Promise<GasMeasurements> {
  const { BoxofficeTickets, Erc721aTickets, PlainTickets } = compileContracts(
    [
      'infra/contracts/BoxofficeTickets.sol',
      'test/contracts/Erc721aTickets.sol',
      'test/contracts/PlainTickets.sol',
    ],
    ['BoxofficeTickets', 'Erc721aTickets', 'PlainTickets'],
  );
  const minter = chain.accounts[0] as string;
  return {
    boxoffice: await measure(chain, BoxofficeTickets, [
      'Tickets',
      'TIX',
      '',
      true,
      minter,
      [minter],
      [minter],
      '',
    ]),
    erc721a: await measure(chain, Erc721aTickets, []),
    plain: await measure(chain, PlainTickets, []),
  };
}

async function measure(
  chain: Chain,
  compiled: Pick<CompiledContract, 'abi' | 'bytecode'>,
  args: unknown[],
): Promise<GasUse> {
  const [minter = '', holder = ''] = chain.accounts;
  const contract = await chain.deploy(minter, compiled, args);
  const takesOrderKey = contract.interface.getFunction('mintOrder')?.inputs.length === 3;
  const order = (to: string, quantity: number) =>
    takesOrderKey ? [nextKey(), to, quantity] : [to, quantity];
  const executeOrThrow = async (from: string, method: string, args: unknown[]) => {
    const outcome = await chain.execute(from, contract, method, args);
    if (outcome.error) throw new Error(`${method} reverted: ${outcome.error}`);
    return outcome;
  };

  // A contract's first order pays for new storage slots, so only later orders are measured.
  const firstOrder = order(holder, 3);
  const { events } = await executeOrThrow(minter, 'mintOrder', firstOrder);
  const firstTokenId = events[0]?.args[2];

  const mint: GasUse['mint'] = {};
  for (const quantity of quantities) {
    mint[quantity] = (await executeOrThrow(minter, 'mintOrder', order(nextAddress(), quantity))).gasUsed;
  }
  const tenOrders = Array.from({ length: 10 }, () => order(nextAddress(), 1));
  const batchedMint = (await executeOrThrow(minter, 'mintOrders', [tenOrders])).gasUsed / 10;
  const replay = takesOrderKey ? (await executeOrThrow(minter, 'mintOrder', firstOrder)).gasUsed : null;
  const transfer = (await executeOrThrow(holder, 'transferFrom', [holder, nextAddress(), firstTokenId]))
    .gasUsed;
  const gas = { mint, batchedMint, replay, transfer };
  if (!contract.interface.hasFunction('burn(address,uint256[])')) return gas;

  const mintTickets = async (to: string, quantities: number[]) => {
    const orders = quantities.map((quantity) => order(to, quantity));
    const { events } = await executeOrThrow(minter, 'mintOrders', [orders]);
    return events.map(({ args }) => args[2]);
  };
  const gasOf = async (method: string, args: unknown[]) =>
    (await executeOrThrow(minter, method, args)).gasUsed;
  const [first, ...others] = await mintTickets(holder, [11, ...Array.from({ length: 10 }, () => 1)]);
  const roles = {
    burn: await gasOf('burn', [holder, [first]]),
    burnOrder: await gasOf('burn', [holder, others.slice(0, 10)]),
    burnOrders: await gasOf('burn', [holder, others.slice(10)]),
    refresh: await gasOf('refreshMetadata', [first, first]),
  };
  const announced = await mintTickets(holder, [10]);
  const announceLock = (await gasOf('announceLocks', [announced])) / 10;
  const [lockedFirst, lockedNext] = await mintTickets(holder, [1, 1]);
  await executeOrThrow(minter, 'lock', [[lockedFirst]]);
  const lock = await gasOf('lock', [[lockedNext]]);
  const [transferred] = await mintTickets(holder, [1]);
  const { gasUsed: transferWithLocks } = await executeOrThrow(holder, 'transferFrom', [
    holder,
    nextAddress(),
    transferred,
  ]);
  return { ...gas, roles: { ...roles, announceLock, lock, transferWithLocks } };
}

let counter = 0;

/** Returns an order key without zero bytes. Zero bytes cost less gas, so no real order costs more than the measured one. */
function nextKey(): string {
  return id(`order ${++counter}`).replace(/(?<=^0x(?:..)*)00/g, '01');
}

function nextAddress(): string {
  return dataSlice(nextKey(), 12);
}

/** `npm run gas`: measures gas, prints the table, and writes it into docs/contract.md. gas.test.ts checks it there. */

const document = new URL('../../docs/contract.md', import.meta.url);
const tablePattern = /(?<=<!-- gas -->\n).*?(?=<!-- end of gas -->)/s;

/** Formats the table as Markdown, with gas in whole units. */
export function formatGasTable({ boxoffice, erc721a, plain }: GasMeasurements): string {
  const row = (title: string, gas: (use: GasUse) => number | null | undefined) =>
    `| ${title} | ${[boxoffice, erc721a, plain].map((use) => formatCell(gas(use))).join(' | ')} |\n`;
  return [
    '| | this contract | ERC721A 4.3 with an order key | OpenZeppelin loop, no order key |\n',
    '| --- | ---: | ---: | ---: |\n',
    ...quantities.map((quantity) => row(`mint an order of ${quantity}`, ({ mint }) => mint[quantity])),
    row('mint ten orders of 1 in one transaction, per order', ({ batchedMint }) => batchedMint),
    row('replay of a minted order', ({ replay }) => replay),
    row('first transfer of a ticket', ({ transfer }) => transfer),
    row('first transfer of a ticket, when others are locked', ({ roles }) => roles?.transferWithLocks),
    row('burn a ticket', ({ roles }) => roles?.burn),
    row('burn ten tickets of one order', ({ roles }) => roles?.burnOrder),
    row('burn ten tickets of ten orders', ({ roles }) => roles?.burnOrders),
    row('lock a ticket', ({ roles }) => roles?.lock),
    row('announce changed metadata', ({ roles }) => roles?.refresh),
    row('announce the lock of a ticket, of ten in one transaction', ({ roles }) => roles?.announceLock),
  ].join('');
}

/** @param gas null when the contract mints a minted order again; undefined when it does not have the function */
function formatCell(gas: number | null | undefined): string {
  if (gas === undefined) return '–';
  return gas === null ? 'mints again' : Math.ceil(gas).toLocaleString('en');
}

/** Returns the table in docs/contract.md. */
export function readDocumentedTable(): string | undefined {
  return tablePattern.exec(readFileSync(document, 'utf8'))?.[0];
}

if (import.meta.main) {
  const chain = await startChain();
  const table = await measureGas(chain).then(formatGasTable).finally(chain.stop);
  writeFileSync(
    document,
    readFileSync(document, 'utf8').replace(tablePattern, () => table),
  );
  console.log(table);
}
