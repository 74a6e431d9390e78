import { table as schema } from '../../../shared/dynamo/keys.ts';
import {
  type Attributes,
  canonical,
  checkAllUsed,
  type Placeholders,
  parseCondition,
  parseUpdate,
  ValidationError,
} from './expressions.ts';

/** The body of a request, as the SDK sends it. */
// biome-ignore lint/suspicious/noExplicitAny: the commands of DynamoDB's protocol differ
export type Command = Record<string, any>;

/** An error response of the table. */
export class TableError extends Error {
  readonly type: string;
  readonly fields: object;
  constructor(type: string, message: string, fields: object = {}) {
    super(message);
    this.type = type;
    this.fields = fields;
  }
}

export interface IndexEntry {
  partition: string;
  sort: string;
  key: Attributes;
}
interface Kind {
  items: Map<string, Attributes>;
  /** Counts the writes to items of this kind, so that checks can skip what has not changed. */
  version: number;
}
/** What a write did to one item. */
export interface Change<Stored = Attributes> {
  kind: string;
  before: Stored | undefined;
  after: Stored | undefined;
}
interface PendingIndexChange {
  time: number;
  index: string;
  id: string;
  entry: IndexEntry | undefined;
}

const tokenMilliseconds = 600_000;
const idOf = (key: Attributes) => `${key.pk?.S}\n${key.sk?.S}`;
/**
 * The kind of an item: its sort key, or the sort key up to its first `#`, such as `ORDER` and `SEAT#`. For items that have
 * only their id as the sort key, it is the end of the partition key, such as `#OCCURRENCES`.
 */
const kindOf = (pk: string, sk: string) =>
  /#(?:OCCURRENCES|DELIVERIES)$/.exec(pk)?.[0] ?? (sk.slice(0, sk.indexOf('#') + 1) || sk);
const textOf = (item: Attributes, name: string) => item[name]?.S as string | undefined;

/**
 * A model of DynamoDB for exactly the commands and expressions that the service uses. table.test.ts holds it against the
 * local server. Items are never changed in place, so that a copy of the table is cheap.
 */
export class Table {
  #partitions = new Map<string, Map<string, Attributes>>();
  readonly #kinds = new Map<string, Kind>();
  #indexes = new Map<string, Map<string, IndexEntry>>(schema.indexes.map(({ name }) => [name, new Map()]));
  #pending: PendingIndexChange[] = [];
  #tokens = new Map<string, { request: string; until: number }>();
  /** Counts all writes. */
  version = 0;
  /** Gets what each command, such as a transaction, has changed at once. */
  onCommit: ((changes: Change[]) => void) | undefined;
  #changes: Change[] = [];
  /** The time, and the lag of the next change of an index, in milliseconds. */
  now: () => number = () => 0;
  lag: () => number = () => 0;

  copy(): Table {
    const copy = new Table();
    copy.#partitions = new Map([...this.#partitions].map(([pk, items]) => [pk, new Map(items)]));
    copy.#indexes = new Map([...this.#indexes].map(([name, entries]) => [name, new Map(entries)]));
    copy.#pending = [...this.#pending];
    for (const [name, { items, version }] of this.#kinds) {
      copy.#kinds.set(name, { items: new Map(items), version });
    }
    return copy;
  }

