import { deploymentFrom, usage } from './deploy-arguments.ts';
import { deployTicketContract } from './deploy-ticket-contract.ts';

/** `npm run deploy-contract`: docs/contract.md tells how to use it. */

try {
  const deployment = deploymentFrom(process.argv.slice(2), process.env);
  const address = await deployTicketContract(deployment);
  console.log(`contractAddress: ${address}`);
  console.log(`chainId: ${deployment.chainId}`);
  console.log(`minters: ${deployment.minters.join(', ')}`);
} catch (error) {
  // ethers' full messages carry whole transactions; the short ones neither those nor the endpoint's address.
  const { code, shortMessage, message } = error as { code?: string; shortMessage?: string; message: string };
  console.error(`Not deployed: ${shortMessage ?? message}`);
  if (code?.startsWith('ERR_PARSE_ARGS')) console.error(`Usage: ${usage}`);
  process.exitCode = 1;
}
