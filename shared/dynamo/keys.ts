import { createHash } from 'node:crypto';

/**
 * All keys of the table, and its access patterns.
 *
 * | what is read                                     | key or index partition                                                   |
 * |--------------------------------------------------|--------------------------------------------------------------------------|
 * | a user by e-mail (login)                         | credential(email), then user(id)                                         |
 * | a guest by e-mail                                | guest(e-mail hash), then user(id)                                        |
 * | a user's sessions                                | partition of user(id), prefix SESSION#                                   |
 * | the devices that a user has logged in from       | device(user, hash of name and country)                                   |
 * | a user's passkeys, TOTP secret, recovery codes   | partition of user(id), prefix FACTOR#                                    |
 * | a challenge of a passkey or a second factor      | authChallenge(its hash)                                                  |
 * | the erasure of a person                          | erasure(user)                                                            |
 * | an organizer's page; the organizer of a slug     | organizerPage(user); organizerSlug(slug)                                 |
 * | an event with its tiers                          | event(id)                                                                |
 * | the descriptions of an event                     | eventTexts(id)                                                           |
 * | a member of an event's staff                     | staff(event, e-mail hash); all: partition of event(id), prefix STAFF#    |
 * | the events an address works at                   | byOwner: staffEvents(e-mail hash)                                        |
 * | an event's codes, in alphabetical order          | partition of code(event), prefix CODE#                                   |
 * | public events, soonest first                     | byEvent: publicEvents, sorted by date                                    |
 * | an organizer's events, newest first              | byOwner: organizerEvents(id)                                             |
 * | the free tickets of a pool (a tier or an event)  | inventoryShard(event, pool, shard)                                       |
 * | the counters of a buyer's address for an event   | buyer(event, hash of the address)                                        |
 * | an order by id or payment reference              | order(id); the id is derived from the reference                          |
 * | the answers of an order                          | answers(order)                                                           |
 * | that an order has a partial refund to send       | refundTask(order)                                                        |
 * | a user's entries in waiting lists                | partition of user(id), prefix WAITLIST#                                  |
 * | who waits for a tier, or has an offer; in order  | partitions waitingList(event, tier), prefixes WAITING# and OFFERED#      |
 * | that an event has waiting lists to serve         | offerTask(event)                                                         |
 * | the orders that list seats for the waiting lists | partition of listing(event, order)                                       |
 * | a place in the queue of an event; all of them    | queuePlace(event, place); partitions queuePlaces(event)                  |
 * | the number of places that joined after the draw  | queueCounter(event)                                                      |
 * | admitted places whose order was refused          | partition of queueRefusal(event)                                         |
 * | a page of the draw of a queue                    | drawPage(event, page)                                                    |
 * | that an event has a queue to draw and to admit   | queueTask(event)                                                         |
 * | the number of a user's unpaid crypto orders      | openCrypto(user)                                                         |
 * | a user's orders, newest first                    | byOwner: userOrders(id)                                                  |
 * | the seats that were transferred to a user        | byOwner: userSeats(id)                                                   |
 * | an event's orders, newest first                  | byEvent: eventOrders(id, 0..eventOrderShards-1), merged                  |
 * | a user's tickets; those of one order             | partition of user(id), prefix TICKET#; TICKET#<order>                    |
 * | a user's notifications, newest first             | partition of user(id), prefix NOTIFICATION#                              |
 * | an organizer's balances; ledger entries          | partition of ledgerEntry(organizer), prefix BALANCE#; ENTRY#             |
 * | the last number of an organizer's invoices       | invoiceNumbers(organizer)                                                |
 * | an event's part of the ledger account `upcoming` | upcoming(organizer, event, currency)                                     |
 * | a payout by id, its first transfer's reference   | payout(id)                                                               |
 * | a bank account that payouts were requested to    | bankAccount(organizer, hash of bank and number)                          |
 * | an organizer's payouts, newest first             | byOwner: organizerPayouts(id)                                            |
 * | a seat, from its first change on                 | seat(order, number); all of an order: the partition                      |
 * | the number of an event's admissions              | admitted(event, 0..admissionShards-1)                                    |
 * | an event's check-ins, newest first               | byEvent: eventCheckIns(id)                                               |
 * | the changes of an event's seats since a time     | partitions door(event, 0..doorShards-1), sort keys from the time on      |
 * | a scan that a device made offline                | doorScan(event, id, seat)                                                |
 * | the refused ones of an event, newest first       | byEvent: eventConflicts(id)                                              |
 * | a signer account's next nonce on a chain         | signer(chain, address)                                                   |
 * | the first attempt of each nonce of an account    | mintTransaction(chain, signer, nonce); all: the partition, prefix NONCE# |
 * | the later attempts of a nonce                    | attempt(chain, signer, nonce, 1..); mintTransaction counts them          |
 * | the burning of an order's tokens                 | burn(id), see nft/burning/store.ts                                       |
 * | the order a chain payment belongs to             | chainPayment(chain, hash)                                                |
 * | the progress of work on an event's orders        | eventJob(event, kind)                                                    |
 * | the failures of a provider                       | breaker(provider)                                                        |
 * | due work, without messages                       | byDue: due(0..dueShards-1), sort keys up to now                          |
 * | mails, webhooks, and contracts to check          | byDue: dueBulk(kind, 0..dueShards-1), sort keys up to now                |
 * | deliveries to a paused or slow endpoint          | byDue: parkedDeliveries(endpoint); that there are any: parking(endpoint) |
 * | the account that a wallet is linked to           | wallet(address)                                                          |
 * | a used wallet challenge                          | challenge(nonce)                                                         |
 * | the user that a mailed link is for               | mailLink(kind, hash of its token)                                        |
 * | the binding of a contract to an organizer        | contractBinding(chain, address, organizer)                               |
 * | a contract as last read from the chain           | observedContract(chain, address)                                         |
 * | the order that a token belongs to                | tokenRange(chain, contract, the order's first token id)                  |
 * | an idempotent call                               | idempotency(user, key)                                                   |
 * | the attempts that a rate limit counts            | attempts(action, subject)                                                |
 * | the audit trail, newest first; that of an event  | byOwner: audit; byEvent: eventAudit(id)                                  |
 * | an API key by its hash; the number of a user's   | apiKey(start of the hash); apiKeyCount(user)                             |
 * | the ids of a user's API keys                     | partition of ownApiKey(user)                                             |
 * | an organizer's webhook endpoints; their number   | partition webhooks(organizer), prefix ENDPOINT#; webhookUse(organizer)   |
 * | a lease for an attempt to a slow endpoint        | webhookSlot(organizer or ALL, number)                                    |
 * | what happened, in its order                      | partition of occurrence(organizer)                                       |
 * | that of an order with a person's data in it      | byOwner: orderOccurrences(order)                                         |
 * | the deliveries to an endpoint                    | partition of delivery(endpoint)                                          |
 * | a mail in the outbox                             | mail(id)                                                                 |
 */

