/**
 * All keys of the table, and its access patterns.
 *
 * | what is read                          | by                                                       |
 * |---------------------------------------|----------------------------------------------------------|
 * | a user by e-mail (login)              | credential(email), then user(id)                         |
 * | a user's sessions                     | partition of user(id), prefix SESSION#                   |
 * | the removal of a person's data         | erasure(user)                                            |
 * | an event with its tiers               | event(id)                                                |
 * | the descriptions of an event          | eventTexts(id), only where they are shown                |
 * | the staff of an event                | staff(event, user); its event's: the partition, prefix STAFF# |
 * | the events a user works at            | byOwner: staffEvents(id)                                 |
 * | an event's codes, by their text       | partition of code(event), prefix CODE#                   |
 * | public events, soonest first          | byEvent: publicEvents, sorted by date                    |
 * | an organizer's events, newest first   | byOwner: organizerEvents(id)                             |
 * | free tickets of a tier or an event    | stock(event, pool, shard), one item per shard            |
 * | a buyer's counters for an event       | buyer(event, user)                                       |
 * | an order by id or payment reference   | order(id): the id is derived from the reference          |
 * | how many crypto orders of a user are open | openCrypto(user)                           |
 * | a user's orders, newest first         | byOwner: userOrders(id)                                  |
 * | the seats of others' orders that a user holds | byOwner: userSeats(id)                           |
 * | an event's orders, newest first       | byEvent: eventOrders(id)                                 |
 * | a user's tickets, or those of an order| partition of user(id), prefix TICKET#, TICKET#<order>    |
 * | a user's notifications, newest first  | partition of user(id), prefix NOTIFICATION#              |
 * | an organizer's balances and entries   | partition of ledger(id), prefix BALANCE# or ENTRY#       |
 * | an event's part of the account upcoming   | upcoming(organizer, event, currency)                 |
 * | a payout by id (its reference)        | payout(id)                                               |
 * | an organizer's payouts, newest first  | byOwner: organizerPayouts(id)                            |
 * | a seat to which something has happened | seat(order, number); its order's: the partition           |
 * | how many an event has admitted        | admitted(event, 0..admissionShards-1)                    |
 * | who an event admitted, newest first   | byEvent: eventCheckIns(id)                               |
 * | a signer's next nonce                 | lane(chain, signer)                                      |
 * | the transactions of a lane, by nonce  | partition of lane(chain, signer), prefix NONCE#          |
 * | the later attempts of a nonce         | attempt(chain, signer, nonce, 1..), counted by the nonce |
 * | the burning of an order's tokens      | burn(id), see tickets/burning/burn.ts                    |
 * | the order a chain payment belongs to  | chainPayment(chain, hash)                                |
 * | the progress of work on an event's orders | eventJob(event, kind)                       |
 * | the failures of a provider            | breaker(provider)                                        |
 * | due work                              | byDue: due(0..dueShards-1), up to now                    |
 * | the account that a wallet is linked to | wallet(address)                                          |
 * | whether a signed challenge was used   | challenge(nonce)                                         |
 * | the user that a mailed link is for     | mailLink(kind, hash of its token)                        |
 * | an organizer bound to a contract       | contractBinding(chain, address, organizer)               |
 * | a contract as the chain showed it last | observedContract(chain, address)                         |
 * | the order that a token belongs to      | tokenRange(chain, contract, the order's first token id)  |
 * | an idempotent call                    | idempotency(user, key)                                   |
 * | attempts in the current window        | attempts(what, who)                                      |
 * | recorded changes, newest first        | byOwner: audit; those of an event: byEvent: eventAudit(id) |
 * | a mail in the outbox                  | mail(id): the id says what it is about                   |
 */
/**
 * The version of the items' attributes; an item without one has version 1. A change that gives an
 * attribute a default for items without it raises the version. `npm run backfill` then writes the default to these items
 * (infra/operator/backfill.ts).
 */
export const schemaVersion = 2;

export interface Key {
  pk: string;
  sk: string;
}

const toKey = (pk: string, sk: string): Key => ({ pk, sk });

