import * as z from 'zod';
import { keys } from '../../dynamo/keys.ts';
import { getItem, getItems, queryAll } from '../../dynamo/read.ts';
import { put, transact, update, type Write, write } from '../../dynamo/write.ts';
import type { Order } from '../../orders/order.ts';

/** One nonce of one signer on one chain. */
export interface NonceReference {
  chainId: number;
  signer: string;
  nonce: number;
}

/**
 * A nonce and the transactions that were signed for it. It stays bound to the same orders, or the same burn,
 * permanently: only attempts are appended. Its progress is not stored here, but read from the chain and from its
 * orders.
 */
export interface MintTransaction extends NonceReference {
  contract: string;
  /**
   * The orders that it mints; empty for a burn, a lock, an announcement of metadata, and for a nonce that was cancelled
   * before anything was bound to it.
   */
  orderIds: string[];
  /** The id of the burn that it is for; see `burnId`. */
  burnOf?: string;
  /** Whether it locks tickets or announces metadata. Nothing else depends on such a transaction. */
  isNotice?: boolean;
  /** The signed transactions, oldest first. Each is stored before it is broadcast. */
  attempts: Attempt[];
}

export interface Attempt {
  /** The signed transaction, hex. */
  raw: string;
  /** When it was signed, epoch milliseconds. */
  at: number;
}

/** Identifies a nonce across chains and signers. */
export function nonceName({ chainId, signer, nonce }: NonceReference): string {
  return `${chainId} ${signer} ${nonce}`;
}

/** Returns whether the order is bound to this nonce. */
export function isBoundToNonce({ mint }: Order, { chainId, signer, nonce }: NonceReference): boolean {
  return mint?.chainId === chainId && mint.signer === signer && mint.nonce === nonce;
}

/** Returns whether this nonce mints the order, or has minted it. False, for example, once the order's refund is due. */
export function isMintedByNonce(order: Order, reference: NonceReference): boolean {
  const { fulfilmentStatus } = order;
  return (
    isBoundToNonce(order, reference) && (fulfilmentStatus === 'minting' || fulfilmentStatus === 'minted')
  );
}

/**
 * Returns whether a nonce's transaction is still needed. Always true for a burn, a lock and an announcement of metadata:
 * repeating it is harmless.
 */
export function isTransactionNeeded(transaction: MintTransaction, orders: readonly Order[]): boolean {
  const { burnOf, isNotice } = transaction;
  return (
    burnOf !== undefined || isNotice === true || orders.some((order) => isMintedByNonce(order, transaction))
  );
}

/** Returns behind whose checks that of a nonce waits. The burns of a cancelled event don't delay the mints of a contract. */
export function tenantOfNonce({ contract, burnOf }: Pick<MintTransaction, 'contract' | 'burnOf'>): string {
  return burnOf === undefined ? contract : `burns-${contract}`;
}

export function firstAttempt({ attempts }: MintTransaction): Attempt {
  return attempts[0] as Attempt;
}

export function lastAttempt({ attempts }: MintTransaction): Attempt {
  return attempts.at(-1) as Attempt;
}

export function withAttempt(transaction: MintTransaction, attempt: Attempt): MintTransaction {
  return { ...transaction, attempts: [...transaction.attempts, attempt] };
}

/** An account that signs on a chain. Its transactions are mined in the order of their nonces. */
type SignerAccount = Omit<NonceReference, 'nonce'>;

/** A signer account as it is stored. */
const storedAccount = z.object({ nextNonce: z.number().optional() });

/** An attempt as it is stored: as bytes, because hex would take twice the space. */
const storedAttempt = z.object({
  raw: z.instanceof(Uint8Array).transform((bytes) => `0x${Buffer.from(bytes).toString('hex')}`),
  at: z.number(),
});

/** A nonce as it is stored. */
const storedNonce = z.object({
  chainId: z.number(),
  signer: z.string(),
  nonce: z.number(),
  contract: z.string(),
  orderIds: z.array(z.string()),
  burnOf: z.string().optional(),
  isNotice: z.boolean().optional(),
  /** The first attempt. */
  attempts: z.array(storedAttempt),
  /**
   * The number of later attempts. Each is an item of its own: one item for all could exceed DynamoDB's limit of
   * 400 KB.
   */
  furtherAttempts: z.number().optional(),
});

/** Another worker claimed this nonce. `nextNonce` is the account's; undefined when the account is not stored. */
export class NonceTaken extends Error {
  readonly nextNonce: number | undefined;
  constructor(nextNonce: number | undefined) {
    super('The nonce is taken');
    this.nextNonce = nextNonce;
  }
}

/** Another worker has done this already. */
export class AlreadyDoneByOther extends Error {}

/** Finds an account's next nonce; undefined when the account has never minted. */
export async function findNextNonce({ chainId, signer }: SignerAccount): Promise<number | undefined> {
  return nextNonceOf(await getItem(keys.signer(chainId, signer)));
}

/**
 * Advances the account past this nonce.
 * @throws NonceTaken from the write when another worker claimed the nonce
 */
export function advanceNonce({ chainId, signer, nonce }: NonceReference, isFirstNonce: boolean): Write {
  return update(
    keys.signer(chainId, signer),
    { set: { nextNonce: nonce + 1 } },
    {
      when: isFirstNonce ? 'attribute_not_exists(#pk)' : '#nextNonce = :nonce',
      ...(!isFirstNonce && { values: { nonce } }),
      orThrow: (account) => new NonceTaken(nextNonceOf(account)),
    },
  );
}

