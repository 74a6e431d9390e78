import { globSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { functions } from '../../infra/functions.ts';
import { importsOf, reachableFrom, readSource } from '../support/imports.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const files = globSync(['{functions,shared,infra}/**/*.ts'], { cwd: root }).sort();

/**
 * Pure files contain only rules and types: they use no input, output, clock or environment. These are all files of
 * shared/core, the file that is named after its folder (orders/order.ts, ledger/ledger.ts), and files with these names.
 */
const pureNames = /\/(quotas|lifecycle|views|fields|[\w-]+-(view|input|request))\.ts$/;
const isPure = (file: string) =>
  /^shared\/core\//.test(file) ||
  /^shared\/(?:[\w-]+\/)*([\w-]+?)s?\/\1\.ts$/.test(file) ||
  (/^shared\//.test(file) && pureNames.test(file));
const pureFiles = files.filter(isPure);

/** The code that receives requests and messages: only these shared files may use Lambda's event types. */
const entryPoints = /^shared\/(http\/|runtime\/worker\.ts)/;
const technical = /^shared\/(runtime|dynamo)\//;

const isStore = (file: string) => file.endsWith('/store.ts');
const isUseCase = (file: string) =>
  /^shared\//.test(file) &&
  !/^shared\/(payments|chain)\//.test(file) &&
  ![isPure(file), isStore(file), entryPoints.test(file), technical.test(file)].some(Boolean);

const isPackage = (target: string) => !/^(functions|shared|infra|test)\//.test(target);
const sdk = /^@aws-sdk\//;
/** Operators' commands, which are not deployed. */
const operatorCommands = /^infra\/operator\//;
const network = /^(node:(http|https|net|tls)|undici)$/;

interface Rule {
  description: string;
  appliesTo: (file: string) => boolean;
  forbids: (target: string, file: string) => boolean;
}

const rules: Rule[] = [
  {
    description: 'a handler imports only shared code, zod and Lambda’s types',
    appliesTo: (file) => /^functions\//.test(file),
    forbids: (target) => !/^(shared\/|zod$|aws-lambda$)/.test(target),
  },
  {
    description: 'a use case imports neither HTTP code, Lambda’s types nor the SDK',
    appliesTo: isUseCase,
    forbids: (target) =>
      entryPoints.test(target) || sdk.test(target) || /^(@middy\/|aws-lambda$)/.test(target),
  },
  {
    description: 'a store imports neither other stores nor HTTP code',
    appliesTo: isStore,
    forbids: (target, file) =>
      (isStore(target) && target !== file) || entryPoints.test(target) || network.test(target),
  },
  {
    description: 'a payment gateway imports neither stores, orders nor the code that receives requests',
    appliesTo: (file) => /^shared\/payments\/(?!breaker\/)/.test(file),
    forbids: (target) =>
      isStore(target) || entryPoints.test(target) || /^shared\/(orders|dynamo)\//.test(target),
  },
  {
    description: 'code for the chain imports neither stores nor the code that receives requests',
    appliesTo: (file) => /^shared\/chain\//.test(file),
    forbids: (target) => isStore(target) || entryPoints.test(target) || /^shared\/dynamo\//.test(target),
  },
  {
    description: 'shared code imports only shared code and packages',
    appliesTo: (file) => /^shared\//.test(file),
    forbids: (target) => !isPackage(target) && !/^shared\//.test(target),
  },
  {
    description:
      'infrastructure imports only the table’s keys, the settings and the contract’s releases from shared code',
    appliesTo: (file) =>
      /^infra\//.test(file) && !operatorCommands.test(file) && !/^infra\/openapi\//.test(file),
    forbids: (target) =>
      /^(functions|test)\//.test(target) ||
      (/^shared\//.test(target) &&
        !/^shared\/(dynamo\/keys|runtime\/config(-schema)?|chain\/(code-hash|releases?))\.ts$/.test(target)),
  },
  {
    description: 'the API reference imports only endpoint contracts and error codes from shared code',
    appliesTo: (file) => /^infra\/openapi\//.test(file),
    forbids: (target) =>
      /^(functions|test)\//.test(target) ||
      (/^shared\//.test(target) && !/^shared\/(http\/contract|core\/errors)\.ts$/.test(target)),
  },
  {
    description: 'an operator’s command imports shared code, but no handler',
    appliesTo: (file) => operatorCommands.test(file),
    forbids: (target) => /^(functions|test)\//.test(target),
  },
];

function findViolations(file: string, source?: string): string[] {
  return rules
    .filter(({ appliesTo }) => appliesTo(file))
    .flatMap(({ description, forbids }) =>
      importsOf(file, source)
        .filter((target) => forbids(target, file))
        .map((target) => `${file} imports ${target}, but ${description}`),
    );
}

describe('imports', () => {
  it('follow the rules', () => {
    expect(files.length).toBeGreaterThan(50);
    expect(files.flatMap((file) => findViolations(file))).toEqual([]);
  });

  it.each([
    ['functions/auth/me.ts', "import { GetCommand } from '@aws-sdk/lib-dynamodb';"],
    ['functions/auth/me.ts', "import { handler } from './login.ts';"],
    ['shared/accounts/auth/login.ts', "import { validate } from '../../http/validation.ts';"],
    ['shared/accounts/auth/login.ts', "import type {\n  APIGatewayProxyEventV2,\n} from 'aws-lambda';"],
    ['shared/accounts/auth/store.ts', "import { getEvent } from '../events/store.ts';"],
    ['shared/payments/gateway-a/gateway.ts', "export { settle } from '../../orders/settle.ts';"],
    ['shared/chain/transactions.ts', "import { getOrder } from '../orders/store.ts';"],
    ['shared/core/money.ts', "import '../../infra/functions.ts';"],
    ['infra/stack.ts', "const { write } = await import('../shared/dynamo/write.ts');"],
    ['infra/operator/grant-role.ts', "import { handler } from '../../functions/auth/me.ts';"],
    ['infra/openapi/document.ts', "import { orderView } from '../../shared/orders/views.ts';"],
    ['infra/local/http.ts', "import { call } from '../../test/support/http.ts';"],
  ])('that violate a rule are found in %s: %j', (file, source) => {
    expect(findViolations(file, source)).not.toEqual([]);
  });
});

/**
 * Returns a file's transitive imports that are not pure. Allows ids.ts, since ids consist of time and random numbers,
 * and node:crypto for hashing, which is pure.
 */
function findImpureImports(file: string): string[] {
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
    expect(pureFiles).not.toContain('shared/accounts/auth/login.ts');
  });

  it.each(pureFiles)(
    '%s imports nothing that uses input, output, clock, environment or random numbers',
    (file) => {
      expect(findImpureImports(file)).toEqual([]);
    },
  );

  it('pass a check that finds the impure imports of other files', () => {
    expect(findImpureImports('shared/accounts/auth/login.ts')).toEqual(
      expect.arrayContaining(['bcryptjs', 'shared/accounts/auth/login-attempts.ts', '@aws-sdk/lib-dynamodb']),
    );
  });
});

