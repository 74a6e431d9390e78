import type { HDNodeWallet, Wallet } from 'ethers';
import { requestChallenge } from './contracts.ts';
import { type Answer, call } from './http.ts';
import type { Person } from './people.ts';

type Signer = Wallet | HDNodeWallet;

/** Requests a wallet challenge and signs it. */
export async function requestSignedChallenge(
  caller: Partial<Person>,
  wallet: Signer,
  purpose: 'login' | 'link' | 'contract',
): Promise<{ message: string; signature: string }> {
  const message = await requestChallenge(caller, wallet.address, purpose);
  return { message, signature: await wallet.signMessage(message) };
}

export function verifyWallet(
  { token }: Partial<Person>,
  message: string,
  signature: string,
): Promise<Answer> {
  return call('POST', '/api/auth/wallet/verify', { token, body: { message, signature } });
}

/** Links a wallet to a person's account. */
export async function linkWallet(person: Person, wallet: Signer): Promise<Answer> {
  const { message, signature } = await requestSignedChallenge(person, wallet, 'link');
  return verifyWallet(person, message, signature);
}
