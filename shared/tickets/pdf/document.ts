import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import PDFDocument from 'pdfkit';

export const paperSizes = ['a4', 'letter'] as const;
export type Paper = (typeof paperSizes)[number];

/** TrueType fonts. The document contains the used glyphs. */
export interface Fonts {
  regular: Buffer;
  bold: Buffer;
}

export const margin = 56;
export const gray = '#555555';

interface Glyphs {
  hasGlyphForCodePoint(codePoint: number): boolean;
}

/**
 * Draws a document of text with selectable letters.
 * @param draw adds the pages
 */
export async function drawDocument(
  { title, paper, fonts }: { title: string; paper: Paper; fonts: Fonts },
  draw: (document: PDFKit.PDFDocument) => void,
): Promise<Buffer> {
  const document = new PDFDocument({
    size: paper,
    margin,
    autoFirstPage: false,
    // Without a font of its own, pdfkit reads the metrics of Helvetica from a file.
    font: fonts.regular as unknown as string,
    lang: 'en',
    info: { Title: title },
  });
  document.registerFont('regular', fonts.regular).registerFont('bold', fonts.bold);
  draw(document);
  document.end();
  return buffer(document);
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

let fonts: Fonts | undefined;

/** Loads the fonts from the bundle: DejaVu Sans, which has Latin, Greek, Cyrillic and other alphabets. */
export async function loadFonts(): Promise<Fonts> {
  if (fonts) return fonts;
  const [regular, bold] = await Promise.all([import('asset:regular.ttf'), import('asset:bold.ttf')]);
  const unzip = ({ default: content }: { default: string }) => gunzipSync(Buffer.from(content, 'base64'));
  fonts = { regular: unzip(regular), bold: unzip(bold) };
  return fonts;
}
