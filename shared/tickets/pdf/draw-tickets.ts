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

/** Draws tickets as a PDF document with one page each. A name in a script that the fonts lack is drawn as boxes. */
export async function drawTickets(
  tickets: readonly PrintedTicket[],
  { paper, fonts }: { paper: Paper; fonts: Fonts },
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
  for (const ticket of tickets) drawTicket(document, ticket);
  document.end();
  return buffer(document);
}

function drawTicket(document: PDFKit.PDFDocument, ticket: PrintedTicket): void {
  document.addPage();
  const width = document.page.width - 2 * margin;
  const write = (text: string, font: 'regular' | 'bold', size: number, lines: number) => {
    document.font(font).fontSize(size);
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
