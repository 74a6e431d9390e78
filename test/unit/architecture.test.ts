import { globSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { functions } from '../../infra/functions.ts';
import { importsOf, reachableFrom, sourceOf } from '../support/imports.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const files = globSync(['{functions,shared,infra}/**/*.ts'], { cwd: root }).sort();

/**
 * Files of rules and shapes alone: no input, output, clock or environment. A domain's own noun (orders/order.ts)
 * and what the API takes and shows (order-request.ts, order-view.ts) are such by their names, the rest by this list.
 */
const otherNouns = [
  'shared/errors.ts',
  'shared/money.ts',
  'shared/auth/user.ts',
  'shared/chain/address.ts',
  'shared/ledger/entry.ts',
  'shared/payments/gateway.ts',
];
const isNoun = (file: string) =>
  otherNouns.includes(file) || /^shared\/(\w+?)s?\/(\1|[\w-]+-(view|input|request))\.ts$/.test(file);
const nouns = files.filter(isNoun);

/** Where requests and messages come in: the only shared code that knows what Lambda hands over. */
const doors = /^shared\/(http\/|workers\/(queue|batch)-worker\.ts)/;
const technical = /^shared\/([\w-]+\.ts|(?:aws|dynamo)\/)/;

const isStore = (file: string) => file.endsWith('/store.ts');
const isUseCase = (file: string) =>
  /^shared\//.test(file) &&
  !/^shared\/(payments|chain)\//.test(file) &&
  ![isNoun(file), isStore(file), doors.test(file), technical.test(file)].some(Boolean);

const isPackage = (target: string) => !/^(functions|shared|infra|test)\//.test(target);
const sdk = /^@aws-sdk\//;
/** What people run, and is never deployed. */
const tools = /^infra\/(operator|bench)\//;
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
    forbids: (target) => doors.test(target) || sdk.test(target) || /^(@middy\/|aws-lambda$)/.test(target),
  },
  {
    who: 'a store knows its own domain, the table, and nothing of HTTP',
    holdsFor: isStore,
    forbids: (target, file) =>
      (isStore(target) && target !== file) || doors.test(target) || network.test(target),
  },
  {
    who: 'a payment gateway knows neither stores, orders nor HTTP requests to us',
    holdsFor: (file) => /^shared\/payments\//.test(file),
    forbids: (target) => isStore(target) || doors.test(target) || /^shared\/(orders|dynamo)\//.test(target),
  },
  {
    who: 'code for the chain knows neither stores nor HTTP requests to us',
    holdsFor: (file) => /^shared\/chain\//.test(file),
    forbids: (target) => isStore(target) || doors.test(target) || /^shared\/dynamo\//.test(target),
  },
  {
    who: 'shared code imports shared code',
    holdsFor: (file) => /^shared\//.test(file),
    forbids: (target) => !isPackage(target) && !/^shared\//.test(target),
  },
  {
    who: 'infrastructure knows the table’s shape and the names of settings',
    holdsFor: (file) => /^infra\//.test(file) && !tools.test(file) && !/^infra\/openapi\//.test(file),
    forbids: (target) =>
      /^(functions|test)\//.test(target) ||
      (/^shared\//.test(target) && !/^shared\/(dynamo\/table|env)\.ts$/.test(target)),
  },
  {
    who: 'the API reference is made of contracts and error codes',
    holdsFor: (file) => /^infra\/openapi\//.test(file),
    forbids: (target) =>
      /^(functions|test)\//.test(target) ||
      (/^shared\//.test(target) && !/^shared\/(http\/(contract|error-response)|errors)\.ts$/.test(target)),
  },
  {
    who: 'an operator’s script and the bench may use all that is shared, but no handler',
    holdsFor: (file) => tools.test(file),
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
    ['shared/chain/minter.ts', "import { getOrder } from '../orders/store.ts';"],
    ['shared/money.ts', "import '../infra/functions.ts';"],
    ['infra/stack.ts', "const { keys } = await import('../shared/dynamo/keys.ts');"],
    ['infra/operator/grant-role.ts', "import { handler } from '../../functions/auth/me.ts';"],
    ['infra/bench/main.ts', "import { handler } from '../../functions/auth/me.ts';"],
    ['infra/openapi/document.ts', "import { orderView } from '../../shared/orders/order-view.ts';"],
    ['infra/local/http.ts', "import { call } from '../../test/support/http.ts';"],
  ])('that break a rule are found in %s: %j', (file, source) => {
    expect(breaches(file, source)).not.toEqual([]);
  });
});

/** What in the reach of a file is not pure. ids.ts may know time and chance: an id is made of them. */
function impurities(file: string): string[] {
  const pure = /^(zod|@noble\/.*|shared\/ids\.ts)$/;
  const impure = /process\.env|Date\.now\(|new Date\(\)|performance\.now|Math\.random|node:/;
  const others = [...reachableFrom(file)].filter((target) => !pure.test(target));
  return others.filter((target) => isPackage(target) || impure.test(sourceOf(target)));
}

describe('nouns', () => {
  it('are found by their names', () => {
    expect(nouns).toEqual(expect.arrayContaining([...otherNouns, 'shared/stock/stock.ts']));
    expect(nouns).toEqual(expect.arrayContaining(['shared/orders/order.ts', 'shared/orders/order-view.ts']));
  });

  it.each(nouns)('%s reaches neither input, output, clock, environment nor chance', (file) => {
    expect(impurities(file)).toEqual([]);
  });

  it('could not hide what they reach', () => {
    expect(impurities('shared/auth/login.ts')).toEqual(
      expect.arrayContaining(['bcryptjs', 'shared/auth/login-attempts.ts', 'shared/dynamo/documents.ts']),
    );
  });
});

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
    const source = sourceOf(file);
    expect(source.match(/^export /gm)).toEqual(['export ']);
    expect(source).toMatch(/^export const handler = /m);
    expect(source.trimEnd().split('\n').length).toBeLessThanOrEqual(30);
  });
});
