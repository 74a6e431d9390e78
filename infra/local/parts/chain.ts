import { rmSync } from 'node:fs';
import { StartError } from '../start-error.ts';
import { ChainState, unpackState } from './chain-state.ts';
import { type Child, findProgram, startChild, untilReady } from './child-process.ts';
import { rpc } from './rpc.ts';

export const chainId = 137;

export interface Chain extends Child {
  url: string;
  state: ChainState;
}

/** Finds anvil, the EVM node: in the package for this platform if that is installed, else on the PATH. */
export function findAnvil(): string | undefined {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  return findProgram(`@foundry-rs/anvil-${process.platform}-${architecture}/bin/anvil`, 'anvil');
}

/**
 * Starts an EVM node that mines a block each second. All blocks but the newest two are final.
 * @param savedState the file from which the chain's state is loaded, if it exists, and to which it is saved
 * @param log the file for the node's output
 * @throws StartError when no node is installed or the node does not start
 */
export async function startChain(port: number, savedState: string, log: string): Promise<Chain> {
  const binary = findAnvil();
  if (!binary) {
    throw new StartError(
      `No EVM node for ${process.platform} on ${process.arch} is installed: see “Other machines” in README.md.`,
    );
  }
  const unpackedState = unpackState(savedState);
  const command = [binary, '--host', '127.0.0.1', '--port', `${port}`, '--chain-id', `${chainId}`, '--quiet'];
  // Enables the limit of 2^24 gas per transaction (EIP-7825), which anvil disables by default.
  command.push('--hardfork', 'osaka', '--enable-tx-gas-limit');
  // Anvil's `finalized` block is two epochs behind the newest block.
  command.push('--block-time', '1', '--slots-in-an-epoch', '1');
  if (unpackedState) command.push('--load-state', unpackedState);
  const child = startChild(command, { log });
  const url = `http://127.0.0.1:${port}`;
  if (!(await untilReady(() => rpc(url, 'eth_chainId'), child.ended, 30))) {
    await child.stop();
    throw new StartError(`The EVM node did not start. Its output is in ${log}.`);
  }
  if (unpackedState) rmSync(unpackedState);
  const state = await ChainState.startSaving(url, savedState);
  return {
    url,
    state,
    ...child,
    stop: async () => {
      await state.stop();
      await child.stop();
    },
  };
}
