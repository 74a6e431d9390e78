import { rpc } from '../../../infra/local/rpc.ts';
import { type Anvil, startAnvil } from '../../support/anvil.ts';

/** A chain whose blocks come at our word. */
export interface Node {
  url: string;
  chainId: number;
  /** How many blocks are mined each second; 0 stops the chain. */
  setPace(blocksPerSecond: number): void;
  mine(blocks?: number): Promise<void>;
  /** Throws out the newest blocks, and with them what they held: nobody mines it again by himself. */
  reorganise(depth: number): Promise<void>;
  /** Makes the next blocks dear: one unit of gas costs at least so much, until demand has been low for a while. */
  setBaseFee(wei: bigint): Promise<void>;
  call<Result>(method: string, ...params: unknown[]): Promise<Result>;
  stop(): Promise<void>;
}

export async function startNode(): Promise<Node> {
  const anvil: Anvil = await startAnvil({ args: ['--no-mining'] });
  let timer: NodeJS.Timeout | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  // One after the other: a block mined while a reorganisation runs would come out of nowhere.
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = turn.then(work);
    turn = done.catch(() => {});
    return done;
  };
  const call = <Result>(method: string, ...params: unknown[]) => rpc<Result>(anvil.url, method, params);
  const mine = (blocks = 1) =>
    inTurn(async () => {
      for (let block = 0; block < blocks; block++) await call('evm_mine');
    });

  return {
    url: anvil.url,
    chainId: anvil.chainId,
    call,
    mine,
    setPace(blocksPerSecond) {
      clearInterval(timer);
      if (blocksPerSecond > 0) timer = setInterval(() => void mine().catch(() => {}), 1000 / blocksPerSecond);
    },
    setBaseFee: (wei) => inTurn(() => call('anvil_setNextBlockBaseFeePerGas', `0x${wei.toString(16)}`)),
    reorganise: (depth) => inTurn(() => call('anvil_reorg', depth, [])),
    stop() {
      clearInterval(timer);
      return anvil.stop();
    },
  };
}
