import { Reply } from './endpoint.ts';

/** Returns whether the `Accept` header begins with CSV. Otherwise the client gets JSON. */
export function prefersCsv(getHeader: (name: string) => string | undefined): boolean {
  return getHeader('accept')?.trim().toLowerCase().startsWith('text/csv') ?? false;
}

/**
 * Returns a CSV file as a download.
 * @param name the name of the file, without `.csv`
 * @param nextCursor the cursor of the next file of the export, sent in the header `x-next-cursor`; null for the last file
 */
export function csvReply(name: string, { csv, nextCursor }: { csv: string; nextCursor: string | null }) {
  const headers = {
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': `attachment; filename="${name}.csv"`,
    ...(nextCursor && { 'x-next-cursor': nextCursor }),
  };
  return new Reply(csv, { headers });
}
