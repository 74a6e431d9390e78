import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Contract } from '../../shared/http/contract.ts';
import { type FunctionRow, functions } from '../functions.ts';

const handlerDirectory = path.resolve(import.meta.dirname, '..', '..', 'functions');

/** An endpoint: its row in infra/functions.ts, and its handler's contract. */
export interface Operation {
  row: FunctionRow;
  method: string;
  path: string;
  contract: Contract;
}

/**
 * Reads all endpoints of the API, in the order of their rows.
 * @throws Error for a handler without a contract
 */
export async function readOperations(
  rows: readonly FunctionRow[] = functions,
  folder = handlerDirectory,
): Promise<Operation[]> {
  const operations = rows.map(async (row) => {
    const [, method, route] = ('route' in row.trigger && /^(\w+) (\/api\/.*)$/.exec(row.trigger.route)) || [];
    if (!method || !route) return [];
    const { handler } = await import(pathToFileURL(path.join(folder, `${row.entry}.ts`)).href);
    if (!handler.definition) throw new Error(`${row.entry} has no contract`);
    return [{ row, method, path: route, contract: handler.definition as Contract }];
  });
  return (await Promise.all(operations)).flat();
}
