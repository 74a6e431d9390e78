import { FetchRequest, JsonRpcProvider, Network } from 'ethers';

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
