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
 * How long things take on AWS, in milliseconds. Not measured, since nothing here runs there: typical values, to be
 * replaced by a stage's own. They decide about a tenth of what an order costs.
 */
export const assumed = {
  /** One request to the table or a queue, from a function in the same region. */
  request: 7,
  transaction: 15,
  /** The payment provider's answer, when a payment is begun and when a webhook asks it back. */
  provider: 250,
  /** All that a call of the minter asks of the chain, one question after the other. */
  chain: 250,
  /** Computing per call or message, by a whole core (which a function gets at 1,769 MB). */
  processor: 4,
};

/** The share of calls that X-Ray takes a trace of. */
export const traced = 0.05;

export const wholeCoreMegabytes = 1_769;
