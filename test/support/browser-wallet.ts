import type { BrowserContext } from 'playwright-core';

// biome-ignore lint/suspicious/noExplicitAny: each method has parameters of its own
type Answer = (method: string, params: any[]) => unknown;

/** A refusal of a wallet: https://eips.ethereum.org/EIPS/eip-1193#provider-errors */
export class WalletRefusal extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`Refused by the wallet: ${code}`);
    this.code = code;
  }
}

/** Puts a wallet into a visitor's pages, as browser extensions do (EIP-1193). `answer` may throw WalletRefusal. */
export async function installWallet(visitor: BrowserContext, answer: Answer): Promise<void> {
  await visitor.exposeFunction('askWallet', async (method: string, params: unknown[] = []) => {
    try {
      return { result: await answer(method, params) };
    } catch (error) {
      if (!(error instanceof WalletRefusal)) throw error;
      return { refusal: { code: error.code, message: error.message } };
    }
  });
  await visitor.addInitScript(`globalThis.ethereum = {
    async request({ method, params }) {
      const { result, refusal } = await askWallet(method, params);
      if (refusal) throw refusal;
      return result;
    },
  };`);
}
