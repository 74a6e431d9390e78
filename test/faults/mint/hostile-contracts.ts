import { ContractFactory, JsonRpcProvider, Network } from 'ethers';
import { compileContracts } from '../../../infra/contracts/solc.ts';
import { developmentWallet } from '../../../infra/local/parts/contract.ts';
import type { Node } from './node.ts';

/** The behaviour of each hostile contract instead of minting. */
export const hostileKinds = ['burns 26 M gas', 'burns 20 M gas', 'lies', 'steals', 'is foreign'] as const;
export type HostileKind = (typeof hostileKinds)[number];

const files = ['test/contracts/HostileTickets.sol', 'test/contracts/PlainTickets.sol'];

/** Deploys a contract of each kind, from an account that mints nothing. @returns their addresses */
export async function deployHostileContracts(node: Node): Promise<Record<HostileKind, string>> {
  const compiled = compileContracts(files, [
    'GasBurningTickets',
    'LyingTickets',
    'StealingTickets',
    'PlainTickets',
  ]);
  const staticNetwork = new Network('drill', node.chainId);
  const provider = new JsonRpcProvider(node.url, staticNetwork, { staticNetwork, cacheTimeout: -1 });
  const deployer = developmentWallet(9).connect(provider);
  let nonce = await deployer.getNonce();
  const deploy = async ({ abi, bytecode }: { abi: object[]; bytecode: string }, ...args: unknown[]) => {
    const contract = await new ContractFactory(abi, bytecode, deployer).deploy(...args, { nonce: nonce++ });
    await node.mine();
    return contract.getAddress();
  };
  try {
    return {
      'burns 26 M gas': await deploy(compiled.GasBurningTickets, 26_000_000),
      'burns 20 M gas': await deploy(compiled.GasBurningTickets, 20_000_000),
      lies: await deploy(compiled.LyingTickets),
      steals: await deploy(compiled.StealingTickets),
      'is foreign': await deploy(compiled.PlainTickets),
    };
  } finally {
    provider.destroy();
  }
}
