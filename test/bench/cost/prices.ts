/** Prices in US dollars per million units: us-east-1, on demand, first tier, arm64, as of 2026-11-21. */
export const prices = {
  writeUnit: 0.625,
  readUnit: 0.125,
  httpRequest: 1,
  invocation: 0.2,
  gigabyteSecond: 13.3334,
  queueRequest: 0.4,
  trace: 5,
};

/**
 * Assumed durations on AWS, in milliseconds. These are typical values, not measurements: replace them with the
 * durations of a deployed stage. They determine about a tenth of an order's cost.
 */
export const assumedMilliseconds = {
  /** One request to the table or a queue, from a function in the same region. */
  request: 7,
  /** One write transaction. */
  transaction: 15,
  /** A call to the payment provider that starts a payment or confirms a webhook. */
  paymentProvider: 250,
  /** A request to SES that sends a mail. */
  mailService: 100,
  /** All calls to the chain in one invocation of the mint worker, which makes them in sequence. */
  chain: 250,
  /** CPU time of an invocation or a message on a whole core. */
  computing: 4,
};

/** The fraction of invocations that X-Ray traces. */
export const tracedShare = 0.05;

/** The memory at which Lambda gives a function a whole core. */
export const wholeCoreMegabytes = 1_769;
