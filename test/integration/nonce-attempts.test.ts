import { beforeAll, describe, expect, it } from 'vitest';
import { keys } from '../../shared/dynamo/keys.ts';
import { getItem } from '../../shared/dynamo/read.ts';
import { write } from '../../shared/dynamo/write.ts';
import {
  appendAttempt,
  findMintTransactions,
  insertMintTransaction,
  listNonces,
  type MintTransaction,
  withAttempt,
} from '../../shared/nft/nonce/store.ts';
import { connectToTable } from '../support/stack.ts';

/** The size of a signed transaction that burns 500 tickets. */
const transactionBytes = 16_500;
const chainId = 424_242;

beforeAll(() => connectToTable());

const createAttempt = (number: number) => ({
  raw: `0x${number.toString(16).padStart(2, '0').repeat(transactionBytes)}`,
  at: 1_800_000_000_000 + number,
});

async function readTransaction(signer: string, nonce: number): Promise<MintTransaction> {
  const [transaction] = await findMintTransactions([{ chainId, signer, nonce }]);
  if (!transaction) throw new Error('The nonce is not stored');
  return transaction;
}

async function insertTransaction(signer: string, nonce = 0): Promise<MintTransaction> {
  const contract = `0x${'5a'.repeat(20)}`;
  const transaction = { chainId, signer, nonce, contract, orderIds: [], attempts: [createAttempt(0)] };
  await write(insertMintTransaction(transaction));
  return transaction;
}

async function appendAttempts(transaction: MintTransaction, count: number): Promise<MintTransaction> {
  let current = transaction;
  for (let number = 1; number <= count; number++) {
    const next = createAttempt(current.attempts.length);
    expect(await appendAttempt(current, next)).toBe(true);
    current = withAttempt(current, next);
  }
  return current;
}

describe('the attempts of a nonce', () => {
  it('are read in the order of their creation, beyond the size of one item', async () => {
    // 40 × 16.5 KB exceed the 400 KB of an item.
    const transaction = await appendAttempts(await insertTransaction('signer-a'), 40);
    expect((await readTransaction('signer-a', 0)).attempts).toEqual(transaction.attempts);
    const item = await getItem(keys.mintTransaction(chainId, 'signer-a', 0));
    expect(item).toMatchObject({ attempts: [expect.anything()], furtherAttempts: 40 });
  });

  it('are appended by one of two concurrent workers', async () => {
    const transaction = await insertTransaction('signer-b');
    const results = await Promise.all(
      [1, 2].map((number) => appendAttempt(transaction, createAttempt(number))),
    );
    expect(results.toSorted()).toEqual([false, true]);
    expect((await readTransaction('signer-b', 0)).attempts).toHaveLength(2);
  });

  it('are stored separately for each nonce', async () => {
    const [first, second] = [await insertTransaction('signer-d', 0), await insertTransaction('signer-d', 1)];
    await appendAttempts(first, 2);
    await appendAttempts(second, 1);
    const nonces = await listNonces({ chainId, signer: 'signer-d' }, 0, 9);
    expect(nonces.toSorted()).toEqual([0, 1]);
    const lengths = (await findMintTransactions([second, first])).map((found) => found?.attempts.length);
    expect(lengths).toEqual([2, 3]);
  });
});