export interface Key {
  pk: string;
  sk: string;
}

const toKey = (pk: string, sk: string): Key => ({ pk, sk });

export const keys = {
  user: (id: string) => toKey(`USER#${id}`, 'PROFILE'),
  credential: (email: string) => toKey(`EMAIL#${email}`, 'CREDENTIAL'),
  guest: (emailHash: string) => toKey(`GUEST#${emailHash}`, 'GUEST'),
  session: (userId: string, sessionId: string) => toKey(`USER#${userId}`, `SESSION#${sessionId}`),
  device: (userId: string, deviceHash: string) => toKey(`USER#${userId}`, `DEVICE#${deviceHash}`),
  passkey: (userId: string, credentialId: string) =>
    toKey(`USER#${userId}`, `FACTOR#PASSKEY#${credentialId}`),
  totp: (userId: string) => toKey(`USER#${userId}`, 'FACTOR#TOTP'),
  recoveryCode: (userId: string, codeHash: string) => toKey(`USER#${userId}`, `FACTOR#RECOVERY#${codeHash}`),
  ticket: (userId: string, ticketId: string) => toKey(`USER#${userId}`, `TICKET#${ticketId}`),
  erasure: (userId: string) => toKey(`USER#${userId}`, 'ERASURE'),
  notification: (userId: string, id: string) => toKey(`USER#${userId}`, `NOTIFICATION#${id}`),

  organizerPage: (userId: string) => toKey(`USER#${userId}`, 'PAGE'),
  organizerSlug: (slug: string) => toKey(`SLUG#${slug}`, 'SLUG'),

  event: (id: string) => toKey(`EVENT#${id}`, 'EVENT'),
  eventTexts: (id: string) => toKey(`EVENT#${id}`, 'TEXTS'),
  staff: (eventId: string, emailHash: string) => toKey(`EVENT#${eventId}`, `STAFF#${emailHash}`),
  inventoryShard: (eventId: string, pool: string, shard: number) =>
    toKey(`INVENTORY#${eventId}#${pool}#${shard}`, 'INVENTORY'),
  buyer: (eventId: string, addressHash: string) => toKey(`BUYER#${eventId}#${addressHash}`, 'BUYER'),

  // Not in the event's partition, so counting the uses of codes does not slow down reads of the event.
  code: (eventId: string, code: string) => toKey(`CODES#${eventId}`, `CODE#${code}`),

  openCrypto: (userId: string) => toKey(`USER#${userId}`, 'OPEN_CRYPTO'),
  eventJob: (eventId: string, kind: string) => toKey(`EVENT#${eventId}`, `JOB#${kind}`),

  order: (id: string) => toKey(`ORDER#${id}`, 'ORDER'),
  answers: (orderId: string) => toKey(`ORDER#${orderId}`, 'ANSWERS'),
  refundTask: (orderId: string) => toKey(`ORDER#${orderId}`, 'REFUND'),
  /** Of the entries of one user and tier, only the last may be open; the earlier ones are kept by their ids. */
  waitingEntry: ({ userId, eventId, tierId }: { userId: string; eventId: string; tierId: string }) =>
    toKey(`USER#${userId}`, `WAITLIST#${eventId}#${tierId}`),
  formerWaitingEntry: ({
    userId,
    eventId,
    tierId,
    id,
  }: {
    userId: string;
    eventId: string;
    tierId: string;
    id: string;
  }) => toKey(`USER#${userId}`, `WAITLIST#${eventId}#${tierId}#${id}`),
  waitingPlace: (
    { eventId, tierId, id }: { eventId: string; tierId: string; id: string },
    kind: 'WAITING' | 'OFFERED',
  ) => toKey(partitions.waitingList(eventId, tierId, shardOf(id, waitingListShards)), `${kind}#${id}`),
  listing: (eventId: string, orderId: string) => toKey(partitions.listings(eventId), `LISTED#${orderId}`),
  offerTask: (eventId: string) => toKey(`EVENT#${eventId}`, 'OFFERS'),
  queuePlace: (eventId: string, placeId: string) =>
    toKey(partitions.queue(eventId, shardOf(placeId, queueShards)), `PLACE#${placeId}`),
  queueCounter: (eventId: string) => toKey(`QUEUE#${eventId}`, 'COUNTER'),
  queueRefusal: (eventId: string, placeId: string) => toKey(partitions.queueRefusals(eventId), placeId),
  drawPage: (eventId: string, page: number) => toKey(`QUEUE#${eventId}#DRAW#${page}`, 'DRAW'),
  queueTask: (eventId: string) => toKey(`EVENT#${eventId}`, 'QUEUE'),
  idempotency: (userId: string, key: string) => toKey(`IDEMPOTENCY#${userId}#${key}`, 'IDEMPOTENCY'),
  wallet: (address: string) => toKey(`WALLET#${address}`, 'WALLET'),
  challenge: (nonce: string) => toKey(`CHALLENGE#${nonce}`, 'CHALLENGE'),
  authChallenge: (textHash: string) => toKey(`AUTH_CHALLENGE#${textHash}`, 'AUTH_CHALLENGE'),
  mailLink: (kind: string, tokenHash: string) => toKey(`MAIL_LINK#${kind}#${tokenHash}`, 'MAIL_LINK'),
  contractBinding: (chainId: number, address: string, organizerId: string) =>
    toKey(`CONTRACT#${chainId}#${address}`, `ORGANIZER#${organizerId}`),
  observedContract: (chainId: number, address: string) => toKey(`CONTRACT#${chainId}#${address}`, 'OBSERVED'),
  tokenRange: (chainId: number, contract: string, firstTokenId: bigint) =>
    toKey(`TOKENS#${chainId}#${contract}#${firstTokenId.toString(16)}`, 'TOKENS'),
  attempts: (action: string, subject: string) => toKey(`ATTEMPTS#${action}#${subject}`, 'ATTEMPTS'),

  audit: (id: string) => toKey(`AUDIT#${id}`, 'AUDIT'),

  apiKey: (id: string) => toKey(`API_KEY#${id}`, 'API_KEY'),
  ownApiKey: (userId: string, id: string) => toKey(partitions.apiKeys(userId), id),
  apiKeyCount: (userId: string) => toKey(`USER#${userId}`, 'API_KEYS'),

  // The function that delivers webhooks may use no other partitions than these.
  webhookEndpoint: (organizerId: string, id: string) =>
    toKey(partitions.webhooks(organizerId), `ENDPOINT#${id}`),
  webhookUse: (organizerId: string) => toKey(partitions.webhooks(organizerId), 'USE'),
  webhookSlot: (organizerId: string, slot: number) => toKey(partitions.webhooks(organizerId), `SLOT#${slot}`),
  occurrence: (organizerId: string, id: string) => toKey(partitions.occurrences(organizerId), id),
  delivery: (endpointId: string, id: string) => toKey(partitions.deliveries(endpointId), id),
  parking: (organizerId: string, endpointId: string) =>
    toKey(partitions.webhooks(organizerId), `PARKING#${endpointId}`),

  mail: (id: string) => toKey(`MAIL#${id}`, 'MAIL'),

  breaker: (provider: string) => toKey(`BREAKER#${provider}`, 'BREAKER'),

  ledgerEntry: (organizerId: string, id: string) => toKey(`LEDGER#${organizerId}`, `ENTRY#${id}`),
  balance: (organizerId: string, currency: string) => toKey(`LEDGER#${organizerId}`, `BALANCE#${currency}`),
  invoiceNumbers: (organizerId: string) => toKey(`LEDGER#${organizerId}`, 'INVOICES'),
  upcoming: (organizerId: string, eventId: string, currency: string) =>
    toKey(`LEDGER#${organizerId}`, `UPCOMING#${eventId}#${currency}`),
  bankAccount: (organizerId: string, accountHash: string) =>
    toKey(`BANK_ACCOUNT#${organizerId}#${accountHash}`, 'BANK_ACCOUNT'),
  payout: (id: string) => toKey(`PAYOUT#${id}`, 'PAYOUT'),

  seat: (orderId: string, number: number) =>
    toKey(`SEAT#${orderId}`, `SEAT#${String(number).padStart(8, '0')}`),

  admitted: (eventId: string, shard: number) => toKey(`ADMITTED#${eventId}#${shard}`, 'ADMITTED'),
  doorChange: (
    eventId: string,
    { orderId, number, at }: { orderId: string; number?: number | undefined; at: string },
  ) => toKey(partitions.door(eventId, shardOf(orderId, doorShards)), `${at}#${orderId}#${number ?? ''}`),
  doorScan: (eventId: string, scanId: string, { orderId, number }: { orderId: string; number: number }) =>
    toKey(`SCAN#${eventId}#${scanId}`, `${orderId}#${number}`),

  signer: (chainId: number, address: string) => toKey(`SIGNER#${chainId}#${address}`, 'SIGNER'),
  mintTransaction: (chainId: number, signer: string, nonce: number) =>
    toKey(`SIGNER#${chainId}#${signer}`, `NONCE#${String(nonce).padStart(12, '0')}`),
  attempt: (chainId: number, signer: string, nonce: number, index: number) =>
    toKey(`SIGNER#${chainId}#${signer}`, `ATTEMPT#${String(nonce).padStart(12, '0')}#${index}`),
  burn: (id: string) => toKey(`BURN#${id}`, 'BURN'),
  chainPayment: (chainId: number, hash: string) => toKey(`CHAIN_PAYMENT#${chainId}#${hash}`, 'CHAIN_PAYMENT'),
};

