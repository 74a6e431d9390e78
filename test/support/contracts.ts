import { ContractFactory, type HDNodeWallet, type Wallet } from 'ethers';
import { deployTicketContract } from '../../infra/contracts/deploy-ticket-contract.ts';
import { compileContracts } from '../../infra/contracts/solc.ts';
import { developmentWallet } from '../../infra/local/contract.ts';
import { call } from './http.ts';
import type { Person } from './people.ts';
import { sharedStack } from './stack.ts';
import { newAccount } from './wallet.ts';

/** Deploys a ticket contract of somebody's own, on which the stack's minter may mint. @returns its address */
export async function deployOwnContract(
  admin: Wallet | HDNodeWallet,
  administrator = admin.address,
): Promise<string> {
  return deployTicketContract({
    rpcUrl: sharedStack().chainRpcUrl,
    deployerKey: admin.privateKey,
    name: 'Own tickets',
    symbol: 'OWN',
    admin: administrator,
    minters: [developmentWallet(1).address],
  });
}

/** A wallet with coins on the stack's chain. */
export async function fundedWallet() {
  return (await newAccount(sharedStack())).wallet;
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

/** The message that the API has a wallet sign. */
export async function challenge(
  caller: Person,
  address: string,
  purpose: 'login' | 'link' | 'contract' = 'contract',
): Promise<string> {
  const body = { address, chainId: sharedStack().chainId, purpose };
  const answer = await call('POST', '/api/auth/wallet/challenge', { token: caller.token, body });
  if (answer.status !== 200) throw new Error(`No challenge: ${JSON.stringify(answer.body)}`);
  return answer.body.message;
}
