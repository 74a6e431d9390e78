import MailComposer from 'nodemailer/lib/mail-composer';
import { textsIn } from '../../catalog/texts/texts.ts';
import { textColorOn } from '../../core/color.ts';
import type { Language } from '../../core/schemas.ts';
import { escapeMarkup } from '../../core/text.ts';
import { drawCodeAsPng } from '../../tickets/check-in/qr-code.ts';

/** The content of a mail, before its layout as HTML and as text. */
export interface Message {
  to: string;
  subject: string;
  /** The language of the texts. Default: `en` */
  language?: Language;
  /** The first line of the body, which inboxes show beside the subject. */
  summary: string;
  body: readonly Block[];
  /** The calendar entry that is attached. */
  calendar?: string;
  /** The organizer's color for buttons, `#rrggbb`. */
  accent?: string | null | undefined;
  /** Prints the tickets as a PDF file that is attached. */
  printPdf?: (() => Promise<Buffer | undefined>) | undefined;
}

/** One piece of a mail's body. */
export type Block =
  | { paragraph: string }
  /** Facts such as date and venue, each a name and a value. */
  | { facts: readonly (readonly [name: string, value: string])[] }
  | { button: string; url: string }
  | { ticket: Ticket };

/** A ticket with its check-in code, which the mail shows as an image. */
export interface Ticket {
  title: string;
  /** The tier and the event. */
  detail: string;
  code: string;
}

/** The Content-ID of a ticket's image. */
const imageId = (index: number) => `ticket-${index + 1}@boxoffice`;

function ticketsOf({ body }: Message): Ticket[] {
  return body.flatMap((block) => ('ticket' in block ? [block.ticket] : []));
}

/** Returns the message in MIME: text and HTML, with the images and the attached files. They are drawn here, for mails that may be sent. */
export async function toMime(message: Message, from: string): Promise<Buffer> {
  const images = ticketsOf(message).map(({ code }, index) => ({
    filename: `ticket-${index + 1}.png`,
    content: drawCodeAsPng(code),
    contentType: 'image/png',
    contentDisposition: 'inline' as const,
    cid: imageId(index),
  }));
  // Mail programs remove the entry of a cancelled event by the method.
  const [, method] = /^METHOD:(\w+)/m.exec(message.calendar ?? '') ?? [];
  const calendarFiles = message.calendar
    ? [
        {
          filename: 'event.ics',
          content: message.calendar,
          contentType: `text/calendar; charset=utf-8; method=${method}`,
        },
      ]
    : [];
  const pdf = await message.printPdf?.();
  const pdfFiles = pdf ? [{ filename: 'tickets.pdf', content: pdf, contentType: 'application/pdf' }] : [];
  const composer = new MailComposer({
    from,
    to: { name: '', address: message.to },
    subject: message.subject,
    text: toText(message),
    html: toHtml(message),
    attachments: [...images, ...calendarFiles, ...pdfFiles],
    // Suppresses automatic replies (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}

/**
 * Returns the message as HTML for mail programs. The layout uses tables and inline styles: some programs drop the
 * style sheet in the head. The style sheet only adapts the colours to dark mode.
 */
export function toHtml(message: Message): string {
  const { subject, summary, body, accent, language = 'en' } = message;
  const codes = ticketsOf(message).map(({ code }) => code);
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeMarkup(subject)}</title>
<style>${styleSheet}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f3f4f6;color:#1f2937;font-family:${font}">
<div role="main">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;background:#ffffff;border-radius:8px">
<tr><td style="padding:28px 24px;font-size:16px;line-height:1.5;overflow-wrap:anywhere">
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${escapeMarkup(subject)}</h1>
${[{ paragraph: summary }, ...body].map((block) => blockHtml(block, { codes, accent: accent ?? shopAccent, language })).join('\n')}
</td></tr>
</table>
</td></tr>
</table>
</div>
</body>
</html>
`;
}

const font = '-apple-system,BlinkMacSystemFont,&quot;Segoe UI&quot;,Roboto,Helvetica,Arial,sans-serif';

const styleSheet = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background: #111827 !important; color: #f3f4f6 !important; }
  .card { background: #1f2937 !important; }
  .quiet { color: #c3c9d4 !important; }
  .line { border-color: #4b5563 !important; }
  .link { color: #93c5fd !important; }
}
`;

interface Style {
  codes: readonly string[];
  accent: string;
  language: Language;
}

function blockHtml(block: Block, style: Style): string {
  if ('paragraph' in block) return `<p style="margin:0 0 16px">${escapeMarkup(block.paragraph)}</p>`;
  if ('facts' in block) return factsHtml(block.facts);
  if ('button' in block) return buttonHtml(block.button, block.url, style);
  const { title, detail, code } = block.ticket;
  const { codes, language } = style;
  const alternativeText = textsIn(language)('codeImage', { title, code });
  // The image is white in dark mode too: scanners need dark modules on a light background.
  return `<table role="presentation" class="line" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 16px;border:1px solid #d1d5db;border-radius:8px;border-collapse:separate">
<tr><td style="padding:12px 16px 8px"><strong>${escapeMarkup(title)}</strong><br><span class="quiet" style="color:#4b5563">${escapeMarkup(detail)}</span></td></tr>
<tr><td align="center" style="padding:0 16px 8px"><img src="cid:${imageId(codes.indexOf(code))}" width="200" height="200" alt="${escapeMarkup(alternativeText)}" style="display:block;width:200px;max-width:100%;height:auto;background:#ffffff;color:#1f2937;border-radius:4px"></td></tr>
<tr><td class="quiet" align="center" style="padding:0 16px 12px;color:#4b5563;font-family:monospace;font-size:12px;word-break:break-all">${escapeMarkup(code)}</td></tr>
</table>`;
}

function factsHtml(facts: readonly (readonly [string, string])[]): string {
  const rows = facts.map(
    ([name, value]) =>
      `<tr><th class="quiet" align="left" valign="top" style="padding:4px 16px 4px 0;color:#4b5563;font-weight:normal;white-space:nowrap">${escapeMarkup(name)}</th><td valign="top" style="padding:4px 0">${escapeMarkup(value)}</td></tr>`,
  );
  return `<table cellpadding="0" cellspacing="0" border="0" style="margin:0 0 16px">${rows.join('\n')}</table>`;
}

/** The color of buttons in mails of the shop itself. */
const shopAccent = '#1d4ed8';

function buttonHtml(label: string, url: string, { accent, language }: Style): string {
  return `<p style="margin:0 0 16px"><a href="${escapeMarkup(url)}" style="display:inline-block;padding:12px 20px;background:${accent};color:${textColorOn(accent)};border-radius:6px;text-decoration:none;font-weight:bold">${escapeMarkup(label)}</a></p>
<p class="quiet" style="margin:0 0 16px;color:#4b5563;font-size:13px">${escapeMarkup(textsIn(language)('address'))} <a class="link" href="${escapeMarkup(url)}" style="color:#1d4ed8">${escapeMarkup(url)}</a></p>`;
}

/** Returns the message as plain text: the content of the HTML, with the links' addresses written out. */
export function toText({ summary, body, language = 'en' }: Message): string {
  return `${[summary, ...body.map((block) => blockText(block, language))].join('\n\n')}\n`;
}

function blockText(block: Block, language: Language): string {
  if ('paragraph' in block) return block.paragraph;
  if ('facts' in block) return block.facts.map(([name, value]) => `${name}: ${value}`).join('\n');
  if ('button' in block) return `${block.button}:\n${block.url}`;
  const { title, detail, code } = block.ticket;
  return `${title} (${detail})\n${textsIn(language)('code', { code })}`;
}