  *items(): Generator<Attributes> {
    for (const items of this.#partitions.values()) yield* items.values();
  }

  /** The items of a kind. */
  kind(name: string): Kind {
    const kind = this.#kinds.get(name) ?? { items: new Map(), version: 0 };
    this.#kinds.set(name, kind);
    return kind;
  }

  get(key: Attributes): Attributes | undefined {
    return this.#partitions.get(key.pk?.S as string)?.get(key.sk?.S as string);
  }

  /** Deletes what TTL allows to be deleted and `isDeleted` chooses. */
  expire(isDeleted: () => boolean): void {
    const seconds = this.now() / 1000;
    for (const item of [...this.items()]) {
      if (Number(item[schema.timeToLive]?.N ?? Number.POSITIVE_INFINITY) < seconds && isDeleted()) {
        this.#store(item, undefined);
      }
    }
  }

  /** Executes a command. @throws TableError */
  execute(name: string, command: Command): object {
    try {
      this.#changes = [];
      const answer = this.#execute(name, command);
      if (this.#changes.length > 0) this.onCommit?.(this.#changes);
      return answer;
    } catch (error) {
      if (error instanceof ValidationError) throw new TableError('ValidationException', error.message);
      throw error;
    }
  }

  #execute(name: string, command: Command): object {
    switch (name) {
      case 'GetItem': {
        const item = this.get(command.Key);
        return item ? { Item: item } : {};
      }
      case 'BatchGetItem':
        return this.#batchGet(command);
      case 'TransactGetItems':
        return {
          Responses: command.TransactItems.map(({ Get }: Command) => {
            const item = this.get(Get.Key);
            return item ? { Item: item } : {};
          }),
        };
      case 'Query':
        return this.#query(command);
      case 'PutItem':
        return this.#single({ Put: command });
      case 'UpdateItem':
        return this.#single({ Update: command });
      case 'DeleteItem':
        return this.#single({ Delete: command });
      case 'BatchWriteItem':
        return this.#batchWrite(command);
      case 'TransactWriteItems':
        return this.#transact(command);
      default:
        throw new Error(`The model has no command ${name}`);
    }
  }

  #batchGet({ RequestItems }: Command): object {
    const responses = Object.entries<Command>(RequestItems).map(([name, { Keys }]) => {
      if (new Set(Keys.map(idOf)).size < Keys.length) {
        throw new ValidationError('Provided list of item keys contains duplicates');
      }
      return [name, Keys.flatMap((key: Attributes) => this.get(key) ?? [])];
    });
    return { Responses: Object.fromEntries(responses), UnprocessedKeys: {} };
  }

