import { ChainUnreachable, connect } from '../../chain/connection.ts';
import {
  encodeLock,
  encodeRefreshMetadata,
  isLocked,
  isTicketContract,
  simulateCall,
} from '../../chain/contract-calls.ts';
import { type ExpectedGas, expectedLockGas, expectedRefreshGas } from '../../chain/gas.ts';
import type { Outcome } from '../../chain/outcome.ts';
import { getMinterForOrder } from '../../chain/transactions.ts';
import type { Message } from '../../runtime/messages.ts';
import { sendMessage } from '../../runtime/queue.ts';
import { mapInChunks } from '../../runtime/retry.ts';
import { log } from '../../runtime/telemetry.ts';
import { claimAndBroadcast, type StoredNonce } from '../nonce/check-nonce.ts';
import { isCancelledBy } from '../nonce/rebroadcast.ts';

type NoticeMessage = Message<'lock'> | Message<'refresh-metadata'>;

/** The maximum number of tickets that one transaction locks. At the price of EIP-8037 for new slots it is 11 million gas. */
const maximumLocks = 100;

/**
 * Locks tickets of one contract, or announces that its metadata has changed. Nothing is stored about it: a lock that is
 * lost or repeated is harmless, and so is an announcement. A transaction that was sent is broadcast until it is mined, like
 * any other, since later nonces wait for it.
 * @param messages messages of one contract
 * @throws when the table or the queue fails
 */
export async function sendNotices(messages: readonly NoticeMessage[]): Promise<void> {
  const tokenIds = new Set(messages.flatMap((message) => (message.type === 'lock' ? message.tokenIds : [])));
  const [first] = messages;
  if (!first) return;
  const ids = await findUnlocked(first, [...tokenIds].map(BigInt));
  try {
    for (let start = 0; start < ids.length; start += maximumLocks) {
      const batch = ids.slice(start, start + maximumLocks);
      await sendNotice(first, encodeLock(batch), expectedLockGas(batch.length));
    }
    if (messages.some(({ type }) => type === 'refresh-metadata')) {
      await sendNotice(first, encodeRefreshMetadata(), expectedRefreshGas);
    }
  } catch (error) {
    if (!(error instanceof ChainUnreachable)) throw error;
    log.warn('Chain not reached', { chainId: first.chainId, cause: error.message });
    await postpone(messages);
  }
}

/** A ticket that is admitted again and again would otherwise be locked each time, at the platform's cost. */
async function findUnlocked({ chainId, contract }: NoticeMessage, ids: bigint[]): Promise<bigint[]> {
  const connection = await connect(chainId);
  if (!connection) return ids;
  const locked = await mapInChunks(ids, (id) => isLocked(connection, contract, id));
  return ids.filter((_, index) => !locked[index]);
}

async function sendNotice(
  { chainId, contract }: NoticeMessage,
  data: string,
  expectedGas: ExpectedGas,
): Promise<void> {
  const refuse = (reason: string) => log.warn('Tickets can not be locked', { chainId, contract, reason });
  const connection = await connect(chainId);
  if (!connection) return refuse('The chain is not set up');
  if (!(await isTicketContract(connection, contract))) return refuse('The contract has other code');
  // Any account with the roles can do it. All notices of a contract use the same one.
  const minter = await getMinterForOrder(contract);
  const result = await simulateCall(
    connection,
    { from: minter.address, to: contract, data },
    expectedGas,
    `The contract refuses it. Grant its BURNER_ROLE and METADATA_ROLE to ${minter.address}`,
  );
  if ('refusal' in result) return refuse(result.refusal.message);
  await claimAndBroadcast(connection, minter, {
    contract,
    data,
    gasLimit: result.gasLimit,
    orderIds: [],
    isNotice: true,
    bind: () => [],
    withoutAlreadyBound(error) {
      throw error;
    },
  });
}

const postponeSeconds = 900;
const patienceMilliseconds = 24 * 60 * 60 * 1000;

/** Queues the messages again. Gives up on those that have waited for a day. */
async function postpone(messages: readonly NoticeMessage[]): Promise<void> {
  const recent = messages.filter(({ requestedAt }) => Date.now() - requestedAt < patienceMilliseconds);
  await Promise.all(
    recent.map((message) =>
      sendMessage('mint-tickets', message, { tenant: message.contract, delaySeconds: postponeSeconds }),
    ),
  );
}

/** Logs a lock or an announcement that was lost: another transaction used its nonce, or it was reverted. */
export async function finalizeNotice(
  { transaction }: Pick<StoredNonce, 'transaction'>,
  outcome: Outcome,
): Promise<void> {
  if (outcome.kind === 'mined' && !isCancelledBy(transaction, outcome)) return;
  const { chainId, contract, signer, nonce } = transaction;
  log.warn('Lock or announcement lost', { chainId, contract, signer, nonce, outcome: outcome.kind });
}
