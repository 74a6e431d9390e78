import { createPublicClient, custom } from 'viem';
import { verifyMessage } from 'viem/utils';
import { agreed, ChainUnreachable, connect, type Endpoint, readAll } from './connection.ts';

interface SignedText {
  /** Checksummed. */
  address: string;
  chainId: number;
  message: string;
  /** Hex. */
  signature: string;
}

/** Who signed a message: the wallet's own key, which is the same on every chain, or its contract on one chain. */
export type Signer = 'key' | 'contract';

/**
 * Returns who signed a message (EIP-191) for a wallet; undefined when nobody did. A key's own signature needs no chain.
 * Otherwise the wallet may be a contract: then the chain decides by ERC-1271, or by ERC-6492 for one that is not deployed
 * yet, and two nodes must agree where two are configured.
 * @throws ChainUnreachable when the nodes do not answer, or disagree
 */
export async function findSigner({
  address,
  chainId,
  message,
  signature,
}: SignedText): Promise<Signer | undefined> {
  const signed = { address: address as `0x${string}`, message, signature: signature as `0x${string}` };
  if (await verifyMessage(signed).catch(() => false)) return 'key';
  const connection = await connect(chainId);
  if (!connection) return undefined;
  const answers = await readAll(connection, async (node) => {
    // The library takes a node that does not answer for a contract that refuses, so the node is asked first.
    await node.call<string>('eth_getCode', [address, 'latest']);
    return clientOf(node).verifyMessage(signed);
  });
  const answer = agreed(connection, answers);
  if (answer === undefined) throw new ChainUnreachable(`No endpoint of ${connection.chain.name} answers`);
  return answer ? 'contract' : undefined;
}

function clientOf(node: Endpoint) {
  const request = ({ method, params }: { method: string; params?: unknown[] }) =>
    node.call(method, params ?? []);
  return createPublicClient({ transport: custom({ request }, { retryCount: 0 }) });
}
