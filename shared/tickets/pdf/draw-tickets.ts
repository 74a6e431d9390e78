import { buffer } from 'node:stream/consumers';
import PDFDocument from 'pdfkit';
import { drawCodeAsPath } from '../check-in/qr-code.ts';

/** The content of one page. */
export interface PrintedTicket {
  event: string;
  when: string;
  where: string;
  tier: string;
  attendee: string | undefined;
  /** `Ticket 2 of 5`. */
  number: string;
  reference: string;
  /** The check-in code. */
  code: string;
}

/** The name of a seat in letters that every font has: beside a name that the fonts lack. */
const latinCode = ({ number, reference }: PrintedTicket) => `${number}, ${reference}`;

export const paperSizes = ['a4', 'letter'] as const;
export type Paper = (typeof paperSizes)[number];

/** TrueType fonts. The document contains the used glyphs. */
export interface Fonts {
  regular: Buffer;
  bold: Buffer;
}

const margin = 56;
const qrWidth = 220;
const gray = '#555555';

/**
 * Draws tickets as a PDF document with one page each. Where the fonts lack letters of a text, the page has `…` instead, and
 * beside it the ticket’s number and the order’s reference.
 * @param options.picture a JPEG file
 */
export async function drawTickets(
  tickets: readonly PrintedTicket[],
  { paper, fonts, picture }: { paper: Paper; fonts: Fonts; picture: Buffer | undefined },
): Promise<Buffer> {
  const document = new PDFDocument({
    size: paper,
    margin,
    autoFirstPage: false,
    // Without a font of its own, pdfkit reads the metrics of Helvetica from a file.
    font: fonts.regular as unknown as string,
    lang: 'en',
    info: { Title: `Tickets to ${tickets[0]?.event}` },
  });
  document.registerFont('regular', fonts.regular).registerFont('bold', fonts.bold);
  // Opened once, so that the document contains it once. The types lack the function.
  const image = picture && (document as unknown as ImageOpener).openImage(picture);
  for (const ticket of tickets) drawTicket(document, ticket, image);
  document.end();
  return buffer(document);
}

/** An image that pages draw. The types accept a file's name or content, pdfkit also an opened image. */
type Image = PDFKit.Mixins.ImageSrc;
interface ImageOpener {
  openImage(content: Buffer): Image;
}

function drawTicket(document: PDFKit.PDFDocument, ticket: PrintedTicket, image: Image | undefined): void {
  document.addPage();
  const width = document.page.width - 2 * margin;
  const write = (original: string, font: 'regular' | 'bold', size: number, lines: number) => {
    document.font(font).fontSize(size);
    const text = toLegible(original, document, latinCode(ticket));
    const height = lines * document.currentLineHeight(true);
    document.text(text, { width, height, ellipsis: true });
  };
  write(ticket.event, 'bold', 26, 3);
  document.moveDown(0.4);
  write(ticket.when, 'regular', 13, 2);
  write(ticket.where, 'regular', 13, 3);

  const { path, size } = drawCodeAsPath(ticket.code);
  const top = document.y + 28;
  document
    .save()
    .translate(margin, top)
    .scale(qrWidth / size)
    .path(path)
    .fill('black')
    .restore();
  if (image) {
    const left = margin + qrWidth + 24;
    document.image(image, left, top, { fit: [width + margin - left, qrWidth], align: 'right' });
  }
  document.x = margin;
  document.y = top + qrWidth + 14;
  document.fillColor(gray);
  write(ticket.code, 'regular', 9, 2);
  document.moveDown(2);
  const facts = [
    ['Ticket', `${ticket.tier} · ${ticket.number}`],
    ...(ticket.attendee ? [['Name', ticket.attendee]] : []),
    ['Order', ticket.reference],
  ];
  for (const [name = '', value = ''] of facts) {
    document.fillColor(gray);
    write(name, 'regular', 9, 1);
    document.fillColor('black');
    write(value, 'bold', 14, 2);
    document.moveDown(0.6);
  }
  document.moveDown(1).fillColor(gray);
  write('The code admits one person, once. Do not share it.', 'regular', 9, 1);
  document.fillColor('black');
}

interface Glyphs {
  hasGlyphForCodePoint(codePoint: number): boolean;
}

/** Replaces what the document’s font can’t draw. Pictographs are left out. @param code what identifies the text instead */
export function toLegible(text: string, document: PDFKit.PDFDocument, code: string): string {
  // The types lack pdfkit's open font.
  const { font } = (document as unknown as { _font: { font: Glyphs } })._font;
  const letters = Array.from(text.replace(/[\p{Extended_Pictographic}\p{Variation_Selector}\u200d]/gu, ''));
  const isDrawn = (letter: string) => font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0);
  if (letters.every(isDrawn)) return letters.join('');
  const drawn = letters.map((letter) => (isDrawn(letter) ? letter : '…')).join('');
  return `${drawn.replace(/…[…\s]*/g, '… ').trim()} (${code})`;
}
