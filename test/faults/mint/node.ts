import { findAnvil, rpc } from '../../../infra/local/services/chain.ts';
import { startChild, untilReady } from '../../../infra/local/services/process.ts';

const chainId = 31337;
/** EIP-7825's limit of 2^24 gas a transaction, which anvil leaves off by default. */
const gasLimitOptions = ['--hardfork', 'osaka', '--enable-tx-gas-limit'];

/** A chain on which tests control when blocks are mined. */
export interface Node {
  url: string;
  chainId: number;
  /**
   * Sets the number of blocks mined each second. 0 stops the chain.
   * @returns a promise that resolves once no block of the previous rate is being mined
   */
  setBlocksPerSecond(blocksPerSecond: number): Promise<void>;
  mine(blocks?: number): Promise<void>;
  /** Drops the newest `depth` blocks. Their transactions do not return to the pool. */
  reorganise(depth: number): Promise<void>;
  /** The number of reorganisations so far. */
  readonly reorganisations: number;
  /** Sets the next block's base fee in wei per gas. It falls again while demand is low. */
  setBaseFee(wei: bigint): Promise<void>;
  call<Result>(method: string, ...params: unknown[]): Promise<Result>;
  stop(): Promise<void>;
}

/** Starts anvil. @param log the file for its output @throws Error when anvil is not installed or does not start */
export async function startNode(port: number, log: string): Promise<Node> {
  const binary = findAnvil();
  if (!binary) throw new Error('No anvil is installed');
  const url = `http://127.0.0.1:${port}`;
  const address = ['--host', '127.0.0.1', '--port', String(port), '--chain-id', String(chainId)];
  const anvil = startChild([binary, ...address, ...gasLimitOptions, '--quiet', '--no-mining'], { log });
  if (!(await untilReady(() => rpc(url, 'eth_chainId'), anvil.ended, 30))) {
    await anvil.stop();
    throw new Error(`anvil did not start; see ${log}`);
  }
  let timer: NodeJS.Timeout | undefined;
  let reorganisations = 0;
  let lastWork: Promise<unknown> = Promise.resolve();
  // A block that is mined during a reorganisation would have no parent.
  const serialize = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = lastWork.then(work);
    lastWork = result.catch(() => {});
    return result;
  };
  const call = <Result>(method: string, ...params: unknown[]) => rpc<Result>(url, method, params);
  const mine = (blocks = 1) =>
    serialize(async () => {
      for (let block = 0; block < blocks; block++) await call('evm_mine');
    });

  return {
    url,
    chainId,
    call,
    mine,
    setBlocksPerSecond(blocksPerSecond) {
      clearInterval(timer);
      timer = undefined;
      if (blocksPerSecond > 0) {
        // On a slow machine several blocks may wait to be mined. They must not be mined after the rate has changed.
        const mineNext = () => serialize(async () => timer === current && call('evm_mine'));
        const current = setInterval(() => void mineNext().catch(() => {}), 1000 / blocksPerSecond);
        timer = current;
      }
      return lastWork.then(() => {});
    },
    setBaseFee: (wei) => serialize(() => call('anvil_setNextBlockBaseFeePerGas', `0x${wei.toString(16)}`)),
    reorganise(depth) {
      reorganisations++;
      return serialize(() => call('anvil_reorg', depth, []));
    },
    get reorganisations() {
      return reorganisations;
    },
    stop() {
      clearInterval(timer);
      return anvil.stop();
    },
  };
}
