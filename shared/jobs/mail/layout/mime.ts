import MailComposer from 'nodemailer/lib/mail-composer';
import { toHtml } from './html.ts';
import { imageId, type Message, ticketsWithImage } from './message.ts';
import { toText } from './text.ts';

/** Returns the message in MIME: text and HTML, with the images and the calendar file. */
export function toMime(message: Message, from: string): Promise<Buffer> {
  const images = ticketsWithImage(message).map(({ image }, index) => ({
    filename: `ticket-${index + 1}.png`,
    content: Buffer.from(image),
    contentType: 'image/png',
    contentDisposition: 'inline' as const,
    cid: imageId(index),
  }));
  const calendarFiles = message.calendar
    ? [{ filename: 'event.ics', content: message.calendar, contentType: 'text/calendar; charset=utf-8' }]
    : [];
  const composer = new MailComposer({
    from,
    to: { name: '', address: message.to },
    subject: message.subject,
    text: toText(message),
    html: toHtml(message),
    attachments: [...images, ...calendarFiles],
    // Suppresses automatic replies (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}
