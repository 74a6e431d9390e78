import { type CryptoPayment, createWalletChallenge, ok, type User, verifyWallet } from 'boxoffice-client';
import { toTransaction } from '../chain.ts';

/** A wallet in the browser (EIP-1193). */
interface Provider {
  request(call: { method: string; params?: unknown[] }): Promise<unknown>;
}

/** Returns the browser's wallet; undefined when there is none. */
export function findProvider(): Provider | undefined {
  return (globalThis as { ethereum?: Provider }).ethereum;
}

/**
 * Returns whether the visitor declined a request in the wallet: https://eips.ethereum.org/EIPS/eip-1193#provider-errors
 */
export function isDeclined(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === 4001;
}

/** Asks the visitor to connect the wallet. @returns the address of the account that the visitor selected */
export async function connectAccount(provider: Provider): Promise<string> {
  const [address] = (await provider.request({ method: 'eth_requestAccounts' })) as string[];
  if (!address) throw Object.assign(new Error('The wallet has no account'), { code: 4100 });
  return address;
}

/**
 * Asks the wallet to pay an order on the order's chain.
 * @returns the transaction's hash, before the transaction is mined
 */
export async function payFromWallet(
  provider: Provider,
  from: string,
  payment: CryptoPayment,
): Promise<string> {
  const chainId = `0x${payment.chainId.toString(16)}`;
  if (Number(await provider.request({ method: 'eth_chainId' })) !== payment.chainId) {
    await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] });
  }
  const transaction = { from, chainId, ...toTransaction(payment) };
  return (await provider.request({ method: 'eth_sendTransaction', params: [transaction] })) as string;
}

/** Asks the visitor to connect the wallet and to sign a message, then links the wallet to their account. */
export async function linkWallet(provider: Provider): Promise<User> {
  return (await ok(verifyWallet(await signChallenge(provider, 'link')))).user;
}

/** Signs in to the account that linked the wallet, with a message that the visitor signs in it. */
export async function signInWithWallet(provider: Provider) {
  const { token = '', user } = await ok(verifyWallet(await signChallenge(provider, 'login')));
  return { token, user };
}

async function signChallenge(provider: Provider, purpose: 'link' | 'login') {
  const address = await connectAccount(provider);
  const chainId = Number(await provider.request({ method: 'eth_chainId' }));
  const { message } = await ok(createWalletChallenge({ address, chainId, purpose }));
  const bytes = Array.from(new TextEncoder().encode(message), (byte) => byte.toString(16).padStart(2, '0'));
  const params = [`0x${bytes.join('')}`, address];
  const signature = (await provider.request({ method: 'personal_sign', params })) as string;
  return { message, signature };
}
