/** Formats a Markdown table, with the first column left-aligned and all others right-aligned. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map((_, index) => (index === 0 ? '---' : '---:')), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/** Formats a number with a fixed number of decimals. @returns a dash for NaN, which means not measured */
export function formatNumber(value: number, digits = 0): string {
  if (Number.isNaN(value)) return '–';
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export const formatPercent = (share: number, digits = 0) => `${formatNumber(share * 100, digits)} %`;
export const formatDollars = (amount: number) => `$${formatNumber(amount, 2)}`;
