import { createPublicClient, custom } from 'viem';
import { verifyMessage } from 'viem/utils';
import { ChainUnreachable, connect, findAgreedAnswer, type RpcNode, readFromAllNodes } from './connection.ts';

interface SignedText {
  /** Checksummed. */
  address: string;
  chainId: number;
  message: string;
  /** Hex. */
  signature: string;
}

/**
 * What signed a message: the wallet's private key, whose signatures are valid on every chain, or the wallet's contract,
 * whose signatures are valid on its own chain only.
 */
export type SignerKind = 'key' | 'contract';

/**
 * Returns what signed a message (EIP-191) for a wallet; undefined for an invalid signature. A signature by a private
 * key is verified offline. Any other signature is verified on chain, by ERC-1271, or by ERC-6492 for a contract that is
 * not deployed yet; it counts as invalid when the chain is not configured. Two nodes must agree when at least two are
 * configured.
 * @throws ChainUnreachable when the nodes do not answer, or disagree
 */
export async function findSignerKind({
  address,
  chainId,
  message,
  signature,
}: SignedText): Promise<SignerKind | undefined> {
  const signedText = { address: address as `0x${string}`, message, signature: signature as `0x${string}` };
  if (await verifyMessage(signedText).catch(() => false)) return 'key';
  const connection = await connect(chainId);
  if (!connection) return undefined;
  const answers = await readFromAllNodes(connection, async (node) => {
    // The library reports a node that does not answer as an invalid signature. So the node is called first, which
    // throws when it does not answer.
    await node.call<string>('eth_getCode', [address, 'latest']);
    return createViemClient(node).verifyMessage(signedText);
  });
  const answer = findAgreedAnswer(connection, answers);
  if (answer === undefined)
    throw new ChainUnreachable(`The nodes of ${connection.chain.name} do not answer, or disagree`);
  return answer ? 'contract' : undefined;
}

function createViemClient(node: RpcNode) {
  const request = ({ method, params }: { method: string; params?: unknown[] }) =>
    node.call(method, params ?? []);
  return createPublicClient({ transport: custom({ request }, { retryCount: 0 }) });
}
