import { Transaction } from 'ethers/transaction';
import { decodeTransaction } from '../../../shared/chain/transactions.ts';
import type { Answer, Fault } from '../../support/fault-proxy.ts';
import type { Node } from './node.ts';

/** Faults between a worker and the nodes. */

export const rpcResult = (value: unknown): Answer => ({
  status: 200,
  body: { jsonrpc: '2.0', id: 1, result: value },
});

export const rpcError = (message: string): Answer => ({
  status: 200,
  body: { jsonrpc: '2.0', id: 1, error: { code: -32000, message } },
});

export const isNode = (target: string) => target !== 'table';

/** Applies a fault to calls of one method only. */
export function onMethod(method: string, fault: Fault): Fault {
  return (call, forward) => (call.method === method ? fault(call, forward) : forward());
}

export const nodesDown: Fault = async ({ target }, forward) => (isNode(target) ? 'drop' : forward());

/** The node accepts the transaction, but its answer is lost. */
export const loseSendAnswer: Fault = onMethod('eth_sendRawTransaction', async (_call, forward) => {
  await forward();
  return 'drop';
});

/** The node answers that it has accepted the transaction, but drops it. */
export const dropTransaction: Fault = onMethod('eth_sendRawTransaction', async ({ body }) =>
  rpcResult(decodeTransaction(body.params[0]).hash),
);

export const hideReceipts: Fault = onMethod('eth_getTransactionReceipt', async () => rpcResult(null));

/** The node reports a wrong transaction count. @param difference from the right one */
export function shiftNonce(difference: number): Fault {
  return onMethod('eth_getTransactionCount', async (_call, forward) => {
    const answer = await forward();
    if (answer === 'drop') return answer;
    return rpcResult(`0x${Math.max(0, Number(answer.body.result) + difference).toString(16)}`);
  });
}

/**
 * Applies geth's rule: a replacement of a pending transaction must offer 10 % more of both fees. This fault stores the
 * pending transactions itself, since anvil, unlike geth, drops those that offer less than the base fee.
 * @returns the fault with the numbers of refused and accepted replacements
 */
export function requireTenPercentMore(node: Node): Fault & { refused: number; replaced: number } {
  const pending = new Map<string, Transaction>();
  let reorganisations = 0;
  const fault = onMethod('eth_sendRawTransaction', async ({ target, body }, forward) => {
    if (reorganisations !== node.reorganisations) pending.clear();
    reorganisations = node.reorganisations;
    const sent = Transaction.from(body.params[0]);
    const key = `${target} ${sent.from} ${sent.nonce}`;
    const isUsed = Number(await node.call('eth_getTransactionCount', sent.from, 'latest')) > sent.nonce;
    const previous = isUsed ? undefined : pending.get(key);
    if (previous && previous.hash !== sent.hash) {
      if (!offersTenPercentMore(previous, sent)) {
        countingFault.refused++;
        return rpcError('replacement transaction underpriced');
      }
      countingFault.replaced++;
    }
    pending.set(key, sent);
    return forward();
  });
  const countingFault = Object.assign(fault, { refused: 0, replaced: 0 });
  return countingFault;
}

/** Returns whether both fees of a replacement are at least 10 % above the previous ones. */
export function offersTenPercentMore(previous: Transaction, replacement: Transaction): boolean {
  const pairs = [
    [previous.maxFeePerGas, replacement.maxFeePerGas],
    [previous.maxPriorityFeePerGas, replacement.maxPriorityFeePerGas],
  ];
  return pairs.every(([old, offer]) => (offer ?? 0n) * 10n >= (old ?? 0n) * 11n);
}
