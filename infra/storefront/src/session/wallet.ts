import { createWalletChallenge, ok, type User, verifyWallet } from 'boxoffice-client';

/** A wallet in the browser (EIP-1193). */
interface Provider {
  request(call: { method: string; params?: unknown[] }): Promise<unknown>;
}

/** The wallet that the visitor has installed; undefined when there is none. */
export function findProvider(): Provider | undefined {
  return (globalThis as { ethereum?: Provider }).ethereum;
}

/** The visitor declined in the wallet: https://eips.ethereum.org/EIPS/eip-1193#provider-errors */
export function isDeclined(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === 4001;
}

/** Has the visitor connect a wallet and sign a message with it, and links it to their account. */
export async function linkWallet(provider: Provider): Promise<User> {
  const [address] = (await provider.request({ method: 'eth_requestAccounts' })) as string[];
  if (!address) throw new Error('The wallet has no account');
  const chainId = Number(await provider.request({ method: 'eth_chainId' }));
  const { message } = await ok(createWalletChallenge({ address, chainId, purpose: 'link' }));
  const bytes = Array.from(new TextEncoder().encode(message), (byte) => byte.toString(16).padStart(2, '0'));
  const params = [`0x${bytes.join('')}`, address];
  const signature = (await provider.request({ method: 'personal_sign', params })) as string;
  return (await ok(verifyWallet({ message, signature }))).user;
}
