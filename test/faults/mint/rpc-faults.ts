import { readSigned } from '../../../shared/chain/minter.ts';
import type { Answer, Fault } from './proxy.ts';

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

/** As geth: a replacement must offer a tenth more of both fees. */
export function demandTenPercent(): Fault & { refused: number; replaced: number } {
  const pending = new Map<number, ReturnType<typeof readSigned>>();
  const fault = on('eth_sendRawTransaction', async ({ body }, forward) => {
    const sent = readSigned(body.params[0]);
    const before = pending.get(sent.nonce);
    if (before && before.hash !== sent.hash) {
      const isEnough =
        sent.maxFeePerGas * 10n >= before.maxFeePerGas * 11n &&
        sent.maxPriorityFeePerGas * 10n >= before.maxPriorityFeePerGas * 11n;
      if (!isEnough) {
        counted.refused++;
        return failure('replacement transaction underpriced');
      }
      counted.replaced++;
    }
    pending.set(sent.nonce, sent);
    return forward();
  });
  const counted = Object.assign(fault, { refused: 0, replaced: 0 });
  return counted;
}
