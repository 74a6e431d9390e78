const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for the content and the attributes of HTML and XML. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] as string);
}

/** The value of a cell. */
export type Cell = string | number | null;

/**
 * Formats a table as CSV by RFC 4180: lines end with CRLF, and text is quoted. Text that a spreadsheet would evaluate
 * as a formula gets an apostrophe, since users choose names and e-mails: at its beginning, and where a cell begins for a
 * spreadsheet that separates by semicolons, as Excel does in much of Europe.
 */
export function toCsv(header: readonly string[], rows: readonly Cell[][]): string {
  return [header, ...rows].map((row) => `${row.map(toCell).join(',')}\r\n`).join('');
}

function toCell(value: Cell): string {
  if (typeof value === 'number') return String(value);
  const text = value ?? '';
  const escaped = /^[\s\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u.test(text) ? `'${text}` : text;
  // To such a spreadsheet, the quotes do not enclose the text.
  const inner = escaped.replace(/([;\t\r\n][\s\p{Cf}"]*)(?=[=+\-@＝＋－＠])/gu, "$1'");
  return `"${inner.replaceAll('"', '""')}"`;
}
