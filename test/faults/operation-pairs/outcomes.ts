/**
 * The outcome of every two actions on one order, in both sequences. docs/operation-pairs.md explains the actions and shows
 * these tables. Every pair of actions has a test.
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

/** The final state of an order of tickets for 100 dollars, once no work is due. The buyer pays the fee in addition. */
export interface Outcome {
  paymentStatus: 'COMPLETED' | 'FAILED';
  /** Whether its tickets are reserved in the inventory. */
  holdsInventory: boolean;
  /** The state of the buyer's payment. */
  money: 'not paid' | 'paid' | 'returned';
  /** The organizer's balance in each account, in dollars. */
  available: number;
  pending: number;
  paidOut: number;
  /** The number of tokens in the buyer's wallet. */
  tokens: number;
  /** The number of admitted seats. */
  admitted: number;
}

const zeros = { available: 0, pending: 0, paidOut: 0, tokens: 0, admitted: 0 };
const failed: Outcome = { ...zeros, paymentStatus: 'FAILED', holdsInventory: false, money: 'not paid' };
const sold: Outcome = {
  ...zeros,
  paymentStatus: 'COMPLETED',
  holdsInventory: true,
  money: 'paid',
  available: 100,
  tokens: 2,
};
const refunded: Outcome = { ...zeros, paymentStatus: 'COMPLETED', holdsInventory: false, money: 'returned' };
const paidOut = { available: 0, paidOut: 100 };
const refundedAfterPayout = { available: -100, paidOut: 100 };
const oneAdmitted = { admitted: 1 };

/** Second actions that have the same outcome. */
export interface Row {
  second: readonly Action[];
  /** The error code that the caller of the second action gets; absent if the action succeeds or does nothing. */
  errorCode?: string;
  outcome: Outcome;
  description: string;
}

/** First actions that have the same outcome for each second action. */
export interface Table {
  first: readonly Action[];
  rows: readonly Row[];
}

const refusedCancellation = { second: ['cancel order'], errorCode: 'not-pending' } as const;
const paymentReports = ['expire', 'fail', 'settle', 'late settle'] as const;

