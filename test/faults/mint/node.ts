import { findProgram, startChild, untilReady } from '../../../infra/local/child.ts';
import { rpc } from '../../../infra/local/rpc.ts';

const chainId = 31337;

/** A chain whose blocks come at our word. */
export interface Node {
  url: string;
  chainId: number;
  /** How many blocks are mined each second; 0 stops the chain. */
  setPace(blocksPerSecond: number): void;
  mine(blocks?: number): Promise<void>;
  /** Throws out the newest blocks, and with them what they held: nobody mines it again by himself. */
  reorganise(depth: number): Promise<void>;
  /** How often that happened. */
  readonly reorganisations: number;
  /** Makes the next blocks dear: one unit of gas costs at least so much, until demand has been low for a while. */
  setBaseFee(wei: bigint): Promise<void>;
  call<Result>(method: string, ...params: unknown[]): Promise<Result>;
  stop(): Promise<void>;
}

/** @throws Error when there is no anvil, or it doesn't start; `log` has its words */
export async function startNode(port: number, log: string): Promise<Node> {
  const binary = findProgram('@foundry-rs/anvil-linux-amd64/bin/anvil', 'anvil');
  if (!binary) throw new Error('No anvil is installed');
  const url = `http://127.0.0.1:${port}`;
  const place = ['--host', '127.0.0.1', '--port', String(port), '--chain-id', String(chainId)];
  const anvil = startChild([binary, ...place, '--quiet', '--no-mining'], { log });
  if (!(await untilReady(() => rpc(url, 'eth_chainId'), anvil.ended, 30))) {
    await anvil.stop();
    throw new Error(`anvil did not start; see ${log}`);
  }
  let timer: NodeJS.Timeout | undefined;
  let reorganisations = 0;
  let turn: Promise<unknown> = Promise.resolve();
  // One after the other: a block mined while a reorganisation runs would come out of nowhere.
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
