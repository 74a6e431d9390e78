/** Formats a Markdown table, with the first column left-aligned and all others right-aligned. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map((_, index) => (index === 0 ? '---' : '---:')), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

export function number(value: number, digits = 0): string {
  if (Number.isNaN(value)) return '–';
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export const percent = (share: number, digits = 0) => `${number(share * 100, digits)} %`;
export const dollars = (amount: number) => `$${number(amount, 2)}`;
