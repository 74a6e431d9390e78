import {
  ContractFactory,
  FetchRequest,
  JsonRpcProvider,
  Network,
  type TransactionResponse,
  Wallet,
} from 'ethers';
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
 * @throws Error in one sentence when nobody answers at the RPC endpoint, when it serves another chain than asked
 * for, or when the transaction is not mined in time; ethers' own for the rest, such as too little to pay with.
 */
export async function deployTicketContract(deployment: Deployment): Promise<string> {
  const { rpcUrl, deployerKey, name, symbol, minters, baseUri = '', transfersAllowed = true } = deployment;
  const provider = await connect(rpcUrl, deployment.chainId);
  try {
    const deployer = new Wallet(deployerKey, provider);
    const factory = new ContractFactory(artifact.abi, artifact.bytecode, deployer);
    const admin = deployment.admin ?? deployer.address;
    const contract = await factory.deploy(name, symbol, baseUri, transfersAllowed, admin, minters);
    const address = await contract.getAddress();
    await mined(contract.deploymentTransaction(), address);
    return address;
  } finally {
    provider.destroy();
  }
}

async function mined(transaction: TransactionResponse | null, address: string): Promise<void> {
  await transaction?.wait(1, miningMilliseconds).catch((error) => {
    if (error.code !== 'TIMEOUT') throw error;
    throw new Error(
      `Transaction ${transaction.hash} is still waiting; once it is mined, the contract is at ${address}`,
    );
  });
}

/** Asks for the chain first, since a provider without a known chain asks for ever when nobody answers. */
async function connect(rpcUrl: string, expected?: number): Promise<JsonRpcProvider> {
  const request = new FetchRequest(rpcUrl);
  request.timeout = requestMilliseconds;
  const probe = new JsonRpcProvider(request);
  const { chainId } = await probe
    ._detectNetwork()
    .catch((error) => {
      throw new Error(
        `The RPC endpoint does not answer: ${error.shortMessage ?? error.code ?? error.message}`,
      );
    })
    .finally(() => probe.destroy());
  if (expected !== undefined && chainId !== BigInt(expected)) {
    throw new Error(`The RPC endpoint serves chain ${chainId}, not ${expected}`);
  }
  // Not what ethers knows of the chain: for some it would ask a third party for fees, and not this endpoint.
  const staticNetwork = new Network('unnamed', chainId);
  return new JsonRpcProvider(request, staticNetwork, { staticNetwork, pollingInterval: 500 });
}