describe('the tree', () => {
  const sources = globSync('{functions,shared,infra,test}/**/*.ts', { cwd: root });

  it('has no import cycles, even of types', () => {
    expect(findCycles(sources)).toEqual([]);
  });

  it('has at most three files directly in shared/', () => {
    expect(globSync('shared/*.ts', { cwd: root }).length).toBeLessThanOrEqual(3);
  });

  // The files to read to follow one purchase. A commit that raises the number gives a reason.
  it('has at most 121 files that a purchase executes', () => {
    const purchaseFunctions = [
      'orders/initialize-order',
      'webhooks/gateway-a',
      'workers/fulfil-orders',
      'workers/mint-tickets',
      'tickets/list-tickets',
    ];
    const reached = new Set<string>();
    for (const entry of purchaseFunctions) reachableFrom(`functions/${entry}.ts`, reached);
    expect([...reached].filter((file) => file.endsWith('.ts')).length).toBeLessThanOrEqual(121);
  });
});

/** Finds groups of files that import one another, directly or not (Tarjan's strongly connected components). */
function findCycles(files: readonly string[]): string[][] {
  const found: string[][] = [];
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const visit = (file: string) => {
    order.set(file, order.size);
    lowest.set(file, order.get(file) as number);
    stack.push(file);
    for (const target of importsOf(file)) {
      if (!files.includes(target)) continue;
      if (!order.has(target)) visit(target);
      if (stack.includes(target)) {
        lowest.set(file, Math.min(lowest.get(file) as number, lowest.get(target) as number));
      }
    }
    if (lowest.get(file) !== order.get(file)) return;
    const cycle = stack.splice(stack.indexOf(file));
    if (cycle.length > 1) found.push(cycle.sort());
  };
  for (const file of files) if (!order.has(file)) visit(file);
  return found;
}

describe('the rows of infra/functions.ts', () => {
  const entries = functions.map(({ entry }) => `functions/${entry}.ts`);

  it('name each file in functions/ once', () => {
    const handlers = globSync('functions/**/*.ts', { cwd: root });
    expect([...entries].sort()).toEqual(handlers.sort());
  });

  it('have different triggers', () => {
    const triggers = functions.map(({ trigger, entry }) =>
      'everyMinutes' in trigger ? entry : Object.values(trigger)[0],
    );
    expect(new Set(triggers).size).toBe(triggers.length);
  });

  it.each(entries)('%s exports only a handler, in at most 60 lines', (file) => {
    const source = readSource(file);
    expect(source.match(/^export /gm)).toEqual(['export ']);
    expect(source).toMatch(/^export const handler = /m);
    expect(source.trimEnd().split('\n').length).toBeLessThanOrEqual(60);
  });
});
