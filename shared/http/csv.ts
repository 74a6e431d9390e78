import { Reply } from './endpoint.ts';

/** Returns whether the client asks for CSV instead of JSON. */
export function wantsCsv(header: (name: string) => string | undefined): boolean {
  return header('accept')?.trim().toLowerCase().startsWith('text/csv') ?? false;
}

/** A CSV file as a download; `x-next-cursor` continues an export that is longer than one file. */
export function csvReply(name: string, { csv, nextCursor }: { csv: string; nextCursor: string | null }) {
  const headers = {
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': `attachment; filename="${name}.csv"`,
    ...(nextCursor && { 'x-next-cursor': nextCursor }),
  };
  return new Reply(csv, { headers });
}
