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

/** Wallets that pay as buyers' do, on a node that lets tests do as they please. */

export interface Node {
  chainRpcUrl: string;
  chainId: number;
}

/** What the initialize answer says about paying on a chain. */
export interface Instructions {
  to: string;
  token: string | null;
  amount: string;
  data: string;
}

export interface BuyerWallet {
  address: string;
  /**
   * Pays as instructed; `changes` have it do something else.
   * @returns the transaction's hash, at once: it is mined later
   */
  pay(instructions: Instructions, changes?: Partial<Instructions>): Promise<string>;
  /** As `pay`, but nothing is sent before `send`. */
  prepare(
    instructions: Instructions,
    changes?: Partial<Instructions>,
  ): Promise<{ hash: string; send(): Promise<unknown> }>;
  /** Until a transaction is so many blocks deep: 1 is in the newest one. */
  mined(hash: string, depth?: number): Promise<void>;
  end(): void;
}

const erc20 = new Interface([
  'function transfer(address to, uint256 amount)',
  'function mint(address to, uint256 amount)',
]);

/** A new wallet with plenty of the chain's own coin. */
export async function openWallet(node: Node): Promise<BuyerWallet> {
  const { provider, wallet, address } = await newAccount(node);
  let nonce = 0;
  const prepare: BuyerWallet['prepare'] = async (instructions, changes = {}) => {
    const { to, token, amount, data } = { ...instructions, ...changes };
    const call = token
      ? { to: token, data: erc20.encodeFunctionData('transfer', [to, amount]) + data.slice(2) }
      : { to, value: BigInt(amount), data };
    // Enough gas for all of these, so that one which fails is sent all the same.
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
    mined: async (hash, depth = 1) => {
      await provider.waitForTransaction(hash, depth, 30_000);
    },
    end: () => provider.destroy(),
  };
}

/** Puts a token at an address, as if its issuer had, and gives somebody an amount of it (base units). */
export async function placeToken(node: Node, address: string, holder: string, amount: bigint): Promise<void> {
  const { provider, wallet } = await newAccount(node);
  const signer = new NonceManager(wallet);
  const { TestToken } = compileContracts(['test/support/TestToken.sol'], ['TestToken']);
  const deployed = await new ContractFactory(TestToken.abi, TestToken.bytecode, signer).deploy();
  await deployed.waitForDeployment();
  const code = await provider.getCode(await deployed.getAddress());
  await provider.send('anvil_setCode', [address, code]);
  const data = erc20.encodeFunctionData('mint', [holder, amount]);
  await (await signer.sendTransaction({ to: address, data })).wait();
  provider.destroy();
}

/** A new account with plenty of the chain's own coin. */
export async function newAccount({ chainRpcUrl, chainId }: Node) {
  // ethers would ask some chains' public gas stations for fees, by their id.
  const network = new Network('test', chainId);
  const options = { staticNetwork: network, cacheTimeout: -1, pollingInterval: 100 };
  const provider = new JsonRpcProvider(chainRpcUrl, network, options);
  const { address, privateKey } = Wallet.createRandom();
  await provider.send('anvil_setBalance', [address, `0x${(10n ** 24n).toString(16)}`]);
  return { provider, address, wallet: new Wallet(privateKey, provider) };
}
