import { findAnvil } from '../../../infra/local/parts/chain.ts';
import { startChild, untilReady } from '../../../infra/local/parts/child-process.ts';
import { rpc } from '../../../infra/local/parts/rpc.ts';

const chainId = 31337;
/** EIP-7825's limit of 2^24 gas a transaction, which anvil leaves off by default. */
const gasLimit = ['--hardfork', 'osaka', '--enable-tx-gas-limit'];

/** A chain on which tests control when blocks are mined. */
export interface Node {
  url: string;
  chainId: number;
  /** How many blocks are mined each second; 0 stops the chain. */
  setPace(blocksPerSecond: number): void;
  mine(blocks?: number): Promise<void>;
  /** Drops the newest `depth` blocks with their transactions, which do not return to the pool. */
  reorganise(depth: number): Promise<void>;
  /** How many reorganisations there were so far. */
  readonly reorganisations: number;
  /** Sets the next block's base fee (wei per gas); it falls again while demand is low. */
  setBaseFee(wei: bigint): Promise<void>;
  call<Result>(method: string, ...params: unknown[]): Promise<Result>;
  stop(): Promise<void>;
}

/** @throws Error when anvil is not installed or does not start; `log` has its output */
export async function startNode(port: number, log: string): Promise<Node> {
  const binary = findAnvil();
  if (!binary) throw new Error('No anvil is installed');
  const url = `http://127.0.0.1:${port}`;
  const place = ['--host', '127.0.0.1', '--port', String(port), '--chain-id', String(chainId)];
  const anvil = startChild([binary, ...place, ...gasLimit, '--quiet', '--no-mining'], { log });
  if (!(await untilReady(() => rpc(url, 'eth_chainId'), anvil.ended, 30))) {
    await anvil.stop();
    throw new Error(`anvil did not start; see ${log}`);
  }
  let timer: NodeJS.Timeout | undefined;
  let reorganisations = 0;
  let turn: Promise<unknown> = Promise.resolve();
  // Serialized: a block mined during a reorganisation would have no parent.
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = turn.then(work);
    turn = done.catch(() => {});
    return done;
  };
  const call = <Result>(method: string, ...params: unknown[]) => rpc<Result>(url, method, params);
  const mine = (blocks = 1) =>
    inTurn(async () => {
      for (let block = 0; block < blocks; block++) await call('evm_mine');
    });

  return {
    url,
    chainId,
    call,
    mine,
    setPace(blocksPerSecond) {
      clearInterval(timer);
      if (blocksPerSecond > 0) timer = setInterval(() => void mine().catch(() => {}), 1000 / blocksPerSecond);
    },
    setBaseFee: (wei) => inTurn(() => call('anvil_setNextBlockBaseFeePerGas', `0x${wei.toString(16)}`)),
    reorganise(depth) {
      reorganisations++;
      return inTurn(() => call('anvil_reorg', depth, []));
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
