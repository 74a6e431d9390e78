/**
 * The result of each two actions on one order, in both sequences. docs/meetings.md shows these tables, and every cell
 * of them is a test.
 */

export const actions = [
  'cancel event',
  'cancel order',
  'expire',
  'fail',
  'settle',
  'late settle',
  'refund',
  'check in',
  'mint',
  'burn',
  'pay out',
] as const;
export type Action = (typeof actions)[number];

/** How an order ends, once all that is due was done: its tickets cost 100 dollars, and the buyer pays the fee as well. */
export interface Ending {
  paymentStatus: 'COMPLETED' | 'FAILED';
  /** Whether its tickets are taken out of the inventory. */
  holdsSeat: boolean;
  /** Where the buyer's money is. */
  money: 'not paid' | 'paid' | 'returned';
  /** What the organizer has in each account, in dollars. */
  available: number;
  pending: number;
  paidOut: number;
  /** Tokens in the buyer's wallet. */
  tokens: number;
  admitted: number;
}

const nothing = { available: 0, pending: 0, paidOut: 0, tokens: 0, admitted: 0 };
const ended: Ending = { ...nothing, paymentStatus: 'FAILED', holdsSeat: false, money: 'not paid' };
const sold: Ending = {
  ...nothing,
  paymentStatus: 'COMPLETED',
  holdsSeat: true,
  money: 'paid',
  available: 100,
  tokens: 2,
};
const refunded: Ending = { ...nothing, paymentStatus: 'COMPLETED', holdsSeat: false, money: 'returned' };
const paidOut = { available: 0, paidOut: 100 };
const owed = { available: -100, paidOut: 100 };
const admitted = { admitted: 1 };

/** The same outcome of one or several actions that come second. */
export interface Row {
  second: readonly Action[];
  /** The error code that the second action's caller gets; absent where it succeeds, or a worker has nothing to do. */
  refused?: string;
  ending: Ending;
  says: string;
}

/** Outcomes after one or several actions that come first. */
export interface Meeting {
  first: readonly Action[];
  rows: readonly Row[];
}

const notPending = { second: ['cancel order'], refused: 'not-pending' } as const;
const messages = ['expire', 'fail', 'settle', 'late settle'] as const;

