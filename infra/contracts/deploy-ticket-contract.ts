import { ContractFactory, getCreateAddress, type TransactionResponse, Wallet } from 'ethers';
import { connect } from './connect.ts';
import { metadataUrls } from './metadata-urls.ts';
import artifact from './ticket-contract.json' with { type: 'json' };

export interface Deployment {
  rpcUrl: string;
  /** Private key of the account that pays. */
  deployerKey: string;
  name: string;
  symbol: string;
  /** Addresses that may mint. */
  minters: string[];
  /** Addresses that may burn refunded tickets; default the minters, since the service does both with one key. */
  burners?: string[];
  /** The service's public address, from which the next two follow where they are not given. */
  apiUrl?: string;
  /** What stands before the token id in token URIs; default none. */
  baseUri?: string;
  /** Where the collection's metadata is; default none. */
  contractUri?: string;
  /** Default true; the admin can change it later. */
  transfersAllowed?: boolean;
  /** The address that grants roles and changes the settings above; default the deployer's. */
  admin?: string;
  /** Refuses to deploy when the endpoint serves another chain. */
  chainId?: number;
  /** Called once the transaction is sent, before it is mined. */
  onSent?: (transactionHash: string) => void;
}

const miningMilliseconds = 5 * 60_000;

/**
 * Deploys the ticket contract, ready to mint: one transaction, mined when this returns.
 * @returns the contract's address, checksummed.
 * @throws Error in one sentence when nobody answers at the RPC endpoint, when it serves another chain than asked
 * for, or when the transaction is not mined in time; ethers' own for the rest, such as too little to pay with.
 */
export async function deployTicketContract(deployment: Deployment): Promise<string> {
  const { rpcUrl, deployerKey, name, symbol, minters, burners = minters, apiUrl } = deployment;
  const provider = await connect(rpcUrl, deployment.chainId);
  try {
    const deployer = new Wallet(deployerKey, provider);
    const admin = deployment.admin ?? deployer.address;
    // The URLs contain the address, which follows from the nonce. Another transaction of the deployer in between
    // takes the nonce, and this one is refused: a contract is never deployed with another's URLs.
    const nonce = await deployer.getNonce('pending');
    const address = getCreateAddress({ from: deployer.address, nonce });
    const { chainId } = await provider.getNetwork();
    const urls = apiUrl ? metadataUrls(apiUrl, Number(chainId), address) : { baseUri: '', contractUri: '' };
    const { baseUri = urls.baseUri, contractUri = urls.contractUri, transfersAllowed = true } = deployment;

    const factory = new ContractFactory(artifact.abi, artifact.bytecode, deployer);
    const contract = await factory.deploy(
      name,
      symbol,
      baseUri,
      transfersAllowed,
      admin,
      minters,
      burners,
      contractUri,
      { nonce },
    );
    const transaction = contract.deploymentTransaction() as TransactionResponse;
    deployment.onSent?.(transaction.hash);
    await mined(transaction, address);
    return address;
  } finally {
    provider.destroy();
  }
}

async function mined(transaction: TransactionResponse, address: string): Promise<void> {
  await transaction.wait(1, miningMilliseconds).catch((error) => {
    if (error.code !== 'TIMEOUT') throw error;
    throw new Error(
      `Transaction ${transaction.hash} is still waiting; once it is mined, the contract is at ${address}`,
    );
  });
}
