/**
 * State machines as tables. The rows say which events there are, from which states each is legal and where it
 * leads; `shared/dynamo/transition.ts` turns them into the conditions of writes, so that the table itself refuses
 * an illegal transition.
 */

/** What an item has to hold: a value, one of several values, or `absent`. */
export type Expected<Item> = {
  readonly [Name in keyof Item]?:
    | NonNullable<Item[Name]>
    | readonly NonNullable<Item[Name]>[]
    | typeof absent;
};

/** The attribute is not there. */
export const absent = Object.freeze({ absent: true });

/** One event of a machine. */
export interface Row<Item, State extends string> {
  from: State | readonly State[];
  event: string;
  to: State;
  /** What has to hold as well. */
  guard?: Expected<Item>;
  /** Fields that the event has to set. */
  sets?: readonly (keyof Item)[];
  /** Fields that it may set. */
  maySet?: readonly (keyof Item)[];
  /** Fields that it removes. */
  clears?: readonly (keyof Item)[];
}

export interface Machine<
  Item,
  State extends string,
  Rows extends readonly Row<Item, State>[],
  Attribute extends string = string,
> {
  /** The attribute that holds the state; `outer.inner` for one within another. */
  attribute: Attribute;
  states: readonly State[];
  rows: Rows;
  /** Never set: keeps the item's type for the fields of events. */
  item?: Item;
}

/** The names of a machine's events. */
export type EventOf<M extends { rows: readonly { event: string }[] }> = M['rows'][number]['event'];

/** Declares a machine over an item: `machineOver<Order>()('paymentStatus', states, rows)`. */
export function machineOver<Item>() {
  return <
    Attribute extends string,
    State extends string,
    const Rows extends readonly Row<Item, NoInfer<State>>[],
  >(
    attribute: Attribute,
    states: readonly State[],
    rows: Rows,
  ): Machine<Item, State, Rows, Attribute> => ({ attribute, states, rows });
}

// biome-ignore lint/suspicious/noExplicitAny: stands for a machine over any item
type AnyMachine = Machine<any, string, readonly Row<any, string>[]>;
type ItemOf<M> = M extends Machine<infer Item, string, infer _> ? Item : never;
type RowOf<M extends AnyMachine, Name> = Extract<M['rows'][number], { event: Name }>;
type Listed<R, List extends string> = R extends { [name in List]: readonly (infer Name)[] } ? Name : never;

/** What is given for a field; the attribute that holds the state within it is set by the event. */
type Given<
  M extends AnyMachine,
  Field extends keyof ItemOf<M> & string,
> = M['attribute'] extends `${Field}.${infer State}`
  ? Omit<NonNullable<ItemOf<M>[Field]>, State>
  : NonNullable<ItemOf<M>[Field]>;

/** The fields that an event has to set, and those it may. */
export type FieldsOf<M extends AnyMachine, Name extends EventOf<M>> = {
  [Field in Listed<RowOf<M, Name>, 'sets'> & keyof ItemOf<M> & string]: Given<M, Field>;
} & { [Field in Listed<RowOf<M, Name>, 'maySet'> & keyof ItemOf<M>]?: ItemOf<M>[Field] };

/** One transition, ready to be written. */
export interface Transition<Item> {
  /** Where the state is kept, and the states it may be in before. */
  attribute: string;
  from: readonly string[];
  to: string;
  guard: Expected<Item>;
  /** The fields that change with it, the state included; one that is undefined is removed. */
  set: Partial<Item>;
}

/** The transition that an event makes. An event that the machine does not have, or a field it does not set, does not compile. */
export function transition<M extends AnyMachine, Name extends EventOf<M>>(
  machine: M,
  event: Name,
  ...[fields]: [keyof FieldsOf<M, Name>] extends [never]
    ? []
    : Record<never, never> extends FieldsOf<M, Name>
      ? [fields?: FieldsOf<M, Name>]
      : [fields: FieldsOf<M, Name>]
): Transition<ItemOf<M>> {
  const { from, to, guard = {}, clears = [] } = rowOf(machine, event);
  const cleared = Object.fromEntries(clears.map((name) => [name, undefined]));
  const [outer = '', inner] = machine.attribute.split('.');
  const given: Record<string, unknown> = { ...fields };
  const state = inner === undefined ? to : { ...(given[outer] as object), [inner]: to };
  return {
    attribute: machine.attribute,
    from: [from].flat(),
    to,
    guard,
    set: { ...cleared, ...given, [outer]: state } as Partial<ItemOf<M>>,
  };
}

/** Whether an event is legal in a state. */
export function allows<M extends AnyMachine>(machine: M, event: EventOf<M>, state: string): boolean {
  return [rowOf(machine, event).from].flat().includes(state);
}

/** Expects fields of an item to be as they were read. */
export function unchanged<Item extends object>(item: Item, ...names: (keyof Item)[]): Expected<Item> {
  return Object.fromEntries(names.map((name) => [name, item[name] ?? absent])) as Expected<Item>;
}

/** The item as it is after transitions. */
export function after<Item extends object>(item: Item, ...transitions: { set: Partial<Item> }[]): Item {
  return Object.assign({ ...item }, ...transitions.map(({ set }) => set));
}

/** The write was refused: the item is not in a state in which the transition is legal. */
export class TransitionRefused<Current> extends Error {
  /** The item as it stands. */
  readonly current: Current;
  constructor(message: string, current: Current) {
    super(message);
    this.current = current;
  }
}

function rowOf(machine: AnyMachine, event: string) {
  const row = machine.rows.find((candidate) => candidate.event === event);
  if (!row) throw new Error(`There is no event ${event} of ${machine.attribute}`);
  return row;
}
