/** The content of a mail, before its layout as HTML and as text. */
export interface Message {
  to: string;
  subject: string;
  /** The first line of the body, which inboxes show beside the subject. */
  summary: string;
  body: readonly Block[];
  /** The calendar entry that is attached. */
  calendar?: string;
}

/** One piece of a mail's body. */
export type Block =
  | { paragraph: string }
  /** Facts such as date and venue, each a name and a value. */
  | { facts: readonly (readonly [name: string, value: string])[] }
  | { button: string; url: string }
  | { ticket: Ticket };

/** A ticket with its check-in code. */
export interface Ticket {
  title: string;
  /** The tier and the event. */
  detail: string;
  code: string;
  /** The code as a PNG image; absent beyond the maximum number of images in a mail. */
  image?: Uint8Array;
}

/** The Content-ID of a ticket's image. */
export const imageId = (index: number) => `ticket-${index + 1}@boxoffice`;

/** The tickets of a message that have an image. */
export function ticketsWithImage({ body }: Message): (Ticket & { image: Uint8Array })[] {
  return body.flatMap((block) =>
    'ticket' in block && block.ticket.image ? [{ ...block.ticket, image: block.ticket.image }] : [],
  );
}
