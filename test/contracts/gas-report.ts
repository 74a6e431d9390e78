import { readFileSync, writeFileSync } from 'node:fs';
import { startChain } from './chain.ts';
import { type GasMeasurements, type GasUse, measureGas, quantities } from './gas.ts';

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
  ].join('');
}

/** @param gas null when the contract mints a minted order again */
function formatCell(gas: number | null | undefined): string {
  return gas == null ? 'mints again' : Math.ceil(gas).toLocaleString('en');
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
