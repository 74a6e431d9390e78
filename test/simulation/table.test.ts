import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTable, startDynamoDb } from '../../infra/local/services/aws.ts';
import { Random } from './core/random.ts';
import { canonical } from './parts/expressions.ts';
import { type Command, Table, TableError } from './parts/table.ts';

const commands = 10_000;
const TableName = 'model';

let server: Awaited<ReturnType<typeof startDynamoDb>>;
let directory: string;
beforeAll(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'table-'));
  server = await startDynamoDb(path.join(directory, 'table.db'), path.join(directory, 'log'));
  await createTable(server.url, TableName, { dropExisting: false });
}, 60_000);
afterAll(async () => {
  await server?.stop();
  rmSync(directory, { recursive: true });
});

/** Sends a command as it is, so that both get the same bytes. */
async function sendToServer(name: string, command: Command): Promise<{ status: number; body: Command }> {
  const response = await fetch(server.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDB_20120810.${name}`,
      authorization:
        'AWS4-HMAC-SHA256 Credential=local/20260101/eu-west-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=0',
      'x-amz-date': '20260101T000000Z',
    },
    body: JSON.stringify(command),
  });
  return { status: response.status, body: (await response.json()) as Command };
}

/** What callers distinguish: the data, the kind of error, the cancellation reasons and their items. */
function comparable({ __type, message: _, ConsumedCapacity: __, ...body }: Command): string {
  const CancellationReasons = body.CancellationReasons?.map(({ Code, Item }: Command) => ({ Code, Item }));
  const Responses = Array.isArray(body.Responses) ? body.Responses : sortItems(body.Responses);
  return canonical({
    type: __type?.split('#').at(-1) ?? null,
    ...Object.fromEntries(
      Object.entries(body).filter(([name]) => !['Message', 'ScannedCount'].includes(name)),
    ),
    ...(CancellationReasons && { CancellationReasons: CancellationReasons.map(withoutUndefined) }),
    ...(Responses && { Responses }),
  });
}

const withoutUndefined = (fields: object) => JSON.parse(JSON.stringify(fields));

/** A batch returns its items in any order. */
function sortItems(responses: Record<string, unknown[]> | undefined) {
  return (
    responses &&
    Object.fromEntries(Object.entries(responses).map(([name, items]) => [name, items.map(canonical).sort()]))
  );
}

describe('the model of the table', () => {
  it(`answers ${commands} random commands as the local server does`, async () => {
    const random = new Random('table');
    const table = new Table();
    const outcomes = new Map<string, number>();
    for (let number = 0; number < commands; number++) {
      const [name, command] = drawCommand(random);
      const expected = await sendToServer(name, command);
      let found: Command;
      try {
        found = table.execute(name, JSON.parse(JSON.stringify(command)));
      } catch (error) {
        if (!(error instanceof TableError)) throw error;
        found = { __type: error.type, ...error.fields };
      }
      const kind = `${name} ${expected.body.__type?.split('#').at(-1) ?? 'done'}`;
      outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1);
      expect(comparable(found), `${number}: ${name} ${JSON.stringify(command)}`).toBe(
        comparable(expected.body),
      );
    }
    // Each command succeeded and failed often enough to say something.
    for (const kind of [
      'PutItem done',
      'PutItem ConditionalCheckFailedException',
      'UpdateItem done',
      'UpdateItem ConditionalCheckFailedException',
      'DeleteItem done',
      'TransactWriteItems done',
      'TransactWriteItems TransactionCanceledException',
      'Query done',
    ]) {
      expect(outcomes.get(kind) ?? 0, kind).toBeGreaterThan(50);
    }
  });
});

const pick = <Value>(random: Random, ...values: Value[]): Value => random.pick(values);
const text = (random: Random) => ({ S: pick(random, 'a', 'b', 'c') });
const count = (random: Random) => ({ N: String(random.below(7) - 2) });
const keyOf = (random: Random) => ({ pk: { S: `P#${random.below(4)}` }, sk: { S: `S#${random.below(4)}` } });

function itemOf(random: Random) {
  return {
    ...keyOf(random),
    count: count(random),
    state: text(random),
    ...(random.chance(0.5) && { nested: { M: { state: text(random), at: count(random) } } }),
    ...(random.chance(0.5) && { list: { L: [text(random), { BOOL: true }] } }),
    ...(random.chance(0.6) && {
      duePk: { S: `DUE#${random.below(2)}` },
      dueAt: { S: `2026-0${1 + random.below(9)}` },
    }),
    ...(random.chance(0.3) && { ownerPk: text(random), ownerSk: { S: `${random.below(5)}` } }),
    ...(random.chance(0.2) && { blob: { B: 'AQID' } }),
  };
}

/** Draws a condition in the forms that the service uses. */
function conditionOf(random: Random): Command {
  const names: Record<string, string> = {};
  const values: Command = {};
  const name = (attribute: string) => {
    names[`#${attribute}`] = attribute;
    return `#${attribute}`;
  };
  const value = (given: object) => {
    const placeholder = `:v${Object.keys(values).length}`;
    values[placeholder] = given;
    return placeholder;
  };
  const part = (depth: number): string => {
    const form = random.below(depth > 0 ? 10 : 8);
    if (form === 0) return `attribute_exists(${name(pick(random, 'pk', 'state', 'absent'))})`;
    if (form === 1) return `attribute_not_exists(${name(pick(random, 'pk', 'nested', 'absent'))})`;
    if (form === 2) return `${name('state')} = ${value(text(random))}`;
    if (form === 3) return `${name('state')} <> ${value(text(random))}`;
    if (form === 4)
      return `${name('count')} ${pick(random, '<', '<=', '>', '>=', '=')} ${value(count(random))}`;
    if (form === 5) return `${name('nested')}.${name('state')} = ${value(text(random))}`;
    if (form === 6) return `${name('state')} IN (${value(text(random))}, ${value(text(random))})`;
    if (form === 7) return `${pick(random, '', 'NOT ')}contains(${name('list')}, ${value(text(random))})`;
    return `(${part(depth - 1)} ${pick(random, 'AND', 'OR')} ${part(depth - 1)})`;
  };
  return { ConditionExpression: part(2), names, values };
}

function withCondition(random: Random, command: Command, probability: number): Command {
  const { names = {}, values = {}, ...rest } = command;
  const condition = random.chance(probability) ? conditionOf(random) : { names: {}, values: {} };
  const allNames = { ...names, ...condition.names };
  const allValues = { ...values, ...condition.values };
  return {
    ...rest,
    ...(condition.ConditionExpression && {
      ConditionExpression: condition.ConditionExpression,
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }),
    ...(Object.keys(allNames).length > 0 && { ExpressionAttributeNames: allNames }),
    ...(Object.keys(allValues).length > 0 && { ExpressionAttributeValues: allValues }),
  };
}

function updateOf(random: Random): Command {
  const clauses = [
    random.chance(0.6) && 'SET #s = :s, #n = if_not_exists(#n, :n)',
    random.chance(0.4) && 'REMOVE #r, #d',
    random.chance(0.6) && 'ADD #count :c',
  ].filter((clause): clause is string => clause !== false);
  const UpdateExpression = (clauses.length > 0 ? clauses : ['SET #s = :s']).join(' ');
  const names = { '#s': 'state', '#n': 'first', '#r': 'list', '#d': 'duePk', '#count': 'count' };
  const values = { ':s': text(random), ':n': count(random), ':c': count(random) };
  const used = (placeholder: string) => new RegExp(`${placeholder}\\b`).test(UpdateExpression);
  return {
    Key: keyOf(random),
    UpdateExpression,
    names: Object.fromEntries(Object.entries(names).filter(([name]) => used(name))),
    values: Object.fromEntries(Object.entries(values).filter(([name]) => used(name))),
  };
}

function drawCommand(random: Random): [name: string, command: Command] {
  const inTable = (command: Command) => ({ TableName, ...command });
  switch (random.below(10)) {
    case 0:
      return ['GetItem', inTable({ Key: keyOf(random), ConsistentRead: true })];
    case 1: {
      const keys = new Map(
        Array.from({ length: 3 }, () => keyOf(random)).map((key) => [canonical(key), key]),
      );
      return [
        'BatchGetItem',
        { RequestItems: { [TableName]: { Keys: [...keys.values()], ConsistentRead: true } } },
      ];
    }
    case 2:
      return ['TransactGetItems', { TransactItems: [{ Get: inTable({ Key: keyOf(random) }) }] }];
    case 3:
      return ['PutItem', withCondition(random, inTable({ Item: itemOf(random) }), 0.6)];
    case 4:
    case 5:
      return [
        'UpdateItem',
        withCondition(random, inTable({ ...updateOf(random), ReturnValues: 'ALL_NEW' }), 0.6),
      ];
    case 6:
      return ['DeleteItem', withCondition(random, inTable({ Key: keyOf(random) }), 0.5)];
    case 7:
      return ['TransactWriteItems', { TransactItems: transactionOf(random, inTable) }];
    case 8:
      return ['Query', queryOf(random)];
    default: {
      const items = new Map(
        Array.from({ length: 3 }, () => itemOf(random)).map((item) => [
          canonical({ pk: item.pk, sk: item.sk }),
          item,
        ]),
      );
      const requests = [...items.values()].map((Item) => ({ PutRequest: { Item } }));
      return ['BatchWriteItem', { RequestItems: { [TableName]: requests } }];
    }
  }
}

function transactionOf(random: Random, inTable: (command: Command) => Command): Command[] {
  const writes = Array.from({ length: 1 + random.below(3) }, (): Command => {
    const form = random.below(4);
    if (form === 0) return { Put: withCondition(random, inTable({ Item: itemOf(random) }), 0.6) };
    if (form === 1) return { Update: withCondition(random, inTable(updateOf(random)), 0.6) };
    if (form === 2) return { Delete: withCondition(random, inTable({ Key: keyOf(random) }), 0.6) };
    return { ConditionCheck: withCondition(random, inTable({ Key: keyOf(random) }), 1) };
  });
  const byKey = new Map(
    writes.map((write) => {
      const { Key, Item } = Object.values(write)[0];
      return [canonical({ pk: (Key ?? Item).pk, sk: (Key ?? Item).sk }), write];
    }),
  );
  return [...byKey.values()];
}

function queryOf(random: Random): Command {
  const isIndex = random.chance(0.5);
  const [partition, sort] = isIndex ? ['duePk', 'dueAt'] : ['pk', 'sk'];
  const range = pick(random, '', ' AND begins_with(#sort, :prefix)', ' AND #sort BETWEEN :from AND :to');
  const bounds = isIndex ? ['2026-02', '2026-07'] : ['S#1', 'S#2'];
  return {
    TableName,
    ...(isIndex ? { IndexName: 'byDue' } : { ConsistentRead: true }),
    KeyConditionExpression: `#partition = :partition${range}`,
    ExpressionAttributeNames: { '#partition': partition, ...(range && { '#sort': sort }) },
    ExpressionAttributeValues: {
      ':partition': { S: isIndex ? `DUE#${random.below(2)}` : `P#${random.below(4)}` },
      ...(range.includes(':prefix') && { ':prefix': { S: isIndex ? '2026' : 'S#' } }),
      ...(range.includes(':from') && { ':from': { S: bounds[0] }, ':to': { S: bounds[1] } }),
    },
    ScanIndexForward: random.chance(0.5),
    Limit: random.below(4) + 1,
    ...(random.chance(0.2) && { Select: 'COUNT' }),
  };
}
