import {
  ContractFactory,
  Interface,
  JsonRpcProvider,
  keccak256,
  Network,
  NonceManager,
  Wallet,
} from 'ethers';
import { compileContracts } from '../../infra/contracts/solc.ts';
import { eventually } from './eventually.ts';

/** The address of a development node. */
export interface Node {
  chainRpcUrl: string;
  chainId: number;
}

/** The payment instructions of an initialized crypto order. */
export interface Instructions {
  to: string;
  token: string | null;
  amount: string;
  data: string;
}

export interface BuyerWallet {
  address: string;
  /**
   * Signs and broadcasts a payment.
   * @param changes differences from the instructions
   * @returns the transaction's hash, without waiting until it is mined
   */
  pay(instructions: Instructions, changes?: Partial<Instructions>): Promise<string>;
  /** Signs a payment like `pay`, without broadcasting it. `send` broadcasts it. */
  prepare(
    instructions: Instructions,
    changes?: Partial<Instructions>,
  ): Promise<{ hash: string; send(): Promise<unknown> }>;
  /** Waits until a transaction is `depth` blocks deep (default 1: in the latest block). */
  waitUntilMined(hash: string, depth?: number): Promise<void>;
  close(): void;
}

const erc20 = new Interface([
  'function transfer(address to, uint256 amount)',
  'function mint(address to, uint256 amount)',
]);

/** Creates a wallet with 1,000,000 native coins. */
export async function openWallet(node: Node): Promise<BuyerWallet> {
  const { provider, wallet, address } = await createFundedAccount(node);
  let nonce = 0;
  const prepare: BuyerWallet['prepare'] = async (instructions, changes = {}) => {
    const { to, token, amount, data } = { ...instructions, ...changes };
    const call = token
      ? { to: token, data: erc20.encodeFunctionData('transfer', [to, amount]) + data.slice(2) }
      : { to, value: BigInt(amount), data };
    // With a fixed gas limit, a transaction that will revert is sent too.
    const transaction = { ...call, nonce: nonce++, gasLimit: 200_000 };
    const raw = await wallet.signTransaction(await wallet.populateTransaction(transaction));
    return { hash: keccak256(raw), send: () => provider.send('eth_sendRawTransaction', [raw]) };
  };
  return {
    address,
    prepare,
    async pay(instructions, changes) {
      const { hash, send } = await prepare(instructions, changes);
      await send();
      return hash;
    },
    waitUntilMined: (hash, depth) => waitUntilMined(provider, hash, depth),
    close: () => provider.destroy(),
  };
}

/** Deploys a token at a given address, and mints an amount (in base units) to a holder. */
export async function deployTokenAt(
  node: Node,
  address: string,
  holder: string,
  amount: bigint,
): Promise<void> {
  const { provider, wallet } = await createFundedAccount(node);
  const signer = new NonceManager(wallet);
  const { TestToken } = compileContracts(['test/support/TestToken.sol'], ['TestToken']);
  const deployed = await new ContractFactory(TestToken.abi, TestToken.bytecode, signer).deploy();
  await waitUntilMined(provider, deployed.deploymentTransaction()?.hash ?? '');
  const code = await provider.getCode(await deployed.getAddress());
  await provider.send('anvil_setCode', [address, code]);
  const data = erc20.encodeFunctionData('mint', [holder, amount]);
  await waitUntilMined(provider, (await signer.sendTransaction({ to: address, data })).hash);
  provider.destroy();
}

/**
 * Waits until a transaction is `depth` blocks deep. The method `wait` of ethers waits for another block if the transaction
 * is mined while it starts. A node that mines only when it receives transactions never produces that block.
 */
async function waitUntilMined(provider: JsonRpcProvider, hash: string, depth = 1): Promise<void> {
  await eventually(`${hash} is ${depth} blocks deep`, async () => {
    const receipt = await provider.getTransactionReceipt(hash);
    return receipt !== null && (await receipt.confirmations()) >= depth;
  });
}

/** Creates an account with 1,000,000 native coins. */
export async function createFundedAccount({ chainRpcUrl, chainId }: Node) {
  // A custom network, since ethers asks public gas stations for the fees of some known chains.
  const network = new Network('test', chainId);
  const options = { staticNetwork: network, cacheTimeout: -1, pollingInterval: 100 };
  const provider = new JsonRpcProvider(chainRpcUrl, network, options);
  const { address, privateKey } = Wallet.createRandom();
  await provider.send('anvil_setBalance', [address, `0x${(10n ** 24n).toString(16)}`]);
  return { provider, address, wallet: new Wallet(privateKey, provider) };
}
