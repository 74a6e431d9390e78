import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { writeWhole } from './files.ts';
import { rpc } from './rpc.ts';
import { StartError } from './start-error.ts';

/**
 * Keeps a chain across restarts. Anvil can write its state by itself, but it overwrites the only copy in place,
 * each second, changed or not; so we ask for the state when a block had transactions and replace the file whole.
 * Half a second after a block at the latest it is on disk, while the block counts as final two seconds after it
 * was mined: a kill -9 loses no final block.
 */
const checkMilliseconds = 500;

/**
 * Unpacks the kept state for the node to load. The checksum of gzip shows a damaged file.
 * @returns the file to load, or undefined at a first start
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
      `The chain's state in ${file} is damaged (${(error as Error).message}): begin anew with npm start -- --fresh.`,
    );
  }
}

export class ChainState {
  readonly #url: string;
  readonly #file: string;
  #savedBlock: number;
  #timer: NodeJS.Timeout | undefined;
  #check: Promise<void> = Promise.resolve();

  private constructor(url: string, file: string, block: number) {
    this.#url = url;
    this.#file = file;
    this.#savedBlock = block;
  }

  /** Watches a running node and saves its state into the file. */
  static async keep(url: string, file: string): Promise<ChainState> {
    const state = new ChainState(url, file, await blockNumber(url));
    state.#schedule();
    return state;
  }

  async save(): Promise<void> {
    const block = await blockNumber(this.#url);
    const packed = await rpc<string>(this.#url, 'anvil_dumpState');
    writeWhole(this.#file, Buffer.from(packed.slice(2), 'hex'));
    this.#savedBlock = block;
  }

  /** Saves a last time. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#check;
    clearTimeout(this.#timer);
    await this.save().catch(() => {});
  }

  #schedule(): void {
    this.#timer = setTimeout(() => {
      // A node that is busy or gone is asked again: what is on disk stays good.
      this.#check = this.#saveIfChanged()
        .catch(() => {})
        .then(() => this.#schedule());
    }, checkMilliseconds);
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
