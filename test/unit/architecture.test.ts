import { globSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { functions } from '../../infra/functions.ts';
import { importsOf, reachableFrom, readSource } from '../support/imports.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const files = globSync(['{functions,shared,infra}/**/*.ts'], { cwd: root }).sort();

/**
 * Files of rules and shapes alone: no input, output, clock or environment. Their place or name says so: all of
 * shared/core, a domain's own noun (orders/order.ts, ledger/ledger.ts), and what these names announce.
 */
const pureNames = /\/(quotas|lifecycle|views|fields|[\w-]+-(view|input|request))\.ts$/;
const isPure = (file: string) =>
  /^shared\/core\//.test(file) ||
  /^shared\/(?:[\w-]+\/)*([\w-]+?)s?\/\1\.ts$/.test(file) ||
  (/^shared\//.test(file) && pureNames.test(file));
const pureFiles = files.filter(isPure);

/** Where requests and messages come in: the only shared code that knows Lambda's events. */
const entryPoints = /^shared\/(http\/|runtime\/worker\.ts)/;
const technical = /^shared\/(runtime|dynamo)\//;

const isStore = (file: string) => file.endsWith('/store.ts');
const isUseCase = (file: string) =>
  /^shared\//.test(file) &&
  !/^shared\/(payments|chain)\//.test(file) &&
  ![isPure(file), isStore(file), entryPoints.test(file), technical.test(file)].some(Boolean);

const isPackage = (target: string) => !/^(functions|shared|infra|test)\//.test(target);
const sdk = /^@aws-sdk\//;
/** Commands that people run; they are never deployed. */
const commands = /^infra\/operator\//;
const network = /^(node:(http|https|net|tls)|undici)$/;

interface Rule {
  who: string;
  holdsFor: (file: string) => boolean;
  forbids: (target: string, file: string) => boolean;
}

const rules: Rule[] = [
  {
    who: 'a handler imports shared code, schemas and Lambda’s types',
    holdsFor: (file) => /^functions\//.test(file),
    forbids: (target) => !/^(shared\/|zod$|aws-lambda$)/.test(target),
  },
  {
    who: 'a use case knows neither HTTP, Lambda nor the SDK',
    holdsFor: isUseCase,
    forbids: (target) =>
      entryPoints.test(target) || sdk.test(target) || /^(@middy\/|aws-lambda$)/.test(target),
  },
  {
    who: 'a store knows its own domain, the table, and nothing of HTTP',
    holdsFor: isStore,
    forbids: (target, file) =>
      (isStore(target) && target !== file) || entryPoints.test(target) || network.test(target),
  },
  {
    who: 'a payment gateway knows neither stores, orders nor HTTP requests to us',
    holdsFor: (file) => /^shared\/payments\//.test(file),
    forbids: (target) =>
      isStore(target) || entryPoints.test(target) || /^shared\/(orders|dynamo)\//.test(target),
  },
  {
    who: 'code for the chain knows neither stores nor HTTP requests to us',
    holdsFor: (file) => /^shared\/chain\//.test(file),
    forbids: (target) => isStore(target) || entryPoints.test(target) || /^shared\/dynamo\//.test(target),
  },
  {
    who: 'shared code imports shared code',
    holdsFor: (file) => /^shared\//.test(file),
    forbids: (target) => !isPackage(target) && !/^shared\//.test(target),
  },
  {
    who: 'infrastructure knows the table’s shape, the names and values of settings and the releases of the ticket contract',
    holdsFor: (file) => /^infra\//.test(file) && !commands.test(file) && !/^infra\/openapi\//.test(file),
    forbids: (target) =>
      /^(functions|test)\//.test(target) ||
      (/^shared\//.test(target) &&
        !/^shared\/(dynamo\/keys|runtime\/config(-schema)?|chain\/(code-hash|releases?))\.ts$/.test(target)),
  },
  {
    who: 'the API reference is made of contracts and error codes',
    holdsFor: (file) => /^infra\/openapi\//.test(file),
    forbids: (target) =>
      /^(functions|test)\//.test(target) ||
      (/^shared\//.test(target) && !/^shared\/(http\/contract|core\/errors)\.ts$/.test(target)),
  },
  {
    who: 'an operator’s command may use all that is shared, but no handler',
    holdsFor: (file) => commands.test(file),
    forbids: (target) => /^(functions|test)\//.test(target),
  },
];

function breaches(file: string, source?: string): string[] {
  return rules
    .filter(({ holdsFor }) => holdsFor(file))
    .flatMap(({ who, forbids }) =>
      importsOf(file, source)
        .filter((target) => forbids(target, file))
        .map((target) => `${file} imports ${target}, but ${who}`),
    );
}

describe('imports', () => {
  it('keep to the layers', () => {
    expect(files.length).toBeGreaterThan(50);
    expect(files.flatMap((file) => breaches(file))).toEqual([]);
  });

  it.each([
    ['functions/auth/me.ts', "import { GetCommand } from '@aws-sdk/lib-dynamodb';"],
    ['functions/auth/me.ts', "import { handler } from './login.ts';"],
    ['shared/auth/login.ts', "import { validate } from '../http/validation.ts';"],
    ['shared/auth/login.ts', "import type {\n  APIGatewayProxyEventV2,\n} from 'aws-lambda';"],
    ['shared/auth/store.ts', "import { getEvent } from '../events/store.ts';"],
    ['shared/payments/gateway-a/gateway.ts', "export { settle } from '../../orders/settle.ts';"],
    ['shared/chain/transactions.ts', "import { getOrder } from '../orders/store.ts';"],
    ['shared/core/money.ts', "import '../../infra/functions.ts';"],
    ['infra/stack.ts', "const { write } = await import('../shared/dynamo/write.ts');"],
    ['infra/operator/grant-role.ts', "import { handler } from '../../functions/auth/me.ts';"],
    ['infra/openapi/document.ts', "import { orderView } from '../../shared/orders/views.ts';"],
    ['infra/local/http.ts', "import { call } from '../../test/support/http.ts';"],
  ])('that break a rule are found in %s: %j', (file, source) => {
    expect(breaches(file, source)).not.toEqual([]);
  });
});

/** What in the reach of a file is not pure. An id is made of time and chance, so ids.ts may use both; hashing is neither. */
function impurities(file: string): string[] {
  const pure = /^(zod|@noble\/.*|node:crypto|shared\/core\/ids\.ts)$/;
  const impure =
    /process\.env|Date\.now\(|new Date\(\)|performance\.now|Math\.random|randomBytes|randomUUID|node:/;
  const others = [...reachableFrom(file)].filter((target) => !pure.test(target));
  return others.filter((target) => isPackage(target) || impure.test(readSource(target)));
}

describe('pure files', () => {
  it('are found by their place and name', () => {
    const examples = ['shared/core/money.ts', 'shared/orders/order.ts', 'shared/orders/views.ts'];
    expect(pureFiles).toEqual(expect.arrayContaining(examples));
    expect(pureFiles).not.toContain('shared/auth/login.ts');
  });

  it.each(pureFiles)('%s reaches neither input, output, clock, environment nor chance', (file) => {
    expect(impurities(file)).toEqual([]);
  });

  it('are distinguished from files with input or output', () => {
    expect(impurities('shared/auth/login.ts')).toEqual(
      expect.arrayContaining(['bcryptjs', 'shared/auth/login-attempts.ts', '@aws-sdk/lib-dynamodb']),
    );
  });
});

describe('the tree', () => {
  const all = globSync('{functions,shared,infra,test}/**/*.ts', { cwd: root });

  it('has no circle of imports, types included', () => {
    expect(circles(all)).toEqual([]);
  });

  it('has no files directly in shared/', () => {
    expect(globSync('shared/*.ts', { cwd: root }).length).toBeLessThanOrEqual(3);
  });

  // What someone reads to follow one purchase. A new capability raises it only with a reason in its commit.
  it('lets a purchase be followed through at most 121 files', () => {
    const purchase = [
      'orders/initialize-order',
      'webhooks/gateway-a',
      'workers/fulfil-orders',
      'workers/mint-tickets',
      'tickets/list-tickets',
    ];
    const touched = new Set<string>();
    for (const entry of purchase) reachableFrom(`functions/${entry}.ts`, touched);
    expect([...touched].filter((file) => file.endsWith('.ts')).length).toBeLessThanOrEqual(121);
  });
});

/** Groups of files that import one another, directly or not (Tarjan's strongly connected components). */
function circles(all: readonly string[]): string[][] {
  const found: string[][] = [];
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const visit = (file: string) => {
    order.set(file, order.size);
    lowest.set(file, order.get(file) as number);
    stack.push(file);
    for (const target of importsOf(file)) {
      if (!all.includes(target)) continue;
      if (!order.has(target)) visit(target);
      if (stack.includes(target)) {
        lowest.set(file, Math.min(lowest.get(file) as number, lowest.get(target) as number));
      }
    }
    if (lowest.get(file) !== order.get(file)) return;
    const circle = stack.splice(stack.indexOf(file));
    if (circle.length > 1) found.push(circle.sort());
  };
  for (const file of all) if (!order.has(file)) visit(file);
  return found;
}

describe('the rows', () => {
  const entries = functions.map(({ entry }) => `functions/${entry}.ts`);

  it('name every file below functions/, once, and no other', () => {
    const handlers = globSync('functions/**/*.ts', { cwd: root });
    expect([...entries].sort()).toEqual(handlers.sort());
  });

  it('have a trigger each of their own', () => {
    const triggers = functions.map(({ trigger, entry }) =>
      'everyMinutes' in trigger ? entry : Object.values(trigger)[0],
    );
    expect(new Set(triggers).size).toBe(triggers.length);
  });

  it.each(entries)('%s is one short handler', (file) => {
    const source = readSource(file);
    expect(source.match(/^export /gm)).toEqual(['export ']);
    expect(source).toMatch(/^export const handler = /m);
    expect(source.trimEnd().split('\n').length).toBeLessThanOrEqual(30);
  });
});