/** Kinds of due work of which one user can have any number wait. */
export const bulkKinds = ['MAIL', 'WEBHOOK', 'CONTRACT'] as const;
type BulkKind = (typeof bulkKinds)[number];

/** Partitions of the indexes, and of the table where several functions name them. */
export const partitions = {
  publicEvents: 'PUBLIC_EVENTS',
  organizerEvents: (userId: string) => `USER#${userId}#EVENTS`,
  staffEvents: (emailHash: string) => `EMAIL#${emailHash}#STAFF`,
  userSeats: (userId: string) => `USER#${userId}#SEATS`,
  userOrders: (userId: string) => `USER#${userId}#ORDERS`,
  eventOrders: (eventId: string, shard: number) => `EVENT#${eventId}#ORDERS#${shard}`,
  eventCheckIns: (eventId: string) => `EVENT#${eventId}#CHECKINS`,
  eventConflicts: (eventId: string) => `EVENT#${eventId}#CONFLICTS`,
  door: (eventId: string, shard: number) => `DOOR#${eventId}#${shard}`,
  organizerPayouts: (userId: string) => `USER#${userId}#PAYOUTS`,
  apiKeys: (userId: string) => `USER#${userId}#API_KEYS`,
  webhooks: (organizerId: string) => `WEBHOOK#${organizerId}`,
  occurrences: (organizerId: string) => `WEBHOOK#${organizerId}#OCCURRENCES`,
  orderOccurrences: (orderId: string) => `ORDER#${orderId}#OCCURRENCES`,
  deliveries: (endpointId: string) => `WEBHOOK#${endpointId}#DELIVERIES`,
  parkedDeliveries: (endpointId: string) => `DUE_PARKED#${endpointId}`,
  audit: 'AUDIT',
  eventAudit: (eventId: string) => `EVENT#${eventId}#AUDIT`,
  due: (shard: number) => `DUE#${shard}`,
  dueBulk: (kind: BulkKind, shard: number) => `DUE_${kind}#${shard}`,
  waitingList: (eventId: string, tierId: string, shard: number) => `WAITING#${eventId}#${tierId}#${shard}`,
  listings: (eventId: string) => `LISTINGS#${eventId}`,
  queue: (eventId: string, shard: number) => `QUEUE#${eventId}#${shard}`,
  queueRefusals: (eventId: string) => `QUEUE#${eventId}#REFUSALS`,
};

