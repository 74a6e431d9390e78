import { AbiCoder, ContractFactory, type HDNodeWallet, id, keccak256, type Wallet, ZeroHash } from 'ethers';
import { deployTicketContract } from '../../infra/contracts/deploy-ticket-contract.ts';
import { compileContracts } from '../../infra/contracts/solc.ts';
import { rpc } from '../../infra/local/services/chain.ts';
import { developmentWallet } from '../../infra/local/services/contract.ts';
import { call } from './http.ts';
import type { Person } from './people.ts';
import { sharedStack } from './stack.ts';
import { createFundedAccount } from './wallet.ts';

/**
 * Deploys an organizer's own ticket contract, in which the stack's minter may mint.
 * @param admin the address with the admin role
 * @returns the contract's address
 */
export async function deployOwnContract(
  deployer: Wallet | HDNodeWallet,
  admin = deployer.address,
): Promise<string> {
  return deployTicketContract({
    rpcUrl: sharedStack().chainRpcUrl,
    deployerKey: deployer.privateKey,
    name: 'Own tickets',
    symbol: 'OWN',
    admin,
    minters: [developmentWallet(1).address],
  });
}

/** Creates a wallet with coins on the stack's chain. */
export async function createFundedWallet() {
  return (await createFundedAccount(sharedStack())).wallet;
}

/** Deploys a contract wallet (ERC-1271) with an owner. @returns its address */
export async function deployContractWallet(owner: Wallet | HDNodeWallet): Promise<string> {
  const { TestWallet } = compileContracts(['test/support/TestWallet.sol'], ['TestWallet']);
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
  caller: Partial<Person>,
  address: string,
  purpose: 'login' | 'link' | 'contract' = 'contract',
): Promise<string> {
  const body = { address, chainId: sharedStack().chainId, purpose };
  const answer = await call('POST', '/api/auth/wallet/challenge', { token: caller.token, body });
  if (answer.status !== 200) throw new Error(`No challenge: ${JSON.stringify(answer.body)}`);
  return answer.body.message;
}
