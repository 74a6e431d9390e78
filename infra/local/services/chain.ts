import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { type Child, findProgram, freePort, StartError, startChild, untilReady } from './process.ts';

export const chainId = 137;

export interface Chain extends Child {
  url: string;
  /** Saves the chain's state now. */
  save(): Promise<void>;
}

/** Finds anvil, the EVM node: in the package for this platform if that is installed, else on the PATH. */
export function findAnvil(): string | undefined {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  return findProgram(`@foundry-rs/anvil-${process.platform}-${architecture}/bin/anvil`, 'anvil');
}

/**
 * Starts an EVM node that mines two blocks a second. All blocks but the newest two are final.
 * @param savedState the file from which the chain's state is loaded, if it exists, and to which it is saved
 * @param log the file for the node's output
 * @throws StartError when no node is installed or the node does not start
 */
export async function startChain(savedState: string, log: string, preferredPort = 0): Promise<Chain> {
  const binary = findAnvil();
  if (!binary) {
    throw new StartError(
      `No EVM node for ${process.platform} on ${process.arch} is installed: see “Other machines” in README.md.`,
    );
  }
  const port = await freePort(preferredPort);
  const command = [binary, '--host', '127.0.0.1', '--port', `${port}`, '--chain-id', `${chainId}`, '--quiet'];
  // Enables the limit of 2^24 gas per transaction (EIP-7825), which anvil disables by default.
  command.push('--hardfork', 'osaka', '--enable-tx-gas-limit');
  // Anvil's `finalized` block is two epochs behind the newest block.
  command.push('--block-time', '0.5', '--slots-in-an-epoch', '1');
  // A saved state is larger than the usual limit of a request.
  command.push('--no-request-size-limit');
  const child = startChild(command, { log });
  const url = `http://127.0.0.1:${port}`;
  try {
    if (!(await untilReady(() => rpc(url, 'eth_chainId'), child.ended, 30))) {
      throw new StartError(`The EVM node did not start. Its output is in ${log}.`);
    }
    await loadState(url, savedState);
  } catch (error) {
    await child.stop();
    throw error;
  }
  const state = saveChanges(url, savedState);
  return {
    ...child,
    url,
    save: state.save,
    stop: async () => {
      await state.stop();
      await child.stop();
    },
  };
}

/** @throws StartError when the file is damaged */
async function loadState(url: string, file: string): Promise<void> {
  if (!existsSync(file)) return;
  await rpc(url, 'anvil_loadState', [`0x${readFileSync(file, 'hex')}`]).catch((error) => {
    throw new StartError(
      `The chain's state in ${file} is damaged (${error.message}). Start without earlier data: npm start -- --fresh`,
    );
  });
}

/**
 * The interval at which a chain is checked for new transactions. A block is final after one second, so a kill loses no
 * final block. Anvil's own option saves as often, but overwrites its only copy in place.
 */
const checkMilliseconds = 500;

/** Saves a chain's state after each block with transactions, and once more when it is stopped. */
function saveChanges(url: string, file: string) {
  const latestBlock = async () => Number(await rpc<string>(url, 'eth_blockNumber'));
  const isEmpty = async (block: number) =>
    Number(await rpc(url, 'eth_getBlockTransactionCountByNumber', [`0x${block.toString(16)}`])) === 0;
  let checkedBlock: number | undefined;
  const save = async () => {
    const block = await latestBlock();
    const packed = await rpc<string>(url, 'anvil_dumpState');
    writeFileSync(`${file}.next`, packed.slice(2), 'hex');
    renameSync(`${file}.next`, file);
    checkedBlock = block;
  };
  const check = async () => {
    checkedBlock ??= await latestBlock();
    for (const latest = await latestBlock(); checkedBlock < latest; checkedBlock++) {
      if (!(await isEmpty(checkedBlock + 1))) return save();
    }
  };
  let checking: Promise<void> | undefined;
  const timer = setInterval(() => {
    // A busy node can fail to respond: the saved state stays valid, and the next check repeats the attempt.
    checking ??= check()
      .catch(() => {})
      .finally(() => {
        checking = undefined;
      });
  }, checkMilliseconds);
  const stop = async () => {
    clearInterval(timer);
    await checking;
    await save().catch(() => {});
  };
  return { save, stop };
}

/** Makes one JSON-RPC call. @throws Error with the node's message, or when it doesn't answer within ten seconds */
export async function rpc<Result>(url: string, method: string, params: unknown[] = []): Promise<Result> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(10_000),
  });
  const { result, error } = (await response.json()) as { result: Result; error?: { message: string } };
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}
