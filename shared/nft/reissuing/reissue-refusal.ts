import { checkAuthorization } from '../../catalog/contracts/check-authorization.ts';
import { getEvent } from '../../catalog/events/store.ts';
import {
  ChainUnreachable,
  type Connection,
  readFromAnyNode,
  readPositiveFromAnyNode,
} from '../../chain/connection.ts';
import { deriveOrderKey, simulateMint } from '../../chain/contract-calls.ts';
import { expectedMintGas, gasCeiling, readGasCap } from '../../chain/gas.ts';
import { issueNumber, type Order } from '../../orders/order.ts';
import type { Reissue } from './conclude-reissue.ts';

/**
 * Checks that tickets can be minted again, before they are burned. Returns the reason, as a sentence, why they can't;
 * undefined when they can.
 * @param minter the account that burns and mints the tickets
 * @throws ChainUnreachable when the nodes do not answer or disagree
 */
export async function findReissueRefusal(
  connection: Connection,
  { chainId, contract, quantity, reissue }: Reissue,
  order: Order,
  minter: string,
): Promise<string | undefined> {
  const { organizerId } = await getEvent(order.eventId);
  const status = await checkAuthorization({ chainId, contractAddress: contract, organizerId });
  if (status === 'unchecked')
    throw new ChainUnreachable('The contract’s administrator could not be read from the chain');
  if (status !== 'authorized') return `The organizer no longer administers the contract ${contract}`;
  const key = deriveOrderKey(chainId, contract, order.id, issueNumber(order) + 1);
  const mint = { orderKey: key, to: reissue.wallet, quantity };
  const gasCap = await readFromAnyNode(connection, readGasCap);
  const ceiling = gasCeiling(expectedMintGas(1, quantity), gasCap, connection.chain);
  const result = await readPositiveFromAnyNode(
    connection,
    (node) => simulateMint(node, minter, contract, [mint], ceiling),
    (result) => 'gas' in result,
  );
  return 'refusal' in result ? result.refusal.message : undefined;
}
