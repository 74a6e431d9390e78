/** A mail as it is written, before it is laid out as HTML and as text. */
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
  /** What is to be remembered: names and values. */
  | { facts: readonly (readonly [name: string, value: string])[] }
  | { button: string; url: string }
  | { ticket: Ticket };

/** A ticket with its check-in code. */
export interface Ticket {
  title: string;
  /** E.g. its tier. */
  detail: string;
  code: string;
  /** The code as a PNG image; absent where the mail has too many. */
  image?: Uint8Array;
}

/** The name of a ticket's image within the mail. */
export const imageId = (at: number) => `ticket-${at + 1}@boxoffice`;

/** The tickets of a message that have an image. */
export function ticketsWithImage({ body }: Message): (Ticket & { image: Uint8Array })[] {
  return body.flatMap((block) =>
    'ticket' in block && block.ticket.image ? [{ ...block.ticket, image: block.ticket.image }] : [],
  );
}
