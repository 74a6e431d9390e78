import { globSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Contract } from '../../shared/http/contract.ts';
import type { FunctionDefinition, TableAction } from '../../shared/runtime/function.ts';
import type { SecretName } from '../../shared/runtime/settings.ts';
import type { completeRow } from '../functions.ts';

// Prints the definitions of the functions in a folder, as JSON: see infra/functions.ts.

type Row = Parameters<typeof completeRow>[0];

/** The order of the API reference. Folders that are not named here come after these. */
const folders = [
  'health',
  'docs',
  'auth',
  'users',
  'keys',
  'events',
  'codes',
  'staff',
  'audit',
  'contracts',
  'orders',
  'webhooks',
  'webhook-endpoints',
  'payouts',
  'tickets',
  'tokens',
  'seats',
  'notifications',
  'workers',
];
const methods = ['POST', 'GET', 'PUT', 'PATCH', 'DELETE'];

/** An order's access token is verified with the order and its guest, a fresh session with its item and its user. */
const tokenActions = ({ orderToken, fresh, apiKey }: Partial<Contract>): TableAction[] => [
  ...(orderToken || fresh || apiKey ? (['GetItem'] as const) : []),
  ...(fresh ? (['Query'] as const) : []),
];

/** Every rule for callers but `anyone` needs the keys that verify access tokens. */
const tokenSecrets = ({ caller, orderToken }: Partial<Contract>): SecretName[] => [
  ...(caller !== undefined && caller !== 'anyone' && caller !== 'gateway'
    ? ['JWT_ACCESS_SECRET' as const]
    : []),
  ...(orderToken ? ['ORDER_ACCESS_SECRET' as const] : []),
];

async function readFunction(folder: string, file: string): Promise<Row> {
  const { handler } = await import(pathToFileURL(path.join(folder, file)).href);
  const definition: (FunctionDefinition & Partial<Contract>) | undefined = handler?.definition;
  if (!definition) throw new Error(`${file} exports no handler with a definition`);
  const { table = [], tablePrefixes, indexes, sends, secrets = [], settings, chains, mail } = definition;
  const { objects, timeoutSeconds, memoryMegabytes } = definition;
  return {
    entry: file.replace(/\.ts$/, ''),
    trigger: triggerOf(definition),
    table: [...new Set([...tokenActions(definition), ...table])],
    tablePrefixes,
    acceptsKeys: definition.apiKey ? true : undefined,
    indexes,
    objects,
    sends,
    secrets: [...new Set([...tokenSecrets(definition), ...secrets])],
    settings: definition.fresh ? [...new Set([...(settings ?? []), 'STEP_UP' as const])] : settings,
    chains,
    mail,
    timeoutSeconds,
    memoryMegabytes,
  };
}

function triggerOf(definition: FunctionDefinition): Row['trigger'] {
  if ('route' in definition) return { route: definition.route };
  if ('everyMinutes' in definition) return { everyMinutes: definition.everyMinutes };
  const { queue, batchSize, batchSeconds, maxConcurrency } = definition;
  return { queue, batchSize, batchSeconds, maxConcurrency };
}

/** Sorts by folder, then by path, then by method. */
function sortKey({ entry, trigger }: Row): string {
  const folder = folders.indexOf(path.dirname(entry));
  const [method = '', route = ''] = 'route' in trigger ? trigger.route.split(' ') : [];
  const position = (index: number) => String(index < 0 ? 99 : index).padStart(2, '0');
  return `${position(folder)} ${route} ${position(methods.indexOf(method))} ${entry}`;
}

const folder = process.argv[2] ?? '';
const rows = await Promise.all(
  globSync('**/*.ts', { cwd: folder }).map((file) => readFunction(folder, file)),
);
const sorted = rows.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
process.stdout.write(JSON.stringify(sorted));
