import { Reply } from './endpoint.ts';

/** Whether the client accepts CSV instead of JSON. */
export function acceptsCsv(header: (name: string) => string | undefined): boolean {
  return header('accept')?.trim().toLowerCase().startsWith('text/csv') ?? false;
}

/** Returns a CSV file as a download. `x-next-cursor` is the cursor of the next file of a longer export. */
export function csvReply(name: string, { csv, nextCursor }: { csv: string; nextCursor: string | null }) {
  const headers = {
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': `attachment; filename="${name}.csv"`,
    ...(nextCursor && { 'x-next-cursor': nextCursor }),
  };
  return new Reply(csv, { headers });
}
