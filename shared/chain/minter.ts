import { SigningKey } from 'ethers/crypto';
import { computeAddress, Transaction } from 'ethers/transaction';
import { keyList } from '../runtime/secrets.ts';
import type { Fees } from './transactions.ts';

/** A transaction to be signed, without value. */
export interface Draft extends Fees {
  chainId: number;
  nonce: number;
  to: string;
  data: string;
  gasLimit: bigint;
}

/** An account that may mint. */
export interface Minter {
  address: string;
  /** @returns the signed transaction, ready to be broadcast; always the same for the same draft */
  sign(draft: Draft): string;
}

const known = new Map<string, Minter>();

/** All accounts, in the order of their configuration. @throws Error when none is configured */
export async function allMinters(): Promise<Minter[]> {
  return (await keyList('MINTER_PRIVATE_KEY')).map((key) => {
    const minter = known.get(key) ?? minterOf(new SigningKey(key));
    known.set(key, minter);
    return minter;
  });
}

/** The one whose lane an order takes. @throws Error when none is configured */
export async function minterFor(orderKey: string): Promise<Minter> {
  const minters = await allMinters();
  return minters[Number(BigInt(orderKey) % BigInt(minters.length))] as Minter;
}

/** @returns undefined when its key is not configured any more */
export async function findMinter(address: string): Promise<Minter | undefined> {
  return (await allMinters()).find((minter) => minter.address === address);
}

function minterOf(key: SigningKey): Minter {
  return {
    address: computeAddress(key),
    sign({ chainId, nonce, to, data, gasLimit, maxFeePerGas, maxPriorityFeePerGas }) {
      const fees = { maxFeePerGas, maxPriorityFeePerGas };
      const transaction = Transaction.from({
        type: 2,
        chainId,
        nonce,
        to,
        data,
        value: 0n,
        gasLimit,
        ...fees,
      });
      transaction.signature = key.sign(transaction.unsignedHash);
      return transaction.serialized;
    },
  };
}

/** What was signed. @throws when the text is no signed transaction of ours */
export function readSigned(raw: string): Draft & { hash: string } {
  const { chainId, nonce, to, data, gasLimit, maxFeePerGas, maxPriorityFeePerGas, hash } =
    Transaction.from(raw);
  if (!to || !hash || maxFeePerGas === null || maxPriorityFeePerGas === null) {
    throw new Error('Not a signed transaction of ours');
  }
  return { chainId: Number(chainId), nonce, to, data, gasLimit, maxFeePerGas, maxPriorityFeePerGas, hash };
}
