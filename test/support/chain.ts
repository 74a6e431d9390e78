import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import {
  AbiCoder,
  ContractFactory,
  type HDNodeWallet,
  Interface,
  id,
  JsonRpcProvider,
  keccak256,
  Network,
  NonceManager,
  toBeHex,
  Wallet,
  ZeroHash,
} from 'ethers';
import { compileContracts } from '../../infra/contracts/compile.ts';
import { deployTicketContract } from '../../infra/contracts/deploy-ticket-contract.ts';
import { findAnvil, rpc } from '../../infra/local/services/chain.ts';
import { developmentWallet } from '../../infra/local/services/contract.ts';
import { listen } from '../../infra/local/services/process.ts';
import { eventually } from './eventually.ts';
import type { Caller } from './fixtures.ts';
import type { Answer } from './http.ts';
import { sharedStack } from './stack.ts';

/** Nodes, wallets, tokens and contracts of test chains. */

const testContracts = 'test/support/TestContracts.sol';
type Signer = Wallet | HDNodeWallet;

/** Enables EIP-7825's limit of 2^24 gas per transaction, which anvil disables by default. */
const gasLimitOptions = ['--hardfork', 'osaka', '--enable-tx-gas-limit'];

export interface Anvil {
  url: string;
  chainId: number;
  pid: number;
  stop(): Promise<void>;
}

/**
 * Starts anvil, an EVM node, on a free loopback port. By default it mines every transaction at once.
 * @param args further command-line arguments of anvil
 * @throws Error when anvil is not installed or does not respond within 30 seconds
 */
export async function startAnvil({ chainId = 31337, args = [] as string[] } = {}): Promise<Anvil> {
  const probe = createServer();
  const port = await listen(probe, 0);
  probe.close();
  const child = spawn(
    findAnvil() ?? 'anvil',
    [
      '--host',
      '127.0.0.1',
      '--port',
      `${port}`,
      '--chain-id',
      `${chainId}`,
      '--quiet',
      ...gasLimitOptions,
      ...args,
    ],
    { stdio: 'ignore' },
  );
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const failed = new Promise<never>((_, reject) => {
    child.once('error', ({ message }) => reject(new Error(`anvil can't be started: ${message}`)));
    child.once('close', (code) => reject(new Error(`anvil ended with code ${code}`)));
  });
  failed.catch(() => {});
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
  };

  const url = `http://127.0.0.1:${port}`;
  await Promise.race([waitForResponse(url), failed]).catch(async (error) => {
    child.kill('SIGKILL');
    throw error;
  });
  return { url, chainId, pid: child.pid ?? 0, stop };
}

async function waitForResponse(url: string): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] });
  const headers = { 'content-type': 'application/json' };
  const isUp = () =>
    fetch(url, { method: 'POST', headers, body })
      .then(({ ok }) => ok)
      .catch(() => false);
  await eventually('anvil answers', isUp, { seconds: 30, intervalMilliseconds: 25 });
}

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
  const { TestToken } = compileContracts([testContracts], ['TestToken']);
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

/** Creates a wallet with a random key. */
export const createWallet = (): HDNodeWallet => Wallet.createRandom();

/** Creates an account with 1,000,000 native coins. */
export async function createFundedAccount(node: Node = sharedStack()) {
  const provider = openProvider(node);
  const { address, privateKey } = Wallet.createRandom();
  await provider.send('anvil_setBalance', [address, `0x${(10n ** 24n).toString(16)}`]);
  return { provider, address, wallet: new Wallet(privateKey, provider) };
}

function openProvider({ chainRpcUrl, chainId }: Node): JsonRpcProvider {
  // A custom network, since ethers asks public gas stations for the fees of some known chains.
  const network = new Network('test', chainId);
  return new JsonRpcProvider(chainRpcUrl, network, {
    staticNetwork: network,
    cacheTimeout: -1,
    pollingInterval: 100,
  });
}

/** The contract and id of a token, as in the API. */
export interface TokenReference {
  contractAddress: string;
  tokenId: string;
}

const erc721 = new Interface([
  'function ownerOf(uint256 tokenId) view returns (address)',
  'function transferFrom(address from, address to, uint256 tokenId)',
  'function locked(uint256 tokenId) view returns (bool)',
]);

/** Sends a token, and waits until the transaction is `depth` blocks deep (1: in the latest block). */
export async function sendToken(
  from: Signer,
  to: string,
  { contractAddress, tokenId }: TokenReference,
  depth = 1,
  node: Node = sharedStack(),
): Promise<void> {
  const provider = openProvider(node);
  try {
    const { hash, send } = await prepareTransfer(from, to, { contractAddress, tokenId }, node);
    await send();
    await waitUntilMined(provider, hash, depth);
  } finally {
    provider.destroy();
  }
}

/** Signs the transfer of a token. `send` broadcasts it, by one request. */
export async function prepareTransfer(
  from: Signer,
  to: string,
  { contractAddress, tokenId }: TokenReference,
  { chainRpcUrl, chainId }: Node = sharedStack(),
): Promise<{ hash: string; send(): Promise<unknown> }> {
  const provider = openProvider({ chainRpcUrl, chainId });
  try {
    await provider.send('anvil_setBalance', [from.address, '0xde0b6b3a7640000']);
    const data = erc721.encodeFunctionData('transferFrom', [from.address, to, tokenId]);
    const signer = from.connect(provider);
    const transaction = await signer.populateTransaction({ to: contractAddress, data });
    const raw = await signer.signTransaction(transaction);
    return { hash: keccak256(raw), send: () => rpc(chainRpcUrl, 'eth_sendRawTransaction', [raw]) };
  } finally {
    provider.destroy();
  }
}

