import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A payment as a stub node reports it. */
export interface StubPayment {
  state: 'pending' | 'mined' | 'final';
  to: string;
  amount: bigint;
  data: string;
}

/** A stub of a chain's node, with the payments that a test sets. */
export interface StubNode {
  url: string;
  /** By transaction hash. */
  payments: Map<string, StubPayment>;
  /** When false, the node closes connections without a response. */
  isUp: boolean;
  stop(): Promise<void>;
}

const finalBlock = 0x100;

/** Starts a stub with the methods for reading a payment. A transaction is final at a depth of three blocks. */
export async function startStubNode(chainId: number): Promise<StubNode> {
  const server: Server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const { method, params } = JSON.parse(Buffer.concat(parts).toString());
    if (!node.isUp) return void request.socket.destroy();
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: answer(method, params) }));
  });

  function answer(method: string, [first]: unknown[]): unknown {
    const payment = node.payments.get(String(first));
    if (method === 'eth_chainId') return `0x${chainId.toString(16)}`;
    if (method === 'eth_blockNumber') return `0x${(finalBlock + 2).toString(16)}`;
    if (method === 'eth_getBlockByNumber')
      return { timestamp: `0x${Math.floor(Date.now() / 1000).toString(16)}` };
    if (method === 'eth_getTransactionByHash') {
      return payment
        ? { to: payment.to, value: `0x${payment.amount.toString(16)}`, input: payment.data }
        : null;
    }
    if (method !== 'eth_getTransactionReceipt' || !payment || payment.state === 'pending') return null;
    const blockNumber = payment.state === 'final' ? finalBlock : finalBlock + 2;
    return { status: '0x1', blockNumber: `0x${blockNumber.toString(16)}`, logs: [] };
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const node: StubNode = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    payments: new Map(),
    isUp: true,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return node;
}
