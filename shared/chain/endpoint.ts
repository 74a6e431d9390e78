const timeoutMilliseconds = 4_000;

/** The node answered, with an error. */
export class RpcError extends Error {
  readonly code: number;
  /** What a contract said when it reverted, hex. */
  readonly data: string | undefined;

  constructor({ code, message, data }: { code: number; message: string; data?: unknown }) {
    super(message);
    this.code = code;
    this.data = typeof data === 'string' ? data.match(/0x[0-9a-f]*/i)?.[0] : undefined;
  }

  /** Whether it is the contract's refusal and not the node's trouble. */
  get isRevert(): boolean {
    return this.code === 3 || this.data !== undefined || /revert/i.test(this.message);
  }
}

/**
 * One node that speaks JSON-RPC. Plain requests rather than a provider of ethers: that one asks more than it is
 * told to (its broadcast fails when the block number can't be read), keeps answers, and waits five minutes.
 */
export class Endpoint {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** @throws RpcError when the node refuses, another Error when it does not answer within four seconds */
  async call<Result>(method: string, params: readonly unknown[]): Promise<Result> {
    const response = await fetch(this.#url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(timeoutMilliseconds),
    });
    const answer = (await response.json()) as { result?: Result; error?: { code: number; message: string } };
    if (answer.error) throw new RpcError(answer.error);
    if (answer.result === undefined) throw new Error(`No result for ${method}, status ${response.status}`);
    return answer.result;
  }
}
