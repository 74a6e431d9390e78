/** An attribute value as DynamoDB's protocol has it: `{ S: 'text' }`. */
export type Value = Record<string, unknown>;
export type Attributes = Record<string, Value>;

/** The placeholders of an expression. It records which of them are used, since DynamoDB refuses unused ones. */
export interface Placeholders {
  names: Record<string, string>;
  values: Attributes;
  used: Set<string>;
}

export class ValidationError extends Error {}

type Operand = (item: Attributes, placeholders: Placeholders) => Value | undefined;
type Test = (item: Attributes, placeholders: Placeholders) => boolean;

/** Reads the expressions that the service uses; any other syntax is an error of this model. */
class Parser {
  readonly #tokens: string[];
  #position = 0;

  constructor(text: string) {
    this.#tokens = text.match(/#\w+|:\w+|[A-Za-z_]\w*|<>|<=|>=|[=<>(),.+-]|\S/g) ?? [];
  }

  get next(): string | undefined {
    return this.#tokens[this.#position];
  }

  take(expected?: string): string {
    const token = this.#tokens[this.#position++];
    if (token === undefined || (expected !== undefined && token.toUpperCase() !== expected)) {
      throw new Error(`Expected ${expected} in “${this.#tokens.join(' ')}”, found ${token}`);
    }
    return token;
  }

  accept(keyword: string): boolean {
    if (this.next?.toUpperCase() !== keyword) return false;
    this.#position++;
    return true;
  }

  list<Entry>(read: () => Entry): Entry[] {
    const entries = [read()];
    while (this.accept(',')) entries.push(read());
    return entries;
  }

  or(): Test {
    const parts = [this.and()];
    while (this.accept('OR')) parts.push(this.and());
    // Both sides are evaluated, so that every placeholder counts as used.
    return parts.length === 1 ? (parts[0] as Test) : (i, p) => parts.map((part) => part(i, p)).some(Boolean);
  }

  and(): Test {
    const parts = [this.not()];
    while (this.accept('AND')) parts.push(this.not());
    return parts.length === 1 ? (parts[0] as Test) : (i, p) => parts.map((part) => part(i, p)).every(Boolean);
  }

  not(): Test {
    if (!this.accept('NOT')) return this.comparison();
    const inner = this.not();
    return (item, placeholders) => !inner(item, placeholders);
  }

  comparison(): Test {
    if (this.accept('(')) {
      const inner = this.or();
      this.take(')');
      return inner;
    }
    const name = this.next?.toLowerCase();
    if (name === 'attribute_exists' || name === 'attribute_not_exists') {
      const path = this.#inParentheses(() => this.path());
      const isExpected = name === 'attribute_exists';
      return (i, p) => (path(i, p) !== undefined) === isExpected;
    }
    if (name === 'begins_with') {
      const [path, prefix] = this.#inParentheses(() => this.list(() => this.operand())) as [Operand, Operand];
      return (i, p) => {
        const [text, start] = [path(i, p)?.S, prefix(i, p)?.S];
        return typeof text === 'string' && text.startsWith(String(start));
      };
    }
    if (name === 'contains') {
      const [path, wanted] = this.#inParentheses(() => this.list(() => this.operand())) as [Operand, Operand];
      return (i, p) => {
        const [list, value] = [path(i, p)?.L, wanted(i, p)];
        return Array.isArray(list) && list.some((entry) => isEqual(entry, value));
      };
    }
    const left = this.operand();
    if (this.accept('IN')) {
      this.take('(');
      const choices = this.list(() => this.operand());
      this.take(')');
      return (i, p) => choices.map((choice) => isEqual(left(i, p), choice(i, p))).some(Boolean);
    }
    if (this.accept('BETWEEN')) {
      const low = this.operand();
      this.take('AND');
      const high = this.operand();
      return (i, p) => {
        const [value, from, to] = [left(i, p), low(i, p), high(i, p)];
        return compare(value, '>=', from) && compare(value, '<=', to);
      };
    }
    const operator = this.take();
    const right = this.operand();
    return (i, p) => compare(left(i, p), operator, right(i, p));
  }

