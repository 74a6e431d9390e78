import { escapeMarkup } from '../../core/text.ts';

/** The content of a drawn ticket. All text is escaped. */
export interface TicketDrawing {
  title: string;
  /** Short lines below the title. */
  lines: readonly string[];
  /** A notice across the ticket, e.g. that it is not valid. */
  notice?: string;
  /** Determines the colour. */
  seed: string;
}

const size = 1000;
const margin = 80;
const titleColumns = 20;
const lineColumns = 42;
const maximumTitleLines = 4;

/**
 * Draws a square ticket as an SVG image without scripts, links or outside resources, and returns it as a data URI.
 */
export function drawTicket({ title, lines, notice, seed }: TicketDrawing): string {
  const hue = [...seed].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 360, 7);
  const titleLines = wrapText(title, titleColumns, maximumTitleLines);
  const linesTop = margin + 110 * titleLines.length + 90;
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" font-family="system-ui, sans-serif" fill="#fff">`,
    `<rect width="${size}" height="${size}" fill="hsl(${hue} 55% 26%)"/>`,
    `<circle cx="${size}" cy="${size}" r="420" fill="hsl(${(hue + 40) % 360} 60% 38%)"/>`,
    ...titleLines.map((line, index) =>
      textElement(line, margin + 90 + 110 * index, 'font-size="84" font-weight="700"'),
    ),
    ...lines.map((line, index) =>
      textElement(shorten(line, lineColumns), linesTop + 64 * index, 'font-size="38" fill-opacity=".9"'),
    ),
    ...(notice
      ? [
          `<rect y="${size - 190}" width="${size}" height="110" fill="#b00020"/>`,
          textElement(shorten(notice, lineColumns), size - 122, 'font-size="40" font-weight="700"'),
        ]
      : []),
    '</svg>',
  ].join('');
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}

function textElement(line: string, y: number, attributes: string): string {
  return `<text x="${margin}" y="${y}" ${attributes}>${escapeXml(line)}</text>`;
}

/** Breaks text at spaces into lines. If there are too many, the last line contains the rest, shortened. */
function wrapText(text: string, columns: number, maximum: number): string[] {
  const lines: string[] = [];
  for (const word of text.trim().split(/\s+/)) {
    const lastLine = lines.at(-1);
    const joinedLine = lastLine === undefined ? word : `${lastLine} ${word}`;
    if (lastLine === undefined || countCharacters(joinedLine) > columns) lines.push(word);
    else lines[lines.length - 1] = joinedLine;
  }
  const remainder = lines.slice(maximum - 1).join(' ');
  const shownLines = lines.length > maximum ? [...lines.slice(0, maximum - 1), remainder] : lines;
  return shownLines.map((line) => shorten(line, columns));
}

const countCharacters = (line: string) => [...line].length;

function shorten(line: string, columns: number): string {
  const characters = [...line];
  return characters.length > columns
    ? `${characters
        .slice(0, columns - 1)
        .join('')
        .trimEnd()}…`
    : line;
}

/** Escapes text for XML 1.0, and drops the characters that XML can't contain, not even escaped. */
function escapeXml(text: string): string {
  const allowedText = text
    .toWellFormed()
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '');
  return escapeMarkup(allowedText);
}
