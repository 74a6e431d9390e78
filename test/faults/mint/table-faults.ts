import type { Answer, Call, Fault } from '../../support/fault-proxy.ts';

/** Faults between a worker and the table. */

/** Returns whether a call is the transaction that claims a nonce for orders. */
export function isNonceClaim({ target, method, body }: Call): boolean {
  if (target !== 'table' || method !== 'TransactWriteItems') return false;
  return body.TransactItems.some(({ Put }: Call['body']) => Put?.Item.sk.S.startsWith('NONCE#'));
}

/** Returns whether a call stores a further attempt of a nonce. */
export function isAttemptAppend({ target, method, body }: Call): boolean {
  if (target !== 'table' || method !== 'TransactWriteItems') return false;
  return body.TransactItems.some(({ Put }: Call['body']) => Put?.Item.sk.S.startsWith('ATTEMPT#'));
}

export function isTicketPut({ target, method, body }: Call): boolean {
  return target === 'table' && method === 'PutItem' && body.Item.sk.S.startsWith('TICKET#');
}

const dynamoError = (type: string, fields = {}): Answer => ({
  status: 400,
  body: { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: type, ...fields },
});

/** DynamoDB's answer when another transaction is writing the same items. */
export function transactionConflict({ body }: Call): Answer {
  const CancellationReasons = body.TransactItems.map(() => ({ Code: 'TransactionConflict' }));
  return dynamoError('TransactionCanceledException', { CancellationReasons });
}

export const throttlingError = () => dynamoError('ProvisionedThroughputExceededException');

/** Applies a fault to the first `times` matching calls only. @returns the fault with the number of remaining calls */
export function onFirst(
  matches: (call: Call) => boolean,
  fault: Fault,
  times = 1,
): Fault & { remaining: number } {
  const intercept: Fault = (call, forward) => {
    if (limitedFault.remaining === 0 || !matches(call)) return forward();
    limitedFault.remaining--;
    return fault(call, forward);
  };
  const limitedFault = Object.assign(intercept, { remaining: times });
  return limitedFault;
}
