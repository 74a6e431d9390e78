import type { Answer, Call, Fault } from '../../support/fault-proxy.ts';

/** Faults between a worker and the table. */

/** The transaction that binds a nonce to orders. */
export function isClaim({ target, method, body }: Call): boolean {
  if (target !== 'table' || method !== 'TransactWriteItems') return false;
  return body.TransactItems.some(({ Put }: Call['body']) => Put?.Item.sk.S.startsWith('NONCE#'));
}

/** Returns the write that appends an attempt to a nonce. */
export function isAppend({ target, method, body }: Call): boolean {
  if (target !== 'table' || method !== 'TransactWriteItems') return false;
  return body.TransactItems.some(({ Put }: Call['body']) => Put?.Item.sk.S.startsWith('ATTEMPT#'));
}

export function isTicket({ target, method, body }: Call): boolean {
  return target === 'table' && method === 'PutItem' && body.Item.sk.S.startsWith('TICKET#');
}

const error = (type: string, more = {}): Answer => ({
  status: 400,
  body: { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: type, ...more },
});

/** DynamoDB's answer when another transaction is writing the same items. */
export function conflict({ body }: Call): Answer {
  const CancellationReasons = body.TransactItems.map(() => ({ Code: 'TransactionConflict' }));
  return error('TransactionCanceledException', { CancellationReasons });
}

export const throttled = () => error('ProvisionedThroughputExceededException');

/** Applies a fault to the first `times` matching calls only. */
export function first(matches: (call: Call) => boolean, fault: Fault, times = 1): Fault & { left: number } {
  const limited: Fault = (call, forward) => {
    if (counted.left === 0 || !matches(call)) return forward();
    counted.left--;
    return fault(call, forward);
  };
  const counted = Object.assign(limited, { left: times });
  return counted;
}
