import { settings } from '../../shared/runtime/settings.ts';
import { describeCaller } from './callers.ts';
import type { Operation } from './operations.ts';

/** Returns the README with the current tables of endpoints and of settings. */
export function updateTables(readme: string, operations: readonly Operation[]): string {
  return readme
    .replace(/\| endpoint \|.*?\n(?=\n)/s, () => endpointTable(operations))
    .replace(/\| name \| secret \|.*?\n(?=\n)/s, () => settingsTable());
}

function endpointTable(operations: readonly Operation[]): string {
  const lines = operations.map(
    ({ method, path, contract }) =>
      `| \`${method} ${path}\` | ${describeCaller(contract)} | ${contract.summary} |`,
  );
  return ['| endpoint | for | what it does |', '|---|---|---|', ...lines, ''].join('\n');
}

function settingsTable(): string {
  const lines = Object.entries<{ meaning: string; secret?: string }>(settings).map(
    ([name, { meaning, secret }]) => `| \`${name}\` | ${secret ? 'yes' : ''} | ${meaning} |`,
  );
  const others = [
    '| `CHAIN_<chainId>_RPC_URLS` | yes | RPC endpoints of a chain, comma-separated |',
    '| `PORT`, `BOXOFFICE_DATA_DIR` | | local stack only: default 3000 and `.local` |',
    '| `BOXOFFICE_FUNCTIONS` | | local stack only: a folder of built functions; by default the stack builds them |',
    '| `BOXOFFICE_STOREFRONT` | | local stack only: a folder with a built storefront; by default the stack builds it |',
  ];
  return ['| name | secret | meaning |', '|---|---|---|', ...lines, ...others, ''].join('\n');
}
