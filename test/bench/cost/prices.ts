/** US dollars for a million of each, us-east-1, on demand, first tier, arm64, as of 2026-11-21. */
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
 * Assumed durations on AWS, in milliseconds. They are typical values and not measured; replace them with those of a
 * deployed stage. They determine about a tenth of an order's cost.
 */
export const assumed = {
  /** One request to the table or a queue, from a function in the same region. */
  request: 7,
  transaction: 15,
  /** A call to the payment provider, to start a payment or to confirm a webhook. */
  provider: 250,
  /** A mail handed to SES. */
  mailService: 100,
  /** All sequential calls to the chain in one call of the mint worker. */
  chain: 250,
  /** Computing per call or message, by a whole core (which a function gets at 1,769 MB). */
  processor: 4,
};

/** The share of calls that X-Ray traces. */
export const traced = 0.05;

export const wholeCoreMegabytes = 1_769;
