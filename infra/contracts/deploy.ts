import { reportFailure } from './chain-arguments.ts';
import { parseDeployment, usage } from './deploy-arguments.ts';
import { deployTicketContract } from './deploy-ticket-contract.ts';

/** `npm run deploy-contract`: see docs/contract.md. */

try {
  const deployment = parseDeployment(process.argv.slice(2), process.env);
  const onSent = (hash: string) => console.log(`transactionHash: ${hash}`);
  const address = await deployTicketContract({ ...deployment, onSent });
  console.log(`contractAddress: ${address}`);
  console.log(`chainId: ${deployment.chainId}`);
  console.log(`minters: ${deployment.minters.join(', ')}`);
  console.log(`burners: ${(deployment.burners ?? deployment.minters).join(', ')}`);
  if (!deployment.apiUrl && !deployment.baseUri) {
    console.log(
      'Wallets show blank tickets until `npm run refresh-metadata` sets the URLs of their metadata.',
    );
  }
} catch (error) {
  reportFailure('Not deployed', error, usage);
}
