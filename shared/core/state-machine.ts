/**
 * State machines as tables. Each row is an event with the states in which it is legal and the state that it leads to.
 * `shared/dynamo/write.ts` converts rows to conditions of writes, so that DynamoDB refuses an illegal transition.
 */

/** The expected values of attributes: a value, one of several values, or `absent`. */
export type Expected<Item> = {
  readonly [Name in keyof Item]?:
    | NonNullable<Item[Name]>
    | readonly NonNullable<Item[Name]>[]
    | typeof absent;
};

/** Expects that an attribute does not exist. */
export const absent = Object.freeze({ absent: true });

/** An event of a machine, with the transition that it causes. */
export interface TransitionRow<Item, State extends string> {
  from: State | readonly State[];
  event: string;
  to: State;
  /** Expected values of other attributes. */
  guard?: Expected<Item>;
  /** Fields that the event must set. */
  sets?: readonly (keyof Item)[];
  /** Fields that the event may set. */
  maySet?: readonly (keyof Item)[];
  /** Fields that the event removes. */
  clears?: readonly (keyof Item)[];
}

export interface Machine<
  Item,
  State extends string,
  Rows extends readonly TransitionRow<Item, State>[],
  Attribute extends string = string,
> {
  /** The attribute that contains the state; `outer.inner` for a nested attribute. */
  attribute: Attribute;
  states: readonly State[];
  rows: Rows;
  /** Has no value. It carries the item's type to the types of the fields. */
  item?: Item;
}

/** The names of a machine's events. */
export type EventOf<M extends { rows: readonly { event: string }[] }> = M['rows'][number]['event'];

/** Declares a machine over an item: `defineMachine<Order>()('paymentStatus', states, rows)`. */
export function defineMachine<Item>() {
  return <
    Attribute extends string,
    State extends string,
    const Rows extends readonly TransitionRow<Item, NoInfer<State>>[],
  >(
    attribute: Attribute,
    states: readonly State[],
    rows: Rows,
  ): Machine<Item, State, Rows, Attribute> => ({ attribute, states, rows });
}

// biome-ignore lint/suspicious/noExplicitAny: stands for a machine over any item
type AnyMachine = Machine<any, string, readonly TransitionRow<any, string>[]>;
type ItemOf<M> = M extends Machine<infer Item, string, infer _> ? Item : never;
type RowOf<M extends AnyMachine, EventName> = Extract<M['rows'][number], { event: EventName }>;
/** The names of the fields in a row's list `sets` or `maySet`. */
type FieldNames<Row, List extends string> = Row extends { [name in List]: readonly (infer FieldName)[] }
  ? FieldName
  : never;

/** The type of a field. For a field that contains the nested state, it omits the state, which `transition` adds. */
type FieldValue<
  M extends AnyMachine,
  Field extends keyof ItemOf<M> & string,
> = M['attribute'] extends `${Field}.${infer State}`
  ? Omit<NonNullable<ItemOf<M>[Field]>, State>
  : NonNullable<ItemOf<M>[Field]>;

/** The fields that an event must set, and those that it may set. */
export type FieldsOf<M extends AnyMachine, EventName extends EventOf<M>> = {
  [Field in FieldNames<RowOf<M, EventName>, 'sets'> & keyof ItemOf<M> & string]: FieldValue<M, Field>;
} & { [Field in FieldNames<RowOf<M, EventName>, 'maySet'> & keyof ItemOf<M>]?: ItemOf<M>[Field] };

/** One transition to write. */
export interface Transition<Item> {
  /** The attribute with the state, and the states that are legal before the transition. */
  attribute: string;
  from: readonly string[];
  to: string;
  guard: Expected<Item>;
  /** The changed fields, with the state. Undefined removes a field. */
  set: Partial<Item>;
}

/** Returns the transition of an event. An unknown event, or a field that the event may not set, does not compile. */
export function transition<M extends AnyMachine, EventName extends EventOf<M>>(
  machine: M,
  event: EventName,
  ...[fields]: [keyof FieldsOf<M, EventName>] extends [never]
    ? []
    : Record<never, never> extends FieldsOf<M, EventName>
      ? [fields?: FieldsOf<M, EventName>]
      : [fields: FieldsOf<M, EventName>]
): Transition<ItemOf<M>> {
  const { from, to, guard = {}, clears = [] } = getRow(machine, event);
  const cleared = Object.fromEntries(clears.map((name) => [name, undefined]));
  const [outer = '', inner] = machine.attribute.split('.');
  const givenFields: Record<string, unknown> = { ...fields };
  const state = inner === undefined ? to : { ...(givenFields[outer] as object), [inner]: to };
  return {
    attribute: machine.attribute,
    from: [from].flat(),
    to,
    guard,
    set: { ...cleared, ...givenFields, [outer]: state } as Partial<ItemOf<M>>,
  };
}

/** Returns whether an event is legal in a state. */
export function allows<M extends AnyMachine>(machine: M, event: EventOf<M>, state: string): boolean {
  return [getRow(machine, event).from].flat().includes(state);
}

/** Returns the expectation that fields of an item have not changed since they were read. */
export function expectUnchanged<Item extends object>(item: Item, ...names: (keyof Item)[]): Expected<Item> {
  return Object.fromEntries(
    names.map((name) => {
      const value = item[name] ?? absent;
      // A list stands for several values, of which one is expected.
      return [name, Array.isArray(value) ? [value] : value];
    }),
  ) as Expected<Item>;
}

/** Returns the item after transitions. */
export function applyTransitions<Item extends object>(
  item: Item,
  ...transitions: { set: Partial<Item> }[]
): Item {
  return Object.assign({ ...item }, ...transitions.map(({ set }) => set));
}

/** DynamoDB refused the write, since the transition is not legal in the item's current state. */
export class TransitionRefused<Current> extends Error {
  /** The current item. */
  readonly current: Current;
  constructor(message: string, current: Current) {
    super(message);
    this.current = current;
  }
}

function getRow(machine: AnyMachine, event: string) {
  const row = machine.rows.find((candidate) => candidate.event === event);
  if (!row) throw new Error(`There is no event ${event} of ${machine.attribute}`);
  return row;
}
