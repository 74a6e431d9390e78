import { ContractFactory, JsonRpcProvider, Network } from 'ethers';
import { compileContracts } from '../../../infra/contracts/compile.ts';
import { developmentWallet } from '../../../infra/local/services/contract.ts';
import type { Node } from './node.ts';

/** What hostile contracts do instead of minting. See test/contracts/HostileTickets.sol. */
export const hostileKinds = [
  'burns 26 M gas',
  'burns 20 M gas',
  'reports false mints',
  'mints to its deployer',
  'has no mint function',
] as const;
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
      'reports false mints': await deploy(compiled.LyingTickets),
      'mints to its deployer': await deploy(compiled.StealingTickets),
      'has no mint function': await deploy(compiled.PlainTickets),
    };
  } finally {
    provider.destroy();
  }
}
