import { describeCaller } from './callers.ts';
import type { Operation } from './operations.ts';

/** Generates the README's table of endpoints. */
export function endpointTable(operations: readonly Operation[]): string {
  const lines = operations.map(
    ({ method, path, contract }) =>
      `| \`${method} ${path}\` | ${describeCaller(contract)} | ${contract.summary} |`,
  );
  return ['| endpoint | for | what it does |', '|---|---|---|', ...lines].join('\n');
}
