import { parseArgs } from 'node:util';
import { splitList } from '../../shared/core/lists.ts';
import {
  addressOfKey,
  parseAccountAddress,
  parseChain,
  parseHttpUrl,
  requireArgument,
} from '../contracts/chain-arguments.ts';
import { type Deployment, deployTicketContract } from '../contracts/deploy-ticket-contract.ts';

/** Deploys a ticket contract: see docs/contract.md. */
export async function deployContract(args: string[]): Promise<void> {
  const deployment = parseDeployment(args, process.env);
  const onSent = (hash: string) => console.log(`transactionHash: ${hash}`);
  const address = await deployTicketContract({ ...deployment, onSent });
  console.log(`contractAddress: ${address}`);
  console.log(`chainId: ${deployment.chainId}`);
  console.log(`minters: ${deployment.minters.join(', ')}`);
  console.log(`burners: ${(deployment.burners ?? deployment.minters).join(', ')}`);
  if (!deployment.apiUrl && !deployment.baseUri) {
    console.log(
      'Wallets show blank tickets until `npm run ops -- refresh-metadata` sets the URLs of their metadata.',
    );
  }
}

/**
 * Reads a deployment from the command line and the environment.
 * @throws Error in one sentence that names the missing or invalid argument
 */
export function parseDeployment(argv: string[], env: NodeJS.ProcessEnv): Deployment & { chainId: number } {
  const { values } = parseArgs({
    args: argv,
    options: {
      chain: { type: 'string' },
      name: { type: 'string' },
      symbol: { type: 'string' },
      'rpc-url': { type: 'string' },
      'api-url': { type: 'string' },
      minter: { type: 'string', multiple: true },
      burner: { type: 'string', multiple: true },
      admin: { type: 'string' },
      'base-uri': { type: 'string' },
      'contract-uri': { type: 'string' },
      'no-transfers': { type: 'boolean' },
    },
  });
  const chain = parseChain(values, env);
  const deployerKey = requireArgument(env.DEPLOYER_PRIVATE_KEY, 'DEPLOYER_PRIVATE_KEY in the environment');
  // Throws if the key is invalid.
  addressOfKey(deployerKey, 'DEPLOYER_PRIVATE_KEY');
  const apiUrl = values['api-url'] ?? env.API_URL;
  return {
    ...chain,
    deployerKey,
    name: requireArgument(values.name, '--name'),
    symbol: requireArgument(values.symbol, '--symbol'),
    minters:
      values.minter?.map((minter) => parseAccountAddress(minter, '--minter')) ?? configuredMinters(env),
    burners: values.burner?.map((burner) => parseAccountAddress(burner, '--burner')),
    admin: values.admin === undefined ? undefined : parseAccountAddress(values.admin, '--admin'),
    apiUrl: apiUrl ? parseHttpUrl(apiUrl, values['api-url'] ? '--api-url' : 'API_URL') : undefined,
    baseUri: values['base-uri'],
    contractUri: values['contract-uri'],
    transfersAllowed: !values['no-transfers'],
  };
}

/** Returns the addresses of the private keys in MINTER_PRIVATE_KEY. */
function configuredMinters({ MINTER_PRIVATE_KEY = '' }: NodeJS.ProcessEnv): string[] {
  const keys = splitList(MINTER_PRIVATE_KEY);
  requireArgument(keys[0], '--minter, or MINTER_PRIVATE_KEY in the environment');
  return keys.map((key) => addressOfKey(key, 'MINTER_PRIVATE_KEY'));
}