  #batchWrite({ RequestItems }: Command): object {
    for (const requests of Object.values<Command[]>(RequestItems)) {
      const keys = requests.map(({ PutRequest, DeleteRequest }) =>
        idOf(PutRequest?.Item ?? DeleteRequest.Key),
      );
      if (new Set(keys).size < keys.length) {
        throw new ValidationError('Provided list of item keys contains duplicates');
      }
      for (const { PutRequest, DeleteRequest } of requests) {
        if (PutRequest) this.#store(PutRequest.Item, PutRequest.Item);
        else this.#store(DeleteRequest.Key, undefined);
      }
    }
    return { UnprocessedItems: {} };
  }

  #single(write: Command): object {
    const plan = this.#plan(write);
    if (!plan.isAllowed) {
      throw new TableError(
        'ConditionalCheckFailedException',
        'The conditional request failed',
        plan.returned,
      );
    }
    this.#store(plan.key, plan.next);
    if (write.Update?.ReturnValues === 'ALL_NEW') return { Attributes: plan.next };
    return {};
  }

  /** Whether a transaction with this token was done: the table answers its repetitions without another attempt. */
  isDone(token: string | undefined): boolean {
    return token !== undefined && (this.#tokens.get(token)?.until ?? 0) > this.now();
  }

  #transact({ TransactItems, ClientRequestToken }: Command): object {
    const request = canonical(TransactItems);
    const known = ClientRequestToken && this.#tokens.get(ClientRequestToken);
    if (known && known.until > this.now()) {
      if (known.request === request) return {};
      throw new TableError('IdempotentParameterMismatchException', 'The token was used with another request');
    }
    const plans = (TransactItems as Command[]).map((write) => this.#plan(write));
    if (new Set(plans.map(({ key }) => idOf(key))).size < plans.length) {
      throw new ValidationError('Transaction request cannot include multiple operations on one item');
    }
    if (plans.length > 100) throw new ValidationError('Member must have length less than or equal to 100');
    if (plans.some(({ isAllowed }) => !isAllowed)) {
      throw cancelled(
        plans.map(({ isAllowed, returned }) =>
          isAllowed
            ? { Code: 'None' }
            : { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed', ...returned },
        ),
      );
    }
    for (const { key, next, isCheck } of plans) if (!isCheck) this.#store(key, next);
    if (ClientRequestToken) {
      this.#tokens.set(ClientRequestToken, { request, until: this.now() + tokenMilliseconds });
    }
    return {};
  }

  /** Decides what a write would do. */
  #plan(write: Command) {
    const { Put, Update, Delete, ConditionCheck } = write;
    const command: Command = Put ?? Update ?? Delete ?? ConditionCheck;
    const key: Attributes = Put ? Put.Item : command.Key;
    const { pk, sk } = key;
    if (!pk?.S || !sk?.S) throw new ValidationError('The key is not valid');
    const current = this.get(key);
    const placeholders = toPlaceholders(command);
    const isAllowed =
      !command.ConditionExpression ||
      parseCondition(command.ConditionExpression)(current ?? {}, placeholders);
    let next: Attributes | undefined;
    if (Put) next = Put.Item;
    if (Update) {
      // The old item: all assignments read the attributes as they were.
      const changes = parseUpdate(Update.UpdateExpression).map((assign) => {
        try {
          return assign(current ?? {}, placeholders);
        } catch (error) {
          if (isAllowed) throw error;
          return undefined;
        }
      });
      next = { ...(current ?? { pk, sk }) };
      for (const change of changes) {
        if (!change) continue;
        if (change[1]) next[change[0]] = change[1];
        else delete next[change[0]];
      }
    }
    checkAllUsed(placeholders);
    const isReturned = command.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' && current;
    return {
      key: { pk, sk } as Attributes,
      next,
      isAllowed,
      isCheck: ConditionCheck !== undefined,
      returned: isReturned ? { Item: current } : {},
    };
  }

  #store(key: Attributes, next: Attributes | undefined): void {
    const [pk, sk] = [key.pk?.S as string, key.sk?.S as string];
    const partition = this.#partitions.get(pk) ?? new Map<string, Attributes>();
    const previous = partition.get(sk);
    const kindName = kindOf(pk, sk);
    const kind = this.kind(kindName);
    this.#changes.push({ kind: kindName, before: previous, after: next });
    if (next) {
      partition.set(sk, next);
      this.#partitions.set(pk, partition);
      kind.items.set(`${pk}\n${sk}`, next);
    } else {
      partition.delete(sk);
      if (partition.size === 0) this.#partitions.delete(pk);
      kind.items.delete(`${pk}\n${sk}`);
    }
    this.version++;
    kind.version++;
    for (const { name, partitionKey, sortKey } of schema.indexes) {
      const before = previous && toEntry(previous, partitionKey, sortKey);
      const after = next && toEntry(next, partitionKey, sortKey);
      if (before?.partition !== after?.partition || before?.sort !== after?.sort) {
        this.#changeIndex(name, `${pk}\n${sk}`, after);
      }
    }
  }

  /** Changes of one item reach an index in their order, after some time. */
  #changeIndex(index: string, id: string, entry: IndexEntry | undefined): void {
    const earlier = this.#pending.findLast((change) => change.index === index && change.id === id);
    const time = Math.max(this.now() + this.lag(), earlier?.time ?? 0);
    this.#pending.push({ time, index, id, entry });
  }

  /** Returns an index as it is at present. */
  index(name: string, atOnce = false): Map<string, IndexEntry> {
    const now = atOnce ? Number.POSITIVE_INFINITY : this.now();
    if (this.#pending.some(({ time }) => time <= now)) {
      for (const { index, id, entry } of this.#pending.filter(({ time }) => time <= now)) {
        if (entry) this.#indexes.get(index)?.set(id, entry);
        else this.#indexes.get(index)?.delete(id);
      }
      this.#pending = this.#pending.filter(({ time }) => time > now);
    }
    return this.#indexes.get(name) as Map<string, IndexEntry>;
  }

  #query(command: Command): object {
    const index = schema.indexes.find(({ name }) => name === command.IndexName);
    const { partitionKey, sortKey } = index ?? schema;
    const placeholders = toPlaceholders(command);
    const isListed = parseCondition(command.KeyConditionExpression);
    const partitionValue = findPartition(command, partitionKey);
    const candidates: Attributes[] = index
      ? [...this.index(index.name).values()]
          .filter(({ partition }) => partition === partitionValue)
          .map(({ key, sort }) => ({
            ...key,
            [partitionKey]: { S: partitionValue },
            [sortKey]: { S: sort },
          }))
      : [...(this.#partitions.get(partitionValue)?.values() ?? [])];
    // One evaluation even without candidates, for the errors in the expression.
    isListed({}, placeholders);
    project({}, command.ProjectionExpression, placeholders);
    const position = (item: Attributes) =>
      `${textOf(item, sortKey)}\u0000${index ? `${item.pk?.S}\u0000${item.sk?.S}` : ''}`;
    const isForward = command.ScanIndexForward !== false;
    const start = command.ExclusiveStartKey && position(command.ExclusiveStartKey);
    const matching = candidates
      .filter((item) => isListed(item, placeholders))
      .map((item) => ({ item, position: position(item) }))
      .sort((a, b) => (a.position < b.position === isForward ? -1 : 1))
      .filter((entry) => start === undefined || (isForward ? entry.position > start : entry.position < start))
      .map(({ item }) => item);
    const limit = command.Limit ?? matching.length;
    const page = matching.slice(0, limit);
    const last = page.at(-1);
    const names = ['pk', 'sk', ...(index ? [partitionKey, sortKey] : [])];
    // The local server and DynamoDB return a position whenever the limit is reached, even at the end of the list.
    const hasMore = last && command.Limit !== undefined && page.length === limit;
    const Items = page.map((item) => project(item, command.ProjectionExpression, placeholders));
    checkAllUsed(placeholders);
    return {
      ...(command.Select !== 'COUNT' && { Items }),
      Count: page.length,
      ...(hasMore && {
        LastEvaluatedKey: Object.fromEntries(names.map((name) => [name, last[name]])),
      }),
    };
  }
}

