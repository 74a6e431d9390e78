import { FetchRequest, getAddress, JsonRpcProvider, Network, Wallet, ZeroAddress } from 'ethers';
import { splitList } from '../../shared/core/schemas.ts';

/** Arguments of the contract commands. Every error is one sentence that names the argument. */

/** A chain and its RPC endpoint. */
export interface ChainArguments {
  chainId: number;
  rpcUrl: string;
}

/** Reads the chain's arguments. @throws Error when the chain is missing or not a number, or has no endpoint */
export function parseChain(
  values: { chain?: string; 'rpc-url'?: string },
  env: NodeJS.ProcessEnv,
): ChainArguments {
  const chainId = Number(requireArgument(values.chain, '--chain'));
  if (!Number.isSafeInteger(chainId) || chainId < 1) throw new Error('--chain must be the number of a chain');
  const variable = `CHAIN_${chainId}_RPC_URLS`;
  const [rpcUrl] = splitList(values['rpc-url'] ?? env[variable] ?? '');
  return { chainId, rpcUrl: requireArgument(rpcUrl, `--rpc-url, or ${variable} in the environment`) };
}

/** Returns a required value. @throws Error when there is none */
export function requireArgument(value: string | undefined, name: string): string {
  if (!value) throw new Error(`Give ${name}`);
  return value;
}

/** Parses an address. @returns the address with its checksum @throws Error when it is invalid or the zero address */
export function parseAccountAddress(text: string, name: string): string {
  const parsed = parseAddress(text, name);
  if (parsed === ZeroAddress) throw new Error(`${name} must not be the zero address`);
  return parsed;
}

function parseAddress(text: string, name: string): string {
  try {
    return getAddress(text);
  } catch {
    throw new Error(`${name} must be an address with a valid checksum, but is ${text}`);
  }
}

/** Returns the address of a private key. @throws Error when the key is invalid */
export function addressOfKey(key: string, name: string): string {
  try {
    return new Wallet(key).address;
  } catch {
    throw new Error(`${name} is not a private key`);
  }
}

/** Parses an http(s) URL. @returns the URL without a final slash @throws Error when the text is not an http(s) URL */
export function parseHttpUrl(text: string, name: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new Error(`${name} must be an http(s) URL, but is ${text}`);
  }
  return text.replace(/\/+$/, '');
}

const requestMilliseconds = 20_000;

/**
 * Connects to the RPC endpoint of a chain. The caller destroys the provider.
 * @param expectedChainId the id of the chain that the endpoint must serve; any chain when undefined
 * @throws Error in one sentence when the endpoint doesn't respond or serves another chain
 */
export async function connect(rpcUrl: string, expectedChainId?: number): Promise<JsonRpcProvider> {
  const request = new FetchRequest(rpcUrl);
  request.timeout = requestMilliseconds;
  // Detects the chain first, since a provider without a known chain retries forever while the endpoint is down.
  const probe = new JsonRpcProvider(request);
  const { chainId } = await probe
    ._detectNetwork()
    .catch((error) => {
      throw new Error(
        `The RPC endpoint does not respond: ${error.shortMessage ?? error.code ?? error.message}`,
      );
    })
    .finally(() => probe.destroy());
  if (expectedChainId !== undefined && chainId !== BigInt(expectedChainId)) {
    throw new Error(`The RPC endpoint serves chain ${chainId}, not ${expectedChainId}`);
  }
  // A custom network, since ethers' built-in networks of some chains query a third party for fees.
  const staticNetwork = new Network('unnamed', chainId);
  // No cache: after a transaction is mined, a cached nonce is that of the mined transaction.
  const options = { staticNetwork, pollingInterval: 500, cacheTimeout: -1 };
  return new JsonRpcProvider(request, staticNetwork, options);
}
