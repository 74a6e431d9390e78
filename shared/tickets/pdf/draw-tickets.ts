import { textsIn } from '../../catalog/texts/texts.ts';
import type { Language } from '../../core/schemas.ts';
import { drawCodeAsPath } from '../check-in/qr-code.ts';
import { drawDocument, type Fonts, gray, margin, type Paper, toLegible } from './document.ts';

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

const qrWidth = 220;

interface PrintOptions {
  language: Language;
  paper: Paper;
  fonts: Fonts;
  /** A JPEG file. */
  picture: Buffer | undefined;
  /** The organizer's color, `#rrggbb`, for a band at the top of each page. */
  accent: string | null | undefined;
}

/**
 * Draws tickets as a PDF document with one page each. Where the fonts lack letters of a text, the page has `…` instead, and
 * beside it the ticket’s number and the order’s reference.
 */
export function drawTickets(
  tickets: readonly PrintedTicket[],
  { language, picture, accent, ...options }: PrintOptions,
): Promise<Buffer> {
  const title = textsIn(language)('print.title', { event: tickets[0]?.event });
  return drawDocument({ title, ...options }, (document) => {
    // Opened once, so that the document contains it once. The types lack the function.
    const image = picture && (document as unknown as ImageOpener).openImage(picture);
    for (const ticket of tickets) drawTicket(document, ticket, { language, image, accent });
  });
}

/** An image that pages draw. The types accept a file's name or content, pdfkit also an opened image. */
type Image = PDFKit.Mixins.ImageSrc;
interface ImageOpener {
  openImage(content: Buffer): Image;
}

/** The height of the organizer's band, in points. */
const bandHeight = 14;

function drawTicket(
  document: PDFKit.PDFDocument,
  ticket: PrintedTicket,
  { language, image, accent }: Pick<PrintOptions, 'language' | 'accent'> & { image: Image | undefined },
): void {
  const t = textsIn(language);
  document.addPage();
  if (accent) document.rect(0, 0, document.page.width, bandHeight).fill(accent).fillColor('black');
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
    [t('facts.ticket'), `${ticket.tier} · ${ticket.number}`],
    ...(ticket.attendee ? [[t('print.name'), ticket.attendee]] : []),
    [t('print.order'), ticket.reference],
  ];
  for (const [name = '', value = ''] of facts) {
    document.fillColor(gray);
    write(name, 'regular', 9, 1);
    document.fillColor('black');
    write(value, 'bold', 14, 2);
    document.moveDown(0.6);
  }
  document.moveDown(1).fillColor(gray);
  write(t('print.note'), 'regular', 9, 1);
  document.fillColor('black');
}