/** The number of partitions of due work. A partition accepts about 1,000 writes a second. */
export const dueShards = 8;

/**
 * The number of partitions of an event's orders. A partition accepts about 1,000 writes a second, and an index that can't
 * keep up throttles writes to the table.
 */
export const eventOrderShards = 16;

/** Returns the partitions of the index with an event's orders. A list merges them. */
export function eventOrderPartitions(eventId: string): string[] {
  return Array.from({ length: eventOrderShards }, (_, shard) => partitions.eventOrders(eventId, shard));
}

/** The number of partitions of a tier's waiting list. A partition accepts about 500 people a second. */
const waitingListShards = 4;

/** Returns the partitions of a tier's waiting list. A list merges them. */
export function waitingListPartitions(eventId: string, tierId: string): string[] {
  return Array.from({ length: waitingListShards }, (_, shard) =>
    partitions.waitingList(eventId, tierId, shard),
  );
}

/** The number of partitions of a queue's places. A partition accepts about 1,000 people a second. */
const queueShards = 64;

/** Returns the partitions of the places in an event's queue. */
export function queuePartitions(eventId: string): string[] {
  return Array.from({ length: queueShards }, (_, shard) => partitions.queue(eventId, shard));
}

/** The number of partitions with the changes of an event's seats. A partition accepts about 1,000 changes a second. */
const doorShards = 4;

