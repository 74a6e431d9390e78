import { Reply } from './endpoint.ts';

/** Whether the caller asks for CSV in place of JSON. */
export function wantsCsv(header: (name: string) => string | undefined): boolean {
  return header('accept')?.trim().toLowerCase().startsWith('text/csv') ?? false;
}

/** CSV as a file to be saved; where there is more, `x-next-cursor` says where it goes on. */
export function csvReply(name: string, { csv, nextCursor }: { csv: string; nextCursor: string | null }) {
  const headers = {
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': `attachment; filename="${name}.csv"`,
    ...(nextCursor && { 'x-next-cursor': nextCursor }),
  };
  return new Reply(csv, { headers });
}