export const meetings: readonly Meeting[] = [
  {
    first: ['cancel event'],
    rows: [
      {
        second: ['cancel event'],
        ending: refunded,
        says: 'The event stays cancelled. A paid order is refunded once.',
      },
      { ...notPending, ending: ended, says: 'The order has failed with the event.' },
      { second: ['expire', 'fail'], ending: ended, says: 'The order has failed with the event.' },
      {
        second: ['settle', 'late settle'],
        ending: refunded,
        says: 'The payment is recorded, holds no seat, and is refunded in full. The organizer is not credited.',
      },
      { second: ['refund'], ending: refunded, says: 'The refund is due already, and is sent once.' },
      { second: ['check in'], refused: 'event-cancelled', ending: refunded, says: 'Nobody is admitted.' },
      { second: ['mint'], ending: refunded, says: 'Nothing is minted.' },
      { second: ['burn'], ending: refunded, says: 'Tokens that were minted before are burned.' },
      {
        second: ['pay out'],
        refused: 'insufficient-balance',
        ending: refunded,
        says: 'The refunds have taken what would be paid out.',
      },
    ],
  },
  {
    first: ['cancel order', 'expire', 'fail'],
    rows: [
      {
        second: ['cancel event', 'expire', 'fail'],
        ending: ended,
        says: 'The order has failed, and its seats are free.',
      },
      { ...notPending, ending: ended, says: 'The order has failed, and its seats are free.' },
      {
        second: ['settle', 'late settle'],
        ending: sold,
        says: 'The payment completes the order, and reserves its seats again. Where none are left, it is refunded.',
      },
      { second: ['refund'], refused: 'not-paid', ending: ended, says: 'There is nothing to refund.' },
      { second: ['check in'], refused: 'not-paid', ending: ended, says: 'Nobody is admitted.' },
      { second: ['mint', 'burn'], ending: ended, says: 'There is nothing to mint or to burn.' },
      {
        second: ['pay out'],
        refused: 'insufficient-balance',
        ending: ended,
        says: 'The organizer earned nothing.',
      },
    ],
  },
  {
    first: ['settle', 'late settle'],
    rows: [
      { second: ['cancel event'], ending: refunded, says: 'The order is refunded in full.' },
      { ...notPending, ending: sold, says: 'A paid order can’t be cancelled.' },
      { second: ['expire', 'fail'], ending: sold, says: 'The order stays paid.' },
      {
        second: ['settle', 'late settle'],
        ending: sold,
        says: 'The order is posted, and its buyer notified, once.',
      },
      { second: ['refund'], ending: refunded, says: 'The money goes back, and the credit with it.' },
      {
        second: ['check in'],
        ending: { ...sold, ...admitted },
        says: 'The seat is admitted, also before it is minted.',
      },
      { second: ['mint'], ending: sold, says: 'The tickets are minted.' },
      { second: ['burn'], ending: sold, says: 'There is nothing to burn: the order has its seats.' },
      {
        second: ['pay out'],
        ending: { ...sold, ...paidOut },
        says: 'The organizer’s share is paid out, without the fee.',
      },
    ],
  },
  {
    first: ['refund'],
    rows: [
      { second: ['cancel event', 'refund'], ending: refunded, says: 'The money goes back once.' },
      { ...notPending, ending: refunded, says: 'A paid order can’t be cancelled, refunded or not.' },
      { second: messages, ending: refunded, says: 'A late or repeated report changes nothing.' },
      { second: ['check in'], refused: 'refunded', ending: refunded, says: 'Nobody is admitted.' },
      {
        second: ['mint'],
        ending: refunded,
        says: 'Nothing is minted. What was on its way already is burned.',
      },
      { second: ['burn'], ending: refunded, says: 'Tokens that were minted before are burned.' },
      {
        second: ['pay out'],
        refused: 'insufficient-balance',
        ending: refunded,
        says: 'The refund has taken what would be paid out.',
      },
    ],
  },
  {
    first: ['check in'],
    rows: [
      {
        second: ['cancel event'],
        ending: { ...refunded, ...admitted },
        says: 'The order is refunded although somebody was admitted: the event did not take place.',
      },
      { ...notPending, ending: { ...sold, ...admitted }, says: 'A paid order can’t be cancelled.' },
      {
        second: messages,
        ending: { ...sold, ...admitted },
        says: 'A late or repeated report changes nothing.',
      },
      {
        second: ['refund'],
        refused: 'admitted',
        ending: { ...sold, ...admitted },
        says: 'An order with an admitted seat is not refunded.',
      },
      {
        second: ['check in'],
        refused: 'already-checked-in',
        ending: { ...sold, ...admitted },
        says: 'A seat is admitted once.',
      },
      { second: ['mint'], ending: { ...sold, ...admitted }, says: 'The tickets are minted.' },
      {
        second: ['burn'],
        ending: { ...sold, ...admitted },
        says: 'There is nothing to burn: the order has its seats.',
      },
      {
        second: ['pay out'],
        ending: { ...sold, ...paidOut, ...admitted },
        says: 'The organizer’s share is paid out.',
      },
    ],
  },
  {
    first: ['mint'],
    rows: [
      {
        second: ['cancel event', 'refund'],
        ending: refunded,
        says: 'The money goes back, and the tokens are burned.',
      },
      { ...notPending, ending: sold, says: 'A paid order can’t be cancelled.' },
      { second: messages, ending: sold, says: 'A late or repeated report changes nothing.' },
      { second: ['check in'], ending: { ...sold, ...admitted }, says: 'The seat is admitted.' },
      { second: ['mint'], ending: sold, says: 'The tickets are minted once.' },
      { second: ['burn'], ending: sold, says: 'There is nothing to burn: the order has its seats.' },
      { second: ['pay out'], ending: { ...sold, ...paidOut }, says: 'The organizer’s share is paid out.' },
    ],
  },
  {
    first: ['burn'],
    rows: [
      { second: ['cancel event', 'refund'], ending: refunded, says: 'The money goes back once.' },
      { ...notPending, ending: refunded, says: 'A paid order can’t be cancelled, refunded or not.' },
      { second: messages, ending: refunded, says: 'A late or repeated report changes nothing.' },
      { second: ['check in'], refused: 'refunded', ending: refunded, says: 'Nobody is admitted.' },
      { second: ['mint'], ending: refunded, says: 'Nothing is minted again.' },
      { second: ['burn'], ending: refunded, says: 'The tokens are burned once.' },
      {
        second: ['pay out'],
        refused: 'insufficient-balance',
        ending: refunded,
        says: 'The refund has taken what would be paid out.',
      },
    ],
  },
  {
    first: ['pay out'],
    rows: [
      {
        second: ['cancel event', 'refund'],
        ending: { ...refunded, ...owed },
        says: 'The buyer gets the money back. The organizer’s balance is below zero until later sales cover it.',
      },
      { ...notPending, ending: { ...sold, ...paidOut }, says: 'A paid order can’t be cancelled.' },
      {
        second: messages,
        ending: { ...sold, ...paidOut },
        says: 'A late or repeated report changes nothing.',
      },
      { second: ['check in'], ending: { ...sold, ...paidOut, ...admitted }, says: 'The seat is admitted.' },
      { second: ['mint'], ending: { ...sold, ...paidOut }, says: 'The tickets are minted.' },
      {
        second: ['burn'],
        ending: { ...sold, ...paidOut },
        says: 'There is nothing to burn: the order has its seats.',
      },
      {
        second: ['pay out'],
        refused: 'insufficient-balance',
        ending: { ...sold, ...paidOut },
        says: 'The same money is paid out once.',
      },
    ],
  },
];

