/**
 * The shape of the one table: names only, no SDK, so that the CDK stack, the local stack and the code share it.
 * Every index holds keys alone: an item that is listed is read from the table itself, so lists are never stale,
 * nothing a caller may not see is copied, and a change of an item costs no index write.
 */
export const table = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Epoch seconds after which DynamoDB may delete the item; readers compare with the clock as well. */
  timeToLive: 'ttl',
  indexes: [
    /** What belongs to one user: orders, organized events, payouts. */
    { name: 'byOwner', partitionKey: 'ownerPk', sortKey: 'ownerSk' },
    /** What belongs to one event, and the public list of events. */
    { name: 'byEvent', partitionKey: 'eventPk', sortKey: 'eventSk' },
    /** Sparse: only what the sweep has to look at, sorted by when. */
    { name: 'byDue', partitionKey: 'duePk', sortKey: 'dueAt' },
  ],
} as const;

export type IndexName = (typeof table.indexes)[number]['name'];
