import { FetchRequest, JsonRpcProvider, Network } from 'ethers';

const requestMilliseconds = 20_000;

/**
 * Connects to the RPC endpoint of a chain. The caller destroys the provider.
 * @param expected the chain that it has to serve; any when undefined
 * @throws Error in one sentence when nobody answers, or when it serves another chain.
 */
export async function connect(rpcUrl: string, expected?: number): Promise<JsonRpcProvider> {
  const request = new FetchRequest(rpcUrl);
  request.timeout = requestMilliseconds;
  // Asks for the chain first, since a provider without a known chain retries for ever when nobody answers.
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
  // For some chains ethers would ask a third party for fees, and not this endpoint.
  const staticNetwork = new Network('unnamed', chainId);
  // Uncached, because the next transaction needs the nonce after the one just mined.
  const options = { staticNetwork, pollingInterval: 500, cacheTimeout: -1 };
  return new JsonRpcProvider(request, staticNetwork, options);
}
