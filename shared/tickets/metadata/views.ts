import * as z from 'zod';
import { type Event, endOf, tierNameOf } from '../../catalog/events/event.ts';
import { walletAddress } from '../../core/schemas.ts';
import { escapeMarkup } from '../../core/text.ts';
import { itemOfSeat, type Order } from '../../orders/order.ts';
import type { Ticket } from '../ticket.ts';

export const collectionPath = z.object({
  chainId: z.coerce
    .number()
    .int()
    .min(1)
    .meta({ description: 'The EIP-155 id of the contract’s chain', examples: [137] }),
  contract: walletAddress.meta({ description: 'The address of the contract' }),
});

export const tokenPath = collectionPath.extend({
  tokenId: z
    .string()
    .regex(/^(0|[1-9]\d{0,77})$/, 'must be a decimal number')
    .meta({
      description: 'The id of the token, in decimal',
      examples: ['70562811290742146170466085303'],
    }),
});

const image = z.string().meta({
  description: 'The event’s own image, or a drawn ticket as a data URI',
  examples: ['https://example.com/night.png'],
});

const attribute = z.object({
  trait_type: z.string().meta({ examples: ['Tier'] }),
  display_type: z.literal('date').optional(),
  value: z.union([z.string(), z.number()]).meta({ examples: ['Floor'] }),
});

/** The metadata of ERC-721, with the fields that marketplaces add to it. */
export const tokenMetadata = z
  .object({
    name: z.string().meta({ examples: ['Night of the Lambdas – Floor'] }),
    description: z.string(),
    image,
    external_url: z
      .string()
      .optional()
      .meta({
        description: 'The page of the event',
        examples: ['https://tickets.example/events/cm5x2k9q0h3v7r1t8w4y6z0ab'],
      }),
    attributes: z.array(attribute),
  })
  .meta({ id: 'TokenMetadata' });
export type TokenMetadata = z.infer<typeof tokenMetadata>;

/** The sources of metadata. `event` is undefined when the event was deleted or is not published. */
export interface TokenSources {
  seatNumber: number;
  tokenId: bigint;
  order: Order | undefined;
  event: Event | undefined;
  /** The stored ticket of the seat, once a token is final. */
  ticket: Ticket | undefined;
  isAdmitted: boolean;
}

export interface TokenStatus {
  /** A sentence fragment for people. */
  text: string;
  isValid: boolean;
  /** Why the service locks the token, a sentence; absent when it does not. */
  lock?: string;
}

const notValid = (reason: string, lock?: string): TokenStatus => ({
  text: `${reason}, not valid for entry`,
  isValid: false,
  ...(lock && { lock }),
});
const dayMilliseconds = 24 * 60 * 60 * 1000;

/** Returns whether a token's ticket is valid, and why. @param now epoch milliseconds */
export function tokenStatusOf(
  { order, event, ticket, isAdmitted, tokenId, seatNumber }: TokenSources,
  now: number,
): TokenStatus {
  if (!order) return notValid('Unknown');
  if (order.refund || order.fulfilmentStatus === 'refund-due' || order.returned?.includes(seatNumber)) {
    // A token that the buyer still had is burned.
    return notValid('Refunded', ticket?.burnedAt ? undefined : 'The ticket was refunded');
  }
  if (event?.status === 'CANCELLED') return notValid('Event cancelled');
  if (order.paymentStatus !== 'COMPLETED' || !order.holdsInventory) return notValid('Not paid');
  if (ticket?.burnedAt || (ticket && ticket.tokenId !== String(tokenId))) return notValid('Replaced');
  if (isAdmitted) {
    const lock = event?.lockAfterAdmission && { lock: 'Somebody was admitted with this ticket' };
    return { text: 'Admitted', isValid: true, ...lock };
  }
  if (event && now > endOf(event) + dayMilliseconds) return { text: 'Event ended', isValid: true };
  return { text: 'Valid', isValid: true };
}

/**
 * Returns the metadata of a token. It names neither the buyer nor a check-in code.
 * @param publicUrl the storefront's address without a slash at its end; undefined for no link
 */
export function toTokenMetadata(
  sources: TokenSources,
  status: TokenStatus,
  publicUrl: string | undefined,
): TokenMetadata {
  const { event, order, seatNumber } = sources;
  const seatText = order && order.quantity > 1 ? `${seatNumber} of ${order.quantity}` : String(seatNumber);
  const notice = status.isValid && !status.lock ? undefined : status.text;
  const ticketAttributes = [
    { trait_type: 'Seat', value: seatText },
    { trait_type: 'Status', value: status.text },
    ...(status.lock ? [{ trait_type: 'Locked', value: status.lock }] : []),
  ];
  if (!event) {
    const name = `Ticket ${seatText}`;
    const lines = ['The event is not published'];
    return {
      name,
      description: withNotice(notice, 'The event of this ticket is not published.'),
      image: drawTicket({ title: name, lines, notice, seed: name }),
      attributes: ticketAttributes,
    };
  }
  const tier = (order && tierNameOf(event, itemOfSeat(order, seatNumber))) || 'Ticket';
  const place = [event.venue, event.city, event.country].filter(Boolean).join(', ');
  const date = formatStart(event);
  const lines = [date, place, `${tier}, seat ${seatText}`];
  return {
    name: `${event.title} – ${tier}${order && order.quantity > 1 ? ` (${seatText})` : ''}`,
    description: withNotice(notice, event.description || `Ticket to ${event.title}, ${date}, ${place}.`),
    image: event.imageUrl || drawTicket({ title: event.title, lines, notice, seed: event.id }),
    ...(publicUrl && { external_url: `${publicUrl}/events/${event.id}` }),
    attributes: [
      { trait_type: 'Event', value: event.title },
      { trait_type: 'Tier', value: tier },
      { trait_type: 'Date', display_type: 'date', value: Math.floor(Date.parse(event.eventDate) / 1000) },
      { trait_type: 'Starts', value: date },
      { trait_type: 'Venue', value: place },
      ...ticketAttributes,
    ],
  };
}

function withNotice(notice: string | undefined, description: string): string {
  return notice ? `${notice}.\n\n${description}` : description;
}

/** Formats an event's start in the event's own time zone, with the zone's name. */
function formatStart({ eventDate, timezone }: Event): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'full',
    timeStyle: 'short',
    timeZone: timezone,
  });
  return `${format.format(new Date(eventDate))} (${timezone})`;
}

/** The metadata of a contract (ERC-7572). */
export const collectionMetadata = z
  .object({
    name: z.string().meta({ examples: ['Boxoffice tickets'] }),
    description: z.string(),
    image: z.string().meta({ description: 'A drawn image, as a data URI' }),
    external_link: z
      .string()
      .optional()
      .meta({ description: 'The storefront', examples: ['https://tickets.example'] }),
  })
  .meta({ id: 'CollectionMetadata' });

/** Returns the metadata of a contract. @param name the contract's own name */
export function toCollectionMetadata(
  name: string,
  publicUrl: string | undefined,
): z.infer<typeof collectionMetadata> {
  return {
    name,
    description:
      'Event tickets. Each token is the ticket of one seat; its traits say whether it is valid for entry.',
    image: drawTicket({ title: name, lines: ['Event tickets'], seed: name }),
    ...(publicUrl && { external_link: publicUrl }),
  };
}

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