function toEntry(item: Attributes, partitionKey: string, sortKey: string): IndexEntry | undefined {
  const [partition, sort] = [textOf(item, partitionKey), textOf(item, sortKey)];
  if (partition === undefined || sort === undefined) return undefined;
  return { partition, sort, key: { pk: item.pk as Attributes['pk'], sk: item.sk } as Attributes };
}

function toPlaceholders(command: Command): Placeholders {
  return {
    names: command.ExpressionAttributeNames ?? {},
    values: command.ExpressionAttributeValues ?? {},
    used: new Set(),
  };
}

/** Finds the partition that a key condition selects: `#partition = :partition AND …`. */
function findPartition(command: Command, partitionKey: string): string {
  for (const [, name = '', value = ''] of command.KeyConditionExpression.matchAll(/(#?\w+) = (:\w+)/g)) {
    const resolved = name.startsWith('#') ? command.ExpressionAttributeNames?.[name] : name;
    if (resolved === partitionKey) return command.ExpressionAttributeValues[value]?.S;
  }
  throw new ValidationError('Query condition missed key schema element');
}

function project(item: Attributes, expression: string | undefined, placeholders: Placeholders): Attributes {
  if (!expression) return item;
  const names = expression.split(',').map((name) => {
    placeholders.used.add(name.trim());
    return placeholders.names[name.trim()] ?? name.trim();
  });
  return Object.fromEntries(names.flatMap((name) => (item[name] ? [[name, item[name]]] : []))) as Attributes;
}

/** The error of a cancelled transaction. */
export function cancelled(CancellationReasons: { Code: string }[]): TableError {
  const codes = CancellationReasons.map(({ Code }) => Code).join(', ');
  return new TableError(
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    { CancellationReasons },
  );
}
