import { DomainError } from '../../shared/core/errors.ts';
import { putTokenRanges } from '../../shared/tickets/metadata/store.ts';
import { seatNumber, toTicket } from '../../shared/tickets/ticket.ts';
import { scanTable } from './scan-table.ts';
import { setTableEnvironment } from './set-table-environment.ts';

// npm run index-tokens: stores which order each range of token ids belongs to, for tickets minted by earlier versions.
// The mint worker does the same for new tickets.

try {
  setTableEnvironment();
  const items = await scanTable();
  // The versions that reissue tickets store the ranges themselves.
  const quantities = new Map(
    items.filter(({ sk, issue }) => sk === 'ORDER' && !issue).map(({ id, quantity }) => [id, quantity]),
  );
  const firstTickets = items
    .filter(({ sk, id }) => String(sk).startsWith('TICKET#') && seatNumber(id) === 1)
    .map(toTicket)
    .filter(({ orderId }) => quantities.has(orderId));
  const ranges = firstTickets.map(
    ({ chainId, contractAddress: contract, orderId, eventId, userId, tokenId }) => {
      const quantity = Number(quantities.get(orderId));
      return { chainId, contract, orderId, eventId, userId, quantity, firstTokenId: BigInt(tokenId) };
    },
  );
  await putTokenRanges(ranges);
  console.log(`${ranges.length} orders indexed.`);
} catch (error) {
  if (!(error instanceof DomainError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