/** Raises an account's next nonce after other software has used the account. Never lowers it. */
export async function raiseNonce({ chainId, signer, nonce }: NonceReference): Promise<void> {
  const raiseWrite = update(
    keys.signer(chainId, signer),
    { set: { nextNonce: nonce } },
    { when: '#nextNonce < :nonce', values: { nonce }, orThrow: () => new AlreadyDoneByOther() },
  );
  await write(raiseWrite).catch(ignoreAlreadyDone);
}

/**
 * Claims the next sweep of an account's nonces (see rebroadcast.ts).
 * @returns the account's next nonce; undefined when another worker has claimed a sweep since `since` (epoch
 * milliseconds)
 */
export async function claimNonceSweep(
  { chainId, signer }: SignerAccount,
  since: number,
): Promise<number | undefined> {
  const claimWrite = update(
    keys.signer(chainId, signer),
    { set: { sweptAt: Date.now() } },
    {
      when: 'attribute_not_exists(#sweptAt) OR #sweptAt < :since',
      values: { since },
      orThrow: () => new AlreadyDoneByOther(),
    },
  );
  return nextNonceOf(await write(claimWrite).catch(ignoreAlreadyDone));
}

/**
 * Stores a nonce and its first attempt.
 * @throws AlreadyDoneByOther from the write when the nonce is stored already
 */
export function insertMintTransaction({ attempts, ...transaction }: MintTransaction): Write {
  const { chainId, signer, nonce } = transaction;
  return put(
    { ...keys.mintTransaction(chainId, signer, nonce), ...transaction, attempts: attempts.map(toStored) },
    { when: 'attribute_not_exists(#pk)', orThrow: () => new AlreadyDoneByOther() },
  );
}

/** Stores another attempt. @returns false when another worker stored an attempt first */
export async function appendAttempt(transaction: MintTransaction, attempt: Attempt): Promise<boolean> {
  const { chainId, signer, nonce, attempts } = transaction;
  const alreadyDone = () => new AlreadyDoneByOther();
  const countWrite = update(
    keys.mintTransaction(chainId, signer, nonce),
    { add: { furtherAttempts: 1 } },
    { when: 'attribute_exists(#pk)', orThrow: alreadyDone },
  );
  const storeWrite = put(
    { ...keys.attempt(chainId, signer, nonce, attempts.length), ...toStored(attempt) },
    { when: 'attribute_not_exists(#pk)', orThrow: alreadyDone },
  );
  try {
    await transact([storeWrite, countWrite]);
    return true;
  } catch (error) {
    ignoreAlreadyDone(error);
    return false;
  }
}

/** Returns the stored nonces in the order of the references; undefined where there is none. */
export async function findMintTransactions(
  references: readonly NonceReference[],
): Promise<(MintTransaction | undefined)[]> {
  const items = await getItems(
    references.map(({ chainId, signer, nonce }) => keys.mintTransaction(chainId, signer, nonce)),
  );
  const storedNonces = items.map((item) => item && storedNonce.parse(item));
  const furtherByNonce = await findFurtherAttempts(storedNonces.filter((nonce) => nonce !== undefined));
  return storedNonces.map((nonce) => {
    if (!nonce) return undefined;
    const { furtherAttempts, ...transaction } = nonce;
    return { ...transaction, attempts: [...nonce.attempts, ...(furtherByNonce.get(nonceName(nonce)) ?? [])] };
  });
}

/** Reads the attempts that are stored as separate items, by the name of their nonce. */
async function findFurtherAttempts(
  nonces: readonly z.infer<typeof storedNonce>[],
): Promise<Map<string, Attempt[]>> {
  const attemptReferences = nonces.flatMap((nonce) =>
    Array.from({ length: nonce.furtherAttempts ?? 0 }, (_, offset) => ({
      nonce,
      index: nonce.attempts.length + offset,
    })),
  );
  const items = await getItems(
    attemptReferences.map(({ nonce: { chainId, signer, nonce }, index }) =>
      keys.attempt(chainId, signer, nonce, index),
    ),
  );
  const byNonce = new Map<string, Attempt[]>();
  for (const [itemIndex, { nonce }] of attemptReferences.entries()) {
    const name = nonceName(nonce);
    byNonce.set(name, [...(byNonce.get(name) ?? []), storedAttempt.parse(items[itemIndex])]);
  }
  return byNonce;
}

/** Lists the stored nonces of an account from `from` to `to`, both included. */
export async function listNonces(
  { chainId, signer }: SignerAccount,
  from: number,
  to: number,
): Promise<number[]> {
  const source = {
    partition: keys.signer(chainId, signer).pk,
    from: keys.mintTransaction(chainId, signer, from).sk,
    to: keys.mintTransaction(chainId, signer, to).sk,
  };
  const nonces: number[] = [];
  for await (const item of queryAll(source)) nonces.push(storedNonce.parse(item).nonce);
  return nonces;
}

function nextNonceOf(account: unknown): number | undefined {
  return storedAccount.parse(account ?? {}).nextNonce;
}

function toStored({ raw, at }: Attempt) {
  return { raw: Buffer.from(raw.slice(2), 'hex'), at };
}

function ignoreAlreadyDone(error: unknown): undefined {
  if (!(error instanceof AlreadyDoneByOther)) throw error;
}
