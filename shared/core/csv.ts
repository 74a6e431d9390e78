/** What a cell may hold. */
export type Cell = string | number | null;

/**
 * A table as RFC 4180 has it: lines end with CRLF, text is quoted. Text that a spreadsheet would run as a formula
 * gets an apostrophe before it, which makes it text again: names and e-mails come from strangers.
 */
export function toCsv(header: readonly string[], rows: readonly Cell[][]): string {
  return [header, ...rows].map((row) => `${row.map(toCell).join(',')}\r\n`).join('');
}

function toCell(value: Cell): string {
  if (typeof value === 'number') return String(value);
  const text = value ?? '';
  const escaped = /^[\s\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u.test(text) ? `'${text}` : text;
  return `"${escaped.replaceAll('"', '""')}"`;
}