/** Returns the partitions of the changes of an event's seats. */
export function doorChangePartitions(eventId: string): string[] {
  return Array.from({ length: doorShards }, (_, shard) => partitions.door(eventId, shard));
}

/** Returns the partition of the index with an order. */
export function eventOrderPartition(eventId: string, orderId: string): string {
  return partitions.eventOrders(eventId, shardOf(orderId, eventOrderShards));
}

/** Spreads ids evenly over shards, of which there are at most 256. */
function shardOf(id: string, shards: number): number {
  return createHash('sha256').update(id).digest().readUInt8(0) % shards;
}

/** The number of items that count an event's admissions, so concurrent check-ins rarely conflict. */
export const admissionShards = 8;

/**
 * Returns the index attributes of an item that is due for the sweep from `at` (epoch milliseconds) on.
 * @param id the item's id, which determines its partition of the index
 */
export function dueAttributes(id: string, at: number): { duePk: string; dueAt: string } {
  return { duePk: partitions.due(shardOf(id, dueShards)), dueAt: formatDueTime(at) };
}

/**
 * Returns the index attributes of a mail, a webhook, or an event whose contract has to be checked, as `dueAttributes`. One user
 * can cause any number of them. Each kind has its own partitions. A sweep reads them after all other work, in parallel.
 */
export function bulkDueAttributes(kind: BulkKind, id: string, at: number): { duePk: string; dueAt: string } {
  return { duePk: partitions.dueBulk(kind, shardOf(id, dueShards)), dueAt: formatDueTime(at) };
}

/** Returns the index attributes of a delivery that waits for a paused or slow endpoint. The sweep reads some of them at a time. */
export function parkedAttributes(endpointId: string, until: number): { duePk: string; dueAt: string } {
  return { duePk: partitions.parkedDeliveries(endpointId), dueAt: formatDueTime(until) };
}

/** Formats a due time (epoch milliseconds), so that times sort as text. */
export const formatDueTime = (at: number): string => new Date(Math.min(at, lastTime)).toISOString();

/** Times sort as text until then. */
const lastTime = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * The schema of the table. It contains names only and no SDK, so the CDK stack, the local stack and the code share
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
