import { textsIn } from '../../catalog/texts/texts.ts';
import type { Language } from '../../core/schemas.ts';
import { drawDocument, type Fonts, gray, margin, type Paper, toLegible } from './document.ts';

/** The content of an invoice or a credit note. Amounts are texts with the currency. */
export interface PrintedInvoice {
  title: string;
  facts: [name: string, value: string][];
  seller: string[];
  buyer: string[];
  lines: { text: string; tax: string; amount: string }[];
  total: { name: string; amount: string };
  /** Sentences below the total: the taxes that it includes. */
  notes: string[];
  /** Beside a text in letters that the fonts lack. */
  reference: string;
}

const taxWidth = 60;
/** Amounts of coins have up to 18 decimals. */
const amountWidth = 200;

/** Draws an invoice of one page. */
export function drawInvoice(
  invoice: PrintedInvoice,
  { language, ...options }: { language: Language; paper: Paper; fonts: Fonts },
): Promise<Buffer> {
  const t = textsIn(language);
  return drawDocument({ title: invoice.title, ...options }, (document) => {
    document.addPage();
    const width = document.page.width - 2 * margin;
    const write = (
      text: string,
      font: 'regular' | 'bold',
      size: number,
      options: PDFKit.Mixins.TextOptions = {},
    ) => {
      document.font(font).fontSize(size);
      document.text(toLegible(text, document, invoice.reference), { width, ...options });
    };
    write(invoice.title, 'bold', 22);
    document.moveDown(0.6);
    for (const [name, value] of invoice.facts) write(`${name}: ${value}`, 'regular', 10);
    for (const [name, texts] of [
      [t('invoice.seller'), invoice.seller],
      [t('invoice.buyer'), invoice.buyer],
    ] as const) {
      document.moveDown(1.2).fillColor(gray);
      write(name, 'regular', 9);
      document.fillColor('black');
      for (const text of texts) write(text, 'regular', 11);
    }
    document.moveDown(1.5);
    const row = (font: 'regular' | 'bold', text: string, tax: string, amount: string) => {
      const top = document.y;
      const textWidth = width - taxWidth - amountWidth;
      document.font(font).fontSize(10);
      document.text(tax, margin + textWidth, top, { width: taxWidth, align: 'right' });
      document.text(amount, margin + textWidth + taxWidth, top, { width: amountWidth, align: 'right' });
      const bottom = document.y;
      document.text(toLegible(text, document, invoice.reference), margin, top, { width: textWidth - 8 });
      document.y = Math.max(document.y, bottom);
      document.moveDown(0.5);
    };
    document.fillColor(gray);
    row('regular', t('invoice.what'), t('invoice.tax'), t('facts.amount'));
    document.fillColor('black');
    for (const { text, tax, amount } of invoice.lines) row('regular', text, tax, amount);
    row('bold', invoice.total.name, '', invoice.total.amount);
    document.moveDown(1);
    for (const note of invoice.notes) write(note, 'regular', 10);
  });
}