/** The states of an order, and the actions that run concurrently in each. */
export const races = {
  unpaid: ['cancel event', 'cancel order', 'expire', 'fail', 'settle'],
  failed: ['cancel event', 'late settle', 'expire'],
  paid: ['cancel event', 'settle', 'refund', 'check in', 'mint', 'pay out'],
  burnable: ['cancel event', 'refund', 'check in', 'mint', 'burn', 'pay out'],
} as const satisfies Record<string, readonly Action[]>;
export type State = keyof typeof races;

/** An outcome of a concurrent pair that neither sequence of its actions has. */
interface Exception {
  pairs: readonly (readonly [Action, Action])[];
  /** The error code that the caller of a pair's first action gets; absent where it succeeds, as the second always does. */
  refused?: string;
  ending: Ending;
  says: string;
}

export const exceptions: readonly Exception[] = [
  {
    pairs: [['cancel order', 'cancel order']],
    ending: ended,
    says: 'Both calls are answered that the order is cancelled.',
  },
  {
    pairs: [['check in', 'cancel event']],
    refused: 'refunded',
    ending: refunded,
    says: 'The scan is answered `refunded` when the refund has begun since it read the event.',
  },
  {
    pairs: [
      ['pay out', 'refund'],
      ['pay out', 'cancel event'],
    ],
    ending: { ...refunded, available: -100, pending: 100 },
    says: 'A payout that was requested, but not sent, waits until later sales cover what the refund has taken.',
  },
];

/** Returns the outcome that a concurrent pair may have although neither sequence of its actions has it. */
export function exceptionFor(
  one: Action,
  other: Action,
): { answers: [string, string]; ending: Ending } | undefined {
  for (const { pairs, refused = 'ok', ending } of exceptions) {
    for (const [first, second] of pairs) {
      if (first === one && second === other) return { answers: [refused, 'ok'], ending };
      if (first === other && second === one) return { answers: ['ok', refused], ending };
    }
  }
  return undefined;
}

/** The pairs of actions, on an order in a state, of which one interrupts the other. */
export function pairsIn(state: State): { one: Action; other: Action }[] {
  const together: readonly Action[] = races[state];
  const pairs = together.flatMap((one) => together.map((other) => ({ one, other })));
  return pairs.filter(({ one, other }) => {
    // Two concurrent cancellations are tested on a paid order only.
    if (one === 'cancel event' && other === one) return state === 'paid';
    return state !== 'burnable' || [one, other].includes('burn');
  });
}

/** Actions of two steps, between which other actions may happen. */
export const begun = ['refund', 'mint', 'burn', 'pay out'] as const satisfies readonly Action[];
export type Begun = (typeof begun)[number];

/** The row for two actions in this order. */
export function rowOf(first: Action, then: Action): Row {
  const rows = meetings.filter((meeting) => meeting.first.includes(first)).flatMap(({ rows }) => rows);
  const found = rows.filter((row) => row.second.includes(then));
  if (found.length !== 1) throw new Error(`${found.length} rows for ${first}, then ${then}`);
  return found[0] as Row;
}

/** The tables as docs/meetings.md shows them. */
export function documentTables(): string {
  const tables = meetings.map(({ first, rows }) =>
    [
      `### First: ${first.join(', ')}`,
      '',
      '| then | answer | what happens |',
      '|---|---|---|',
      ...rows.map(
        ({ second, refused, says }) =>
          `| ${second.join(', ')} | ${refused ? `\`${refused}\`` : ''} | ${says} |`,
      ),
    ].join('\n'),
  );
  return tables.join('\n\n');
}

/** The table of exceptions as docs/meetings.md shows it. */
export function documentExceptions(): string {
  return [
    '| at once | what else may happen |',
    '|---|---|',
    ...exceptions.map(
      ({ pairs, says }) => `| ${pairs.map((pair) => pair.join(' and ')).join('; ')} | ${says} |`,
    ),
  ].join('\n');
}