export const keys = {
  user: (id: string) => toKey(`USER#${id}`, 'PROFILE'),
  credential: (email: string) => toKey(`EMAIL#${email}`, 'CREDENTIAL'),
  session: (userId: string, sessionId: string) => toKey(`USER#${userId}`, `SESSION#${sessionId}`),
  ticket: (userId: string, ticketId: string) => toKey(`USER#${userId}`, `TICKET#${ticketId}`),
  erasure: (userId: string) => toKey(`USER#${userId}`, 'ERASURE'),
  notification: (userId: string, id: string) => toKey(`USER#${userId}`, `NOTIFICATION#${id}`),

  event: (id: string) => toKey(`EVENT#${id}`, 'EVENT'),
  eventTexts: (id: string) => toKey(`EVENT#${id}`, 'TEXTS'),
  staff: (eventId: string, userId: string) => toKey(`EVENT#${eventId}`, `STAFF#${userId}`),
  stock: (eventId: string, pool: string, shard: number) =>
    toKey(`STOCK#${eventId}#${pool}#${shard}`, 'STOCK'),
  buyer: (eventId: string, userId: string) => toKey(`BUYER#${eventId}#${userId}`, 'BUYER'),

  // Not in the event's partition, so that counting the uses of codes does not slow down reads of the event.
  code: (eventId: string, code: string) => toKey(`CODES#${eventId}`, `CODE#${code}`),

  openCrypto: (userId: string) => toKey(`USER#${userId}`, 'OPEN_CRYPTO'),
  eventJob: (eventId: string, kind: string) => toKey(`EVENT#${eventId}`, `JOB#${kind}`),

  order: (id: string) => toKey(`ORDER#${id}`, 'ORDER'),
  idempotency: (userId: string, key: string) => toKey(`IDEMPOTENCY#${userId}#${key}`, 'IDEMPOTENCY'),
  wallet: (address: string) => toKey(`WALLET#${address}`, 'WALLET'),
  challenge: (nonce: string) => toKey(`CHALLENGE#${nonce}`, 'CHALLENGE'),
  mailLink: (kind: string, tokenHash: string) => toKey(`MAIL_LINK#${kind}#${tokenHash}`, 'MAIL_LINK'),
  contractBinding: (chainId: number, address: string, organizerId: string) =>
    toKey(`CONTRACT#${chainId}#${address}`, `ORGANIZER#${organizerId}`),
  observedContract: (chainId: number, address: string) => toKey(`CONTRACT#${chainId}#${address}`, 'OBSERVED'),
  tokenRange: (chainId: number, contract: string, firstTokenId: bigint) =>
    toKey(`TOKENS#${chainId}#${contract}#${firstTokenId.toString(16)}`, 'TOKENS'),
  attempts: (action: string, subject: string) => toKey(`ATTEMPTS#${action}#${subject}`, 'ATTEMPTS'),

  audit: (id: string) => toKey(`AUDIT#${id}`, 'AUDIT'),

  mail: (id: string) => toKey(`MAIL#${id}`, 'MAIL'),

  breaker: (provider: string) => toKey(`BREAKER#${provider}`, 'BREAKER'),

  ledgerEntry: (organizerId: string, id: string) => toKey(`LEDGER#${organizerId}`, `ENTRY#${id}`),
  balance: (organizerId: string, currency: string) => toKey(`LEDGER#${organizerId}`, `BALANCE#${currency}`),
  upcoming: (organizerId: string, eventId: string, currency: string) =>
    toKey(`LEDGER#${organizerId}`, `UPCOMING#${eventId}#${currency}`),
  payout: (id: string) => toKey(`PAYOUT#${id}`, 'PAYOUT'),

  // The prefix dates from when a seat item only recorded a check-in.
  seat: (orderId: string, number: number) =>
    toKey(`CHECKIN#${orderId}`, `SEAT#${String(number).padStart(8, '0')}`),

  admitted: (eventId: string, shard: number) => toKey(`ADMITTED#${eventId}#${shard}`, 'ADMITTED'),

  lane: (chainId: number, signer: string) => toKey(`LANE#${chainId}#${signer}`, 'LANE'),
  mintTransaction: (chainId: number, signer: string, nonce: number) =>
    toKey(`LANE#${chainId}#${signer}`, `NONCE#${String(nonce).padStart(12, '0')}`),
  attempt: (chainId: number, signer: string, nonce: number, index: number) =>
    toKey(`LANE#${chainId}#${signer}`, `ATTEMPT#${String(nonce).padStart(12, '0')}#${index}`),
  burn: (id: string) => toKey(`BURN#${id}`, 'BURN'),
  chainPayment: (chainId: number, hash: string) => toKey(`CHAIN_PAYMENT#${chainId}#${hash}`, 'CHAIN_PAYMENT'),
};

/** Partitions of the indexes. */
export const partitions = {
  publicEvents: 'PUBLIC_EVENTS',
  organizerEvents: (userId: string) => `USER#${userId}#EVENTS`,
  staffEvents: (userId: string) => `USER#${userId}#STAFF`,
  userSeats: (userId: string) => `USER#${userId}#SEATS`,
  userOrders: (userId: string) => `USER#${userId}#ORDERS`,
  eventOrders: (eventId: string) => `EVENT#${eventId}#ORDERS`,
  eventCheckIns: (eventId: string) => `EVENT#${eventId}#CHECKINS`,
  organizerPayouts: (userId: string) => `USER#${userId}#PAYOUTS`,
  audit: 'AUDIT',
  eventAudit: (eventId: string) => `EVENT#${eventId}#AUDIT`,
  due: (shard: number) => `DUE#${shard}`,
};

/** The number of partitions of due work. A partition accepts about 1,000 writes a second. */
export const dueShards = 8;

/** The number of items that count an event's admissions, so that concurrent check-ins rarely conflict. */
export const admissionShards = 8;

/** Returns the index attributes of an item that is due for the sweep from `at` (epoch milliseconds) on. */
export function dueAt(id: string, at: number): { duePk: string; dueAt: string } {
  const shard = id.charCodeAt(id.length - 1) % dueShards;
  return { duePk: partitions.due(shard), dueAt: new Date(at).toISOString() };
}

/**
 * The schema of the table. It contains names only and no SDK, so that the CDK stack, the local stack and the code share
 * it. Indexes project keys only, and lists read the items from the table. So lists contain current items, indexes copy
 * no private data, and a change of other attributes costs no index write.
 */
export const table = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Epoch seconds after which DynamoDB may delete the item. Deletion can take days, so readers also check the time. */
  timeToLive: 'ttl',
  indexes: [
    /** The items of a user: orders, organized events, payouts. */
    { name: 'byOwner', partitionKey: 'ownerPk', sortKey: 'ownerSk' },
    /** The items of an event, and the public list of events. */
    { name: 'byEvent', partitionKey: 'eventPk', sortKey: 'eventSk' },
    /** Sparse: only items that are due for the sweep, sorted by due time. */
    { name: 'byDue', partitionKey: 'duePk', sortKey: 'dueAt' },
  ],
} as const;

export type IndexName = (typeof table.indexes)[number]['name'];