export const tables: readonly Table[] = [
  {
    first: ['cancel event'],
    rows: [
      {
        second: ['cancel event'],
        outcome: refunded,
        description: 'The event stays cancelled. A paid order is refunded once.',
      },
      {
        ...refusedCancellation,
        outcome: failed,
        description: 'The order has failed because the event is cancelled.',
      },
      {
        second: ['expire', 'fail'],
        outcome: failed,
        description: 'The order has failed because the event is cancelled.',
      },
      {
        second: ['settle', 'late settle'],
        outcome: refunded,
        description:
          'The payment is recorded and refunded in full. The order holds no seat, and the organizer is not credited.',
      },
      { second: ['refund'], outcome: refunded, description: 'The refund is due already, and is sent once.' },
      {
        second: ['check in'],
        errorCode: 'event-cancelled',
        outcome: refunded,
        description: 'Nobody is admitted.',
      },
      { second: ['mint'], outcome: refunded, description: 'Nothing is minted.' },
      { second: ['burn'], outcome: refunded, description: 'Tokens that were minted before are burned.' },
      {
        second: ['pay out'],
        errorCode: 'insufficient-balance',
        outcome: refunded,
        description: 'The refunds have used up the balance.',
      },
    ],
  },
  {
    first: ['cancel order', 'expire', 'fail'],
    rows: [
      {
        second: ['cancel event', 'expire', 'fail'],
        outcome: failed,
        description: 'The order has failed, and its seats are free.',
      },
      {
        ...refusedCancellation,
        outcome: failed,
        description: 'The order has failed, and its seats are free.',
      },
      {
        second: ['settle', 'late settle'],
        outcome: sold,
        description:
          'The payment completes the order, and its seats are reserved again. If none are left, the order is refunded.',
      },
      {
        second: ['refund'],
        errorCode: 'not-paid',
        outcome: failed,
        description: 'There is nothing to refund.',
      },
      { second: ['check in'], errorCode: 'not-paid', outcome: failed, description: 'Nobody is admitted.' },
      { second: ['mint', 'burn'], outcome: failed, description: 'There is nothing to mint or to burn.' },
      {
        second: ['pay out'],
        errorCode: 'insufficient-balance',
        outcome: failed,
        description: 'The organizer earned nothing.',
      },
    ],
  },
  {
    first: ['settle', 'late settle'],
    rows: [
      { second: ['cancel event'], outcome: refunded, description: 'The order is refunded in full.' },
      { ...refusedCancellation, outcome: sold, description: 'A paid order can’t be cancelled.' },
      { second: ['expire', 'fail'], outcome: sold, description: 'The order stays paid.' },
      {
        second: ['settle', 'late settle'],
        outcome: sold,
        description: 'The order is posted to the ledger only once, and its buyer is notified only once.',
      },
      {
        second: ['refund'],
        outcome: refunded,
        description: 'The buyer is refunded, and the organizer’s credit is reversed.',
      },
      {
        second: ['check in'],
        outcome: { ...sold, ...oneAdmitted },
        description: 'The seat is admitted, also before it is minted.',
      },
      { second: ['mint'], outcome: sold, description: 'The tickets are minted.' },
      {
        second: ['burn'],
        outcome: sold,
        description: 'There is nothing to burn: the order still holds its seats.',
      },
      {
        second: ['pay out'],
        outcome: { ...sold, ...paidOut },
        description: 'The organizer’s share is paid out, without the fee.',
      },
    ],
  },
  {
    first: ['refund'],
    rows: [
      { second: ['cancel event', 'refund'], outcome: refunded, description: 'The order is refunded once.' },
      {
        ...refusedCancellation,
        outcome: refunded,
        description: 'A paid order can’t be cancelled, refunded or not.',
      },
      {
        second: paymentReports,
        outcome: refunded,
        description: 'A late or repeated report changes nothing.',
      },
      { second: ['check in'], errorCode: 'refunded', outcome: refunded, description: 'Nobody is admitted.' },
      {
        second: ['mint'],
        outcome: refunded,
        description: 'Nothing is minted. Tokens of a mint that was already sent are burned.',
      },
      { second: ['burn'], outcome: refunded, description: 'Tokens that were minted before are burned.' },
      {
        second: ['pay out'],
        errorCode: 'insufficient-balance',
        outcome: refunded,
        description: 'The refund has used up the balance.',
      },
    ],
  },
  {
    first: ['check in'],
    rows: [
      {
        second: ['cancel event'],
        outcome: { ...refunded, ...oneAdmitted },
        description: 'The order is refunded although somebody was admitted: the event did not take place.',
      },
      {
        ...refusedCancellation,
        outcome: { ...sold, ...oneAdmitted },
        description: 'A paid order can’t be cancelled.',
      },
      {
        second: paymentReports,
        outcome: { ...sold, ...oneAdmitted },
        description: 'A late or repeated report changes nothing.',
      },
      {
        second: ['refund'],
        errorCode: 'admitted',
        outcome: { ...sold, ...oneAdmitted },
        description: 'An order with an admitted seat is not refunded.',
      },
      {
        second: ['check in'],
        errorCode: 'already-checked-in',
        outcome: { ...sold, ...oneAdmitted },
        description: 'A seat is admitted once.',
      },
      { second: ['mint'], outcome: { ...sold, ...oneAdmitted }, description: 'The tickets are minted.' },
      {
        second: ['burn'],
        outcome: { ...sold, ...oneAdmitted },
        description: 'There is nothing to burn: the order still holds its seats.',
      },
      {
        second: ['pay out'],
        outcome: { ...sold, ...paidOut, ...oneAdmitted },
        description: 'The organizer’s share is paid out.',
      },
    ],
  },
  {
    first: ['mint'],
    rows: [
      {
        second: ['cancel event', 'refund'],
        outcome: refunded,
        description: 'The order is refunded, and the tokens are burned.',
      },
      { ...refusedCancellation, outcome: sold, description: 'A paid order can’t be cancelled.' },
      { second: paymentReports, outcome: sold, description: 'A late or repeated report changes nothing.' },
      { second: ['check in'], outcome: { ...sold, ...oneAdmitted }, description: 'The seat is admitted.' },
      { second: ['mint'], outcome: sold, description: 'The tickets are minted once.' },
      {
        second: ['burn'],
        outcome: sold,
        description: 'There is nothing to burn: the order still holds its seats.',
      },
      {
        second: ['pay out'],
        outcome: { ...sold, ...paidOut },
        description: 'The organizer’s share is paid out.',
      },
    ],
  },
  {
    first: ['burn'],
    rows: [
      { second: ['cancel event', 'refund'], outcome: refunded, description: 'The order is refunded once.' },
      {
        ...refusedCancellation,
        outcome: refunded,
        description: 'A paid order can’t be cancelled, refunded or not.',
      },
      {
        second: paymentReports,
        outcome: refunded,
        description: 'A late or repeated report changes nothing.',
      },
      { second: ['check in'], errorCode: 'refunded', outcome: refunded, description: 'Nobody is admitted.' },
      { second: ['mint'], outcome: refunded, description: 'Nothing is minted again.' },
      { second: ['burn'], outcome: refunded, description: 'The tokens are burned once.' },
      {
        second: ['pay out'],
        errorCode: 'insufficient-balance',
        outcome: refunded,
        description: 'The refund has used up the balance.',
      },
    ],
  },
  {
    first: ['pay out'],
    rows: [
      {
        second: ['cancel event'],
        outcome: { ...refunded, ...refundedAfterPayout },
        description: 'The order is refunded. The organizer’s balance is negative until later sales cover it.',
      },
      {
        second: ['refund'],
        errorCode: 'insufficient-funds',
        outcome: { ...sold, ...paidOut },
        description:
          'The organizer’s balance does not cover the refund. An administrator can refund the order.',
      },
      {
        ...refusedCancellation,
        outcome: { ...sold, ...paidOut },
        description: 'A paid order can’t be cancelled.',
      },
      {
        second: paymentReports,
        outcome: { ...sold, ...paidOut },
        description: 'A late or repeated report changes nothing.',
      },
      {
        second: ['check in'],
        outcome: { ...sold, ...paidOut, ...oneAdmitted },
        description: 'The seat is admitted.',
      },
      { second: ['mint'], outcome: { ...sold, ...paidOut }, description: 'The tickets are minted.' },
      {
        second: ['burn'],
        outcome: { ...sold, ...paidOut },
        description: 'There is nothing to burn: the order still holds its seats.',
      },
      {
        second: ['pay out'],
        errorCode: 'insufficient-balance',
        outcome: { ...sold, ...paidOut },
        description: 'The balance is paid out once.',
      },
    ],
  },
];