/** Reads the owners of tokens on the shared stack's chain. @throws when one of them is burned. @returns checksummed addresses */
export function readOwners(tokens: readonly TokenReference[]): Promise<string[]> {
  return readTokens('ownerOf', tokens);
}

/** Reads whether tokens on the shared stack's chain are locked. @throws when one of them is burned */
export function readLocks(tokens: readonly TokenReference[]): Promise<boolean[]> {
  return readTokens('locked', tokens);
}

/** Reads the blocks in which a token on the shared stack's chain was minted, sent and burned. */
export async function readTransferBlocks({ tokenId, contractAddress }: TokenReference): Promise<number[]> {
  const topics = [id('Transfer(address,address,uint256)'), null, null, toBeHex(tokenId, 32)];
  const filter = { address: contractAddress, topics, fromBlock: '0x0', toBlock: 'latest' };
  const logs = await rpc<{ blockNumber: string }[]>(sharedStack().chainRpcUrl, 'eth_getLogs', [filter]);
  return logs.map(({ blockNumber }) => Number(blockNumber));
}

function readTokens<Value>(method: string, tokens: readonly TokenReference[]): Promise<Value[]> {
  return Promise.all(
    tokens.map(async ({ tokenId, contractAddress: to }) => {
      const data = erc721.encodeFunctionData(method, [tokenId]);
      const answer = await rpc<string>(sharedStack().chainRpcUrl, 'eth_call', [{ to, data }, 'latest']);
      return erc721.decodeFunctionResult(method, answer)[0];
    }),
  );
}

/** Deploys an organizer's own ticket contract, in which the stack's minter may mint. @returns the contract's address */
export function deployOwnContract(deployer: Signer, admin = deployer.address): Promise<string> {
  return deployTicketContract({
    rpcUrl: sharedStack().chainRpcUrl,
    deployerKey: deployer.privateKey,
    name: 'Own tickets',
    symbol: 'OWN',
    admin,
    minters: [developmentWallet(1).address],
  });
}

/** Deploys a contract wallet (ERC-1271) with an owner. @returns its address */
export async function deployContractWallet(owner: Signer): Promise<string> {
  const { TestWallet } = compileContracts([testContracts], ['TestWallet']);
  const deployed = await new ContractFactory(TestWallet.abi, TestWallet.bytecode, owner).deploy(
    owner.address,
  );
  await deployed.waitForDeployment();
  return deployed.getAddress();
}

const transferTopic = id('Transfer(address,address,uint256)');

/** Returns the number of tokens that a contract has minted. */
export async function countMinted(address: string): Promise<number> {
  const filter = { address, fromBlock: '0x0', topics: [transferTopic, `0x${'0'.repeat(64)}`] };
  return (await rpc<unknown[]>(sharedStack().chainRpcUrl, 'eth_getLogs', [filter])).length;
}

/**
 * Removes a wallet's admin role from the contract's storage: a transfer of the role would take a day. The role is an
 * entry of a mapping in a mapping, in one of the contract's first slots.
 */
export async function removeAdminRole(contract: string, { address }: Wallet | HDNodeWallet): Promise<void> {
  const { chainRpcUrl } = sharedStack();
  const coder = AbiCoder.defaultAbiCoder();
  for (let slot = 0; slot < 20; slot++) {
    const members = keccak256(coder.encode(['bytes32', 'uint256'], [ZeroHash, slot]));
    const member = keccak256(coder.encode(['address', 'bytes32'], [address, members]));
    const value = await rpc<string>(chainRpcUrl, 'eth_getStorageAt', [contract, member, 'latest']);
    if (BigInt(value) !== 1n) continue;
    await rpc(chainRpcUrl, 'anvil_setStorageAt', [contract, member, ZeroHash]);
    return;
  }
  throw new Error(`${address} has no admin role`);
}

/** Requests a wallet challenge and returns its message. */
export async function requestChallenge(
  caller: Caller,
  address: string,
  purpose: 'login' | 'link' | 'contract' = 'contract',
): Promise<string> {
  const body = { address, chainId: sharedStack().chainId, purpose };
  const answer = await caller.post('/api/auth/wallet/challenge', body);
  if (answer.status !== 200) throw new Error(`No challenge: ${JSON.stringify(answer.body)}`);
  return answer.body.message;
}

/** Requests a wallet challenge and signs it. */
export async function requestSignedChallenge(
  caller: Caller,
  wallet: Signer,
  purpose: 'login' | 'link' | 'contract',
): Promise<{ message: string; signature: string }> {
  const message = await requestChallenge(caller, wallet.address, purpose);
  return { message, signature: await wallet.signMessage(message) };
}

export const verifyWallet = (caller: Caller, message: string, signature: string): Promise<Answer> =>
  caller.post('/api/auth/wallet/verify', { message, signature });

/** Links a wallet to a person's account. */
export async function linkWallet(person: Caller, wallet: Signer): Promise<Answer> {
  const { message, signature } = await requestSignedChallenge(person, wallet, 'link');
  return verifyWallet(person, message, signature);
}
