import { Transaction } from 'ethers/transaction';
import { readSigned } from '../../../shared/chain/transactions.ts';
import type { Answer, Fault } from '../../support/fault-proxy.ts';
import type { Node } from './node.ts';

/** What goes wrong between us and the nodes. Each is added to a world and taken away again. */

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

/** The node takes the transaction, and we never hear of it. */
export const acceptThenDrop: Fault = on('eth_sendRawTransaction', async (_call, forward) => {
  await forward();
  return 'drop';
});

/** The node says that it took the transaction, and forgets it. */
export const forget: Fault = on('eth_sendRawTransaction', async ({ body }) =>
  result(readSigned(body.params[0]).hash),
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
 * As geth: what replaces a pending transaction of the same nonce must offer a tenth more of both fees. What is
 * pending is kept here, since anvil throws out what offers less than the base fee, and geth does not.
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
