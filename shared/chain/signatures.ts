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

/** Verifies offline whether a wallet's private key signed a message (EIP-191). Its signatures are valid on every chain. */
export function isSignedByKey(signedText: SignedText): Promise<boolean> {
  return verifyMessage(toViem(signedText)).catch(() => false);
}

/**
 * Verifies on chain whether a wallet's contract signed a message (EIP-191), by ERC-1271, or by ERC-6492 for a contract that
 * is not deployed yet. Its signatures are valid on its own chain only, and invalid when that is not configured. Two nodes
 * must agree when at least two are configured.
 * @throws ChainUnreachable when the nodes do not answer, or disagree
 */
export async function isSignedByContract(signedText: SignedText): Promise<boolean> {
  const { address, chainId } = signedText;
  const connection = await connect(chainId);
  if (!connection) return false;
  const answers = await readFromAllNodes(connection, async (node) => {
    // The library reports a node that does not answer as an invalid signature. So the node is called first, which
    // throws when it does not answer.
    await node.call<string>('eth_getCode', [address, 'latest']);
    return createViemClient(node).verifyMessage(toViem(signedText));
  });
  const answer = findAgreedAnswer(connection, answers);
  if (answer === undefined)
    throw new ChainUnreachable(`The nodes of ${connection.chain.name} do not answer, or disagree`);
  return answer;
}

function toViem({ address, message, signature }: SignedText) {
  return { address: address as `0x${string}`, message, signature: signature as `0x${string}` };
}

function createViemClient(node: RpcNode) {
  const request = ({ method, params }: { method: string; params?: unknown[] }) =>
    node.call(method, params ?? []);
  return createPublicClient({ transport: custom({ request }, { retryCount: 0 }) });
}
