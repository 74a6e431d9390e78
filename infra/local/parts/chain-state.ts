import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { StartError } from '../start-error.ts';
import { writeFileAtomically } from '../write-file-atomically.ts';
import { rpc } from './rpc.ts';

/**
 * The interval at which a chain is checked for new transactions. Anvil can save its state each second, but overwrites
 * its only copy in place. This module replaces the saved state atomically, after blocks with transactions. A block is
 * saved half a second after it was mined and final after two seconds, so a kill -9 loses no final block.
 */
const checkIntervalMilliseconds = 500;

/**
 * Unpacks the saved state for the node to load. Gzip's checksum detects a damaged file.
 * @returns the unpacked file, or undefined at the first start
 * @throws StartError when the file is damaged
 */
export function unpackState(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const unpacked = file.replace(/\.gz$/, '');
  try {
    writeFileSync(unpacked, gunzipSync(readFileSync(file)));
    return unpacked;
  } catch (error) {
    throw new StartError(
      `The chain's state in ${file} is damaged (${(error as Error).message}). Start without earlier data: npm start -- --fresh`,
    );
  }
}

export class ChainState {
  readonly #url: string;
  readonly #file: string;
  #savedBlock: number;
  #timer: NodeJS.Timeout | undefined;
  #lastCheck: Promise<void> = Promise.resolve();

  private constructor(url: string, file: string, block: number) {
    this.#url = url;
    this.#file = file;
    this.#savedBlock = block;
  }

  /** Saves a running node's state into the file whenever it changes. */
  static async startSaving(url: string, file: string): Promise<ChainState> {
    const state = new ChainState(url, file, await blockNumber(url));
    state.#schedule();
    return state;
  }

  async save(): Promise<void> {
    const block = await blockNumber(this.#url);
    const packed = await rpc<string>(this.#url, 'anvil_dumpState');
    writeFileAtomically(this.#file, Buffer.from(packed.slice(2), 'hex'));
    this.#savedBlock = block;
  }

  /** Saves the state once more and stops saving. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#lastCheck;
    // A check that was running has scheduled the next one.
    clearTimeout(this.#timer);
    await this.save().catch(() => {});
  }

  #schedule(): void {
    this.#timer = setTimeout(() => {
      // An error of a busy or stopped node is ignored: the saved state stays valid, and the next check retries.
      this.#lastCheck = this.#saveIfChanged()
        .catch(() => {})
        .then(() => this.#schedule());
    }, checkIntervalMilliseconds);
  }

  async #saveIfChanged(): Promise<void> {
    const latest = await blockNumber(this.#url);
    for (let block = this.#savedBlock + 1; block <= latest; block++) {
      const tag = `0x${block.toString(16)}`;
      if (BigInt(await rpc<string>(this.#url, 'eth_getBlockTransactionCountByNumber', [tag])) > 0n) {
        return this.save();
      }
      this.#savedBlock = block;
    }
  }
}

async function blockNumber(url: string): Promise<number> {
  return Number(await rpc<string>(url, 'eth_blockNumber'));
}
