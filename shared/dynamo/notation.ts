import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Item } from './client.ts';

type NotedItem = Record<string, AttributeValue>;

export const marshallOptions = { removeUndefinedValues: true };

export const unmarshallOptions = {
  // Amounts may exceed what a double holds: those come back as bigint, everything else as number.
  wrapNumbers: (text: string) => {
    const number = Number(text);
    return Number.isSafeInteger(number) || text.includes('.') ? number : BigInt(text);
  },
};

/** The item that came along with a failed condition, which the SDK leaves in DynamoDB's own notation. */
export function plainItem(item: NotedItem | undefined): Item | undefined {
  return item && unmarshall(item, unmarshallOptions);
}

/** A request as the service reads it, given one with plain values. */
export function noted(request: object): object {
  const item = (value: Item) => convert(marshall(value, marshallOptions), bytesToText);
  return convert(request, (name, value) => {
    if (inRequests.has(name)) return item(value);
    return name === 'Keys' ? value.map(item) : undefined;
  });
}

const inRequests = new Set(['Key', 'Item', 'ExpressionAttributeValues', 'ExclusiveStartKey']);

/** An answer with plain values, given one as the service writes it. */
export function plain(answer: object): object {
  const item = (value: NotedItem) => plainItem(withBytes(value));
  return convert(answer, (name, value) => {
    if (inAnswers.has(name)) return item(value);
    if (name === 'Items' || name === 'Keys') return value.map(item);
    if (name !== 'Responses' || Array.isArray(value)) return undefined;
    // Of several tables, a list for each.
    return convert(value, (_table, items) => items.map(item));
  });
}

/** What the service wrote in its own notation, as the SDK shows that: items that come along with errors. */
export function withBytes<Noted extends object>(answer: Noted): Noted {
  return convert(answer, textToBytes);
}

const inAnswers = new Set(['Item', 'Attributes', 'Key', 'LastEvaluatedKey']);

/** Bytes cross as base64. An attribute that is itself called B holds neither bytes nor a text, but a noted value. */
const bytesToText: Replace = (name, value) =>
  name === 'B' && value instanceof Uint8Array ? Buffer.from(value).toString('base64') : undefined;
const textToBytes: Replace = (name, value) =>
  name === 'B' && typeof value === 'string' ? new Uint8Array(Buffer.from(value, 'base64')) : undefined;

/** What to put instead of a property; undefined leaves it, and goes on inside. */
// biome-ignore lint/suspicious/noExplicitAny: whatever the protocol holds
type Replace = (name: string, value: any) => unknown;

/** A copy in which every property, of whatever depth, is replaced. */
function convert<Value extends object>(value: Value, replace: Replace): Value {
  const inside = (part: unknown) =>
    typeof part === 'object' && part !== null ? convert(part, replace) : part;
  if (Array.isArray(value)) return value.map(inside) as never;
  const copy: Item = {};
  for (const [name, part] of Object.entries(value)) {
    if (part !== undefined) copy[name] = replace(name, part) ?? inside(part);
  }
  return copy as Value;
}
