import { Interface } from 'ethers/abi';
import { rpc } from '../../infra/local/services/chain.ts';
import { eventually } from './eventually.ts';
import { type Answer, call } from './http.ts';
import type { Person } from './people.ts';
import { readOrder } from './sales.ts';
import { sharedStack } from './stack.ts';

/** A ticket in the API. */
export interface TicketView {
  id: string;
  tokenId: string;
  contractAddress: string;
  chainId: number;
  txHash: string;
  owner: string;
  checkInCode: string;
  checkedInAt: string | null;
}

const erc721 = new Interface(['function ownerOf(uint256 tokenId) view returns (address)']);

/** Polls an order until its tickets are minted. */
export function waitForMintedOrder(buyer: Person, orderId: string) {
  return eventually('the tickets are minted', async () => {
    const order = await readOrder(buyer, orderId);
    return order.fulfilment.status === 'minted' && order;
  });
}

/** Lists the tickets of an order as its buyer. */
export async function listTickets({ token }: Person, orderId: string): Promise<TicketView[]> {
  return (await call('GET', `/api/tickets?orderId=${orderId}`, { token })).body.tickets;
}

/**
 * Reads the owners of the tickets' tokens from the contract on the shared stack's chain. @returns checksummed addresses
 */
export function readOwners(tickets: TicketView[]): Promise<string[]> {
  const { chainRpcUrl } = sharedStack();
  return Promise.all(
    tickets.map(async ({ tokenId, contractAddress: to }) => {
      const data = erc721.encodeFunctionData('ownerOf', [tokenId]);
      const answer = await rpc<string>(chainRpcUrl, 'eth_call', [{ to, data }, 'latest']);
      return erc721.decodeFunctionResult('ownerOf', answer)[0];
    }),
  );
}

/** Checks a code in. @param eventId the event whose codes are accepted; by default any event */
export function checkIn(code: unknown, { token }: Partial<Person>, eventId?: string): Promise<Answer> {
  return call('POST', '/api/tickets/check-in', { token, body: { code, eventId } });
}
