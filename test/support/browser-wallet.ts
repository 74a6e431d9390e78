import type { BrowserContext } from 'playwright-core';

// biome-ignore lint/suspicious/noExplicitAny: the parameters depend on the method
type RequestHandler = (method: string, params: any[]) => unknown;

/** Error codes of wallets: EIP-1193, EIP-3326 for an unknown chain, and JSON-RPC for an internal error. */
export const walletErrors = { declined: 4001, unknownChain: 4902, internal: -32603 } as const;

/** A wallet's refusal of a request: https://eips.ethereum.org/EIPS/eip-1193#provider-errors */
export class WalletRefusal extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`Refused by the wallet: ${code}`);
    this.code = code;
  }
}

/**
 * Adds a wallet to the pages of a browser context, as browser extensions do (EIP-1193).
 * @param handle responds to requests; throws WalletRefusal to refuse one
 */
export async function installWallet(context: BrowserContext, handle: RequestHandler): Promise<void> {
  await context.exposeFunction('askWallet', async (method: string, params: unknown[] = []) => {
    try {
      return { result: await handle(method, params) };
    } catch (error) {
      if (!(error instanceof WalletRefusal)) throw error;
      return { refusal: { code: error.code, message: error.message } };
    }
  });
  await context.addInitScript(`globalThis.ethereum = {
    async request({ method, params }) {
      const { result, refusal } = await askWallet(method, params);
      if (refusal) throw refusal;
      return result;
    },
  };`);
}
