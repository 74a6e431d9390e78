import { beforeAll, describe, expect, it } from 'vitest';
import { getItem } from '../../shared/dynamo/client.ts';
import { keys } from '../../shared/dynamo/keys.ts';
import { update, write } from '../../shared/dynamo/write.ts';
import {
  appendAttempt,
  findMintTransactions,
  insertMintTransaction,
  listNonces,
} from '../../shared/tickets/nonce/store.ts';
import { type MintTransaction, withAttempt } from '../../shared/tickets/nonce/transaction.ts';
import { useTableOf } from '../support/table.ts';

/** As large as a signed transaction that burns 500 tickets. */
const bytes = 16_500;
const chainId = 424_242;

beforeAll(() => useTableOf());

const attempt = (number: number) => ({
  raw: `0x${number.toString(16).padStart(2, '0').repeat(bytes)}`,
  at: 1_800_000_000_000 + number,
});

async function stored(signer: string, nonce: number): Promise<MintTransaction> {
  const [transaction] = await findMintTransactions([{ chainId, signer, nonce }]);
  if (!transaction) throw new Error('The nonce is not stored');
  return transaction;
}

async function insert(signer: string, nonce = 0): Promise<MintTransaction> {
  const contract = `0x${'5a'.repeat(20)}`;
  const transaction = { chainId, signer, nonce, contract, orderIds: [], attempts: [attempt(0)] };
  await write(insertMintTransaction(transaction));
  return transaction;
}

async function append(transaction: MintTransaction, count: number): Promise<MintTransaction> {
  let now = transaction;
  for (let number = 1; number <= count; number++) {
    const next = attempt(now.attempts.length);
    expect(await appendAttempt(now, next)).toBe(true);
    now = withAttempt(now, next);
  }
  return now;
}

describe('the attempts of a nonce', () => {
  it('are stored and read in their order, without a limit of their number', async () => {
    // 40 x 16.5 KB: above what one item may hold.
    const all = await append(await insert('signer-a'), 40);
    expect((await stored('signer-a', 0)).attempts).toEqual(all.attempts);
    const item = await getItem(keys.mintTransaction(chainId, 'signer-a', 0));
    expect(item).toMatchObject({ attempts: [expect.anything()], furtherAttempts: 40 });
  });

  it('are appended once when two workers append', async () => {
    const transaction = await insert('signer-b');
    const both = await Promise.all([1, 2].map((number) => appendAttempt(transaction, attempt(number))));
    expect(both.toSorted()).toEqual([false, true]);
    expect((await stored('signer-b', 0)).attempts).toHaveLength(2);
  });

  it('are read, and continued, where earlier versions stored them in the nonce', async () => {
    await insert('signer-c');
    const inline = [0, 1, 2].map((number) => ({
      raw: Buffer.from(attempt(number).raw.slice(2), 'hex'),
      at: attempt(number).at,
    }));
    await write(update(keys.mintTransaction(chainId, 'signer-c', 0), { set: { attempts: inline } }));
    const before = await stored('signer-c', 0);
    expect(before.attempts).toEqual([0, 1, 2].map(attempt));
    const all = await append(before, 2);
    expect((await stored('signer-c', 0)).attempts).toEqual(all.attempts);
  });

  it('belong to their nonce', async () => {
    const [first, second] = [await insert('signer-d', 0), await insert('signer-d', 1)];
    await append(first, 2);
    await append(second, 1);
    const nonces = await listNonces({ chainId, signer: 'signer-d' }, 0, 9);
    expect(nonces.toSorted()).toEqual([0, 1]);
    const lengths = (await findMintTransactions([second, first])).map((found) => found?.attempts.length);
    expect(lengths).toEqual([2, 3]);
  });
});
