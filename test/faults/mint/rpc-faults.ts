import { Transaction } from 'ethers/transaction';
import { decodeTransaction } from '../../../shared/chain/transactions.ts';
import type { Answer, Fault } from '../../support/fault-proxy.ts';
import type { Node } from './node.ts';

/** Faults between a worker and the nodes. A test adds each to a world and removes it again. */

export const result = (value: unknown): Answer => ({
  status: 200,
  body: { jsonrpc: '2.0', id: 1, result: value },
});

export const failure = (message: string): Answer => ({
  status: 200,
  body: { jsonrpc: '2.0', id: 1, error: { code: -32000, message } },
});

export const isChain = (target: string) => target !== 'table';

/** Applies a fault to calls of one method only. */
export function on(method: string, fault: Fault): Fault {
  return (call, forward) => (call.method === method ? fault(call, forward) : forward());
}

export const down: Fault = async ({ target }, forward) => (isChain(target) ? 'drop' : forward());

/** The node accepts the transaction, but its answer is lost. */
export const acceptThenDrop: Fault = on('eth_sendRawTransaction', async (_call, forward) => {
  await forward();
  return 'drop';
});

/** The node acknowledges the transaction and drops it. */
export const forget: Fault = on('eth_sendRawTransaction', async ({ body }) =>
  result(decodeTransaction(body.params[0]).hash),
);

export const receiptsMissing: Fault = on('eth_getTransactionReceipt', async () => result(null));

export function nonceOff(by: number): Fault {
  return on('eth_getTransactionCount', async (_call, forward) => {
    const answer = await forward();
    if (answer === 'drop') return answer;
    return result(`0x${Math.max(0, Number(answer.body.result) + by).toString(16)}`);
  });
}

/**
 * Geth's rule: a replacement of a pending transaction must offer a tenth more of both fees. Pending transactions are
 * kept here, since anvil, unlike geth, drops those that offer less than the base fee.
 */
export function demandTenPercent(node: Node): Fault & { refused: number; replaced: number } {
  const pending = new Map<string, Transaction>();
  let reorganisations = 0;
  const fault = on('eth_sendRawTransaction', async ({ target, body }, forward) => {
    if (reorganisations !== node.reorganisations) pending.clear();
    reorganisations = node.reorganisations;
    const sent = Transaction.from(body.params[0]);
    const place = `${target} ${sent.from} ${sent.nonce}`;
    const isUsed = Number(await node.call('eth_getTransactionCount', sent.from, 'latest')) > sent.nonce;
    const before = isUsed ? undefined : pending.get(place);
    if (before && before.hash !== sent.hash) {
      if (!isTenthMore(before, sent)) {
        counted.refused++;
        return failure('replacement transaction underpriced');
      }
      counted.replaced++;
    }
    pending.set(place, sent);
    return forward();
  });
  const counted = Object.assign(fault, { refused: 0, replaced: 0 });
  return counted;
}

function isTenthMore(before: Transaction, after: Transaction): boolean {
  const pairs = [
    [before.maxFeePerGas, after.maxFeePerGas],
    [before.maxPriorityFeePerGas, after.maxPriorityFeePerGas],
  ];
  return pairs.every(([old, offer]) => (offer ?? 0n) * 10n >= (old ?? 0n) * 11n);
}
