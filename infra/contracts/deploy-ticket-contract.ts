import { ContractFactory, getCreateAddress, type TransactionResponse, Wallet } from 'ethers';
import { connect } from './chain.ts';
import { metadataUrls } from './metadata.ts';
import artifact from './ticket-contract.json' with { type: 'json' };

export interface Deployment {
  rpcUrl: string;
  /** Private key of the deploying account. */
  deployerKey: string;
  name: string;
  symbol: string;
  /** Addresses that may mint. */
  minters: string[];
  /**
   * Addresses that may burn refunded tickets; default the minters, since the service burns and mints with the same
   * keys.
   */
  burners?: string[];
  /** The service's public address. Defaults of `baseUri` and `contractUri` are derived from it. */
  apiUrl?: string;
  /** The prefix of token URIs, before the token id; default none. */
  baseUri?: string;
  /** The URI of the collection's metadata; default none. */
  contractUri?: string;
  /** Default true; the admin can change it later. */
  transfersAllowed?: boolean;
  /** The address that grants roles and changes the settings above; default the deployer's. */
  admin?: string;
  /** The chain that the endpoint must serve; default any. */
  chainId?: number;
  /** Called when the transaction was sent, before it is mined. */
  onSent?: (transactionHash: string) => void;
}

const miningTimeoutMilliseconds = 5 * 60_000;

/**
 * Deploys the ticket contract, ready to mint, in one transaction, and waits until it is mined.
 * @returns the contract's address with its checksum
 * @throws Error when the RPC endpoint does not respond or serves another chain, or when the transaction is not mined
 * within five minutes; ethers' errors for other failures, such as an insufficient balance
 */
export async function deployTicketContract(deployment: Deployment): Promise<string> {
  const { rpcUrl, deployerKey, name, symbol, minters, burners = minters, apiUrl } = deployment;
  const provider = await connect(rpcUrl, deployment.chainId);
  try {
    const deployer = new Wallet(deployerKey, provider);
    const admin = deployment.admin ?? deployer.address;
    // The URLs contain the contract's address, which depends on the nonce. If another transaction of the deployer uses
    // the nonce first, the deployment is refused. So a contract never has another contract's URLs.
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
    await waitUntilMined(transaction, address);
    return address;
  } finally {
    provider.destroy();
  }
}

async function waitUntilMined(transaction: TransactionResponse, address: string): Promise<void> {
  await transaction.wait(1, miningTimeoutMilliseconds).catch((error) => {
    if (error.code !== 'TIMEOUT') throw error;
    throw new Error(
      `Transaction ${transaction.hash} is not mined yet. Once it is mined, the contract is at ${address}`,
    );
  });
}