/** The actions that run concurrently, by the state of the order. A `burnable` order was refunded after it was minted. */
export const concurrentActions = {
  unpaid: ['cancel event', 'cancel order', 'expire', 'fail', 'settle'],
  failed: ['cancel event', 'late settle', 'expire'],
  paid: ['cancel event', 'settle', 'refund', 'check in', 'mint', 'pay out'],
  burnable: ['cancel event', 'refund', 'check in', 'mint', 'burn', 'pay out'],
} as const satisfies Record<string, readonly Action[]>;
export type OrderState = keyof typeof concurrentActions;

/** An outcome that two actions have only when they are concurrent. */
interface ConcurrentOutcome {
  pairs: readonly (readonly [Action, Action])[];
  /** The error code that the caller of the first action gets; absent if it succeeds. The second action succeeds. */
  errorCode?: string;
  outcome: Outcome;
  description: string;
}

export const concurrentOutcomes: readonly ConcurrentOutcome[] = [
  {
    pairs: [['cancel order', 'cancel order']],
    outcome: failed,
    description: 'Both calls succeed.',
  },
  {
    pairs: [['check in', 'cancel event']],
    errorCode: 'refunded',
    outcome: refunded,
    description:
      'The check-in is refused with `refunded` if the refund begins after the check-in has read the event.',
  },
  {
    pairs: [['pay out', 'cancel event']],
    outcome: { ...refunded, available: -100, pending: 100 },
    description: 'A payout that was requested but not sent waits until later sales cover the refund.',
  },
];

/** Returns the outcome that two actions have only when they are concurrent, undefined when there is none. */
export function findConcurrentOutcome(
  one: Action,
  other: Action,
): { answers: [string, string]; outcome: Outcome } | undefined {
  for (const { pairs, errorCode = 'ok', outcome } of concurrentOutcomes) {
    for (const [first, second] of pairs) {
      if (first === one && second === other) return { answers: [errorCode, 'ok'], outcome };
      if (first === other && second === one) return { answers: ['ok', errorCode], outcome };
    }
  }
  return undefined;
}

/** Actions of two steps. Other actions may happen between the steps. */
export const twoStepActions = ['refund', 'mint', 'burn', 'pay out'] as const satisfies readonly Action[];
export type TwoStepAction = (typeof twoStepActions)[number];

/** Returns the row for two actions in this sequence. @throws Error unless there is exactly one */
export function getRow(first: Action, second: Action): Row {
  const rows = tables.filter((table) => table.first.includes(first)).flatMap(({ rows }) => rows);
  const matches = rows.filter((row) => row.second.includes(second));
  if (matches.length !== 1) throw new Error(`${matches.length} rows for ${first}, then ${second}`);
  return matches[0] as Row;
}

/** The tables as docs/operation-pairs.md shows them. */
export function toMarkdownTables(): string {
  const markdown = tables.map(({ first, rows }) =>
    [
      `### First: ${first.join(', ')}`,
      '',
      '| then | answer | what happens |',
      '|---|---|---|',
      ...rows.map(
        ({ second, errorCode, description }) =>
          `| ${second.join(', ')} | ${errorCode ? `\`${errorCode}\`` : ''} | ${description} |`,
      ),
    ].join('\n'),
  );
  return markdown.join('\n\n');
}

/** The table of concurrent outcomes as docs/operation-pairs.md shows it. */
export function toConcurrentMarkdownTable(): string {
  return [
    '| at once | what else may happen |',
    '|---|---|',
    ...concurrentOutcomes.map(
      ({ pairs, description }) =>
        `| ${pairs.map((pair) => pair.join(' and ')).join('; ')} | ${description} |`,
    ),
  ].join('\n');
}
