import { ContractFactory, FetchRequest, JsonRpcProvider, Network, Wallet } from 'ethers';
import artifact from './ticket-contract.json' with { type: 'json' };

export interface Deployment {
  rpcUrl: string;
  /** Private key of the account that pays. */
  deployerKey: string;
  name: string;
  symbol: string;
  /** Addresses that may mint and burn. */
  minters: string[];
  /** What stands before the token id in token URIs; default none. */
  baseUri?: string;
  /** Default true; the admin can change it later. */
  transfersAllowed?: boolean;
  /** The address that appoints minters and changes the two settings above; default the deployer's. */
  admin?: string;
  /** Refuses to deploy when the endpoint serves another chain. */
  chainId?: number;
}

const requestMilliseconds = 20_000;
const miningMilliseconds = 5 * 60_000;

/**
 * Deploys the ticket contract, ready to mint: one transaction, mined when this returns.
 * @returns the contract's address, checksummed.
 * @throws Error in one sentence for another chain than asked for; whatever ethers throws for the rest.
 */
export async function deployTicketContract(deployment: Deployment): Promise<string> {
  const { rpcUrl, deployerKey, name, symbol, minters, baseUri = '', transfersAllowed = true } = deployment;
  const provider = await connect(rpcUrl, deployment.chainId);
  try {
    const deployer = new Wallet(deployerKey, provider);
    const admin = deployment.admin ?? deployer.address;
    const contract = await new ContractFactory(artifact.abi, artifact.bytecode, deployer).deploy(
      name,
      symbol,
      baseUri,
      transfersAllowed,
      admin,
      minters,
    );
    await contract.deploymentTransaction()?.wait(1, miningMilliseconds);
    return await contract.getAddress();
  } finally {
    provider.destroy();
  }
}

/** Asks for the chain first, since a provider without a known chain asks for ever when nobody answers. */
async function connect(rpcUrl: string, expected?: number): Promise<JsonRpcProvider> {
  const request = new FetchRequest(rpcUrl);
  request.timeout = requestMilliseconds;
  const probe = new JsonRpcProvider(request);
  const { chainId } = await probe._detectNetwork().finally(() => probe.destroy());
  if (expected !== undefined && chainId !== BigInt(expected)) {
    throw new Error(`The RPC endpoint serves chain ${chainId}, not ${expected}`);
  }
  // A network of our own: ethers' idea of chain 137 asks a gas station on the internet for fees.
  const network = new Network(`chain-${chainId}`, chainId);
  return new JsonRpcProvider(request, network, { staticNetwork: network, pollingInterval: 500 });
}
