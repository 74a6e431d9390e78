import { readFileSync, writeFileSync } from 'node:fs';
import { startChain } from './chain.ts';
import { type GasUse, type Measured, measureGas, quantities } from './gas.ts';

/** `npm run gas`: measures gas, prints the table, and writes it to the document, which a test compares. */

const document = new URL('../../docs/contract.md', import.meta.url);
const block = /(?<=<!-- gas -->\n).*?(?=<!-- end of gas -->)/s;

/** The table as Markdown, gas in whole units. */
export function gasTable({ boxoffice, release1, erc721a, plain }: Measured): string {
  const row = (title: string, gas: (use: GasUse) => number | null | undefined) =>
    `| ${title} | ${[boxoffice, release1, erc721a, plain].map((use) => cell(gas(use))).join(' | ')} |\n`;
  return [
    '| | this contract (release 2) | release 1 | ERC721A 4.3 with an order key | OpenZeppelin loop, no order key |\n',
    '| --- | ---: | ---: | ---: | ---: |\n',
    ...quantities.map((quantity) => row(`mint an order of ${quantity}`, ({ mint }) => mint[quantity])),
    row('ten orders of 1 in one transaction, each', ({ batchedMint }) => batchedMint),
    row('replay of a minted order', ({ replay }) => replay),
    row('first transfer of a ticket', ({ transfer }) => transfer),
  ].join('');
}

function cell(gas: number | null | undefined): string {
  return gas == null ? 'mints again' : Math.ceil(gas).toLocaleString('en');
}

/** Returns the document's current table. */
export function documentedTable(): string | undefined {
  return block.exec(readFileSync(document, 'utf8'))?.[0];
}

if (import.meta.main) {
  const chain = await startChain();
  const table = await measureGas(chain).then(gasTable).finally(chain.stop);
  writeFileSync(
    document,
    readFileSync(document, 'utf8').replace(block, () => table),
  );
  console.log(table);
}