  #inParentheses<Result>(read: () => Result): Result {
    this.take();
    this.take('(');
    const result = read();
    this.take(')');
    return result;
  }

  operand(): Operand {
    if (this.next?.startsWith(':')) {
      const name = this.take();
      return (_, placeholders) => {
        placeholders.used.add(name);
        const value = placeholders.values[name];
        if (!value)
          throw new ValidationError(
            `An expression attribute value used in expression is not defined: ${name}`,
          );
        return value;
      };
    }
    return this.path();
  }

  /** A path such as `#refund.#status`. */
  path(): Operand {
    const names = [this.take()];
    while (this.accept('.')) names.push(this.take());
    return (item, placeholders) => {
      const [first = '', ...rest] = names.map((name) => resolveName(name, placeholders));
      let value = item[first];
      for (const name of rest) value = (value?.M as Attributes | undefined)?.[name];
      return value;
    };
  }

  end(): void {
    if (this.next !== undefined) throw new Error(`Unexpected ${this.next} in “${this.#tokens.join(' ')}”`);
  }
}

export function resolveName(name: string, { names, used }: Placeholders): string {
  if (!name.startsWith('#')) return name;
  used.add(name);
  const resolved = names[name];
  if (resolved === undefined) {
    throw new ValidationError(`An expression attribute name used in expression is not defined: ${name}`);
  }
  return resolved;
}

function cached<Parsed>(parse: (text: string) => Parsed): (text: string) => Parsed {
  const cache = new Map<string, Parsed>();
  return (text) => {
    const known = cache.get(text) ?? parse(text);
    cache.set(text, known);
    return known;
  };
}

/** Parses a condition or a key condition. */
export const parseCondition = cached((text): Test => {
  const parser = new Parser(text);
  const test = parser.or();
  parser.end();
  return test;
});

type Assignment = (item: Attributes, placeholders: Placeholders) => [name: string, value: Value | undefined];

/** Parses an update of top-level attributes. The assignments read the item as it was. */
export const parseUpdate = cached((text): Assignment[] => {
  const parser = new Parser(text);
  const assignments: Assignment[] = [];
  while (parser.next !== undefined) {
    const clause = parser.take().toUpperCase();
    assignments.push(...parser.list(() => readAssignment(parser, clause)));
  }
  return assignments;
});

function readAssignment(parser: Parser, clause: string): Assignment {
  const name = parser.take();
  if (clause === 'REMOVE') return (_, placeholders) => [resolveName(name, placeholders), undefined];
  if (clause === 'ADD') {
    const amount = parser.operand();
    return (item, placeholders) => {
      const attribute = resolveName(name, placeholders);
      const added = amount(item, placeholders) as Value;
      const current = item[attribute] ?? { N: '0' };
      if (typeof added.N !== 'string' || typeof current.N !== 'string') {
        throw new ValidationError('An operand in the update expression has an incorrect data type');
      }
      return [attribute, { N: String(toNumber(current.N) + toNumber(added.N)) }];
    };
  }
  if (clause !== 'SET') throw new Error(`The model has no clause ${clause}`);
  parser.take('=');
  if (parser.next?.toLowerCase() !== 'if_not_exists') {
    const value = parser.operand();
    return (item, placeholders) => [resolveName(name, placeholders), value(item, placeholders)];
  }
  parser.take();
  parser.take('(');
  const path = parser.path();
  parser.take(',');
  const fallback = parser.operand();
  parser.take(')');
  return (item, placeholders) => {
    const value = fallback(item, placeholders);
    return [resolveName(name, placeholders), path(item, placeholders) ?? value];
  };
}

export function checkAllUsed({ names, values, used }: Placeholders): void {
  const unused = [...Object.keys(names), ...Object.keys(values)].filter((name) => !used.has(name));
  if (unused.length > 0) throw new ValidationError(`Value provided in the expression unused: ${unused}`);
}

/** The service stores whole numbers wherever it compares or adds. */
const toNumber = (text: string) => BigInt(text);

function compare(left: Value | undefined, operator: string, right: Value | undefined): boolean {
  if (operator === '=') return isEqual(left, right);
  if (operator === '<>') return !isEqual(left, right);
  if (!left || !right) return false;
  const [a, b] =
    typeof left.N === 'string' && typeof right.N === 'string'
      ? [toNumber(left.N), toNumber(right.N)]
      : [left.S, right.S];
  if (a === undefined || b === undefined) return false;
  if (operator === '<') return (a as string) < (b as string);
  if (operator === '<=') return (a as string) <= (b as string);
  if (operator === '>') return (a as string) > (b as string);
  if (operator === '>=') return (a as string) >= (b as string);
  throw new Error(`The model has no operator ${operator}`);
}

function isEqual(a: Value | undefined, b: Value | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return canonical(a) === canonical(b);
}

/** Text that is the same for equal values: maps have no order. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical)}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${name}:${canonical(field)}`)}}`;
}
