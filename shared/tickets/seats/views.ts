import * as z from 'zod';
import { email } from '../../accounts/users/user.ts';
import { entryTypes, eventStatuses, maximumQuestions } from '../../catalog/events/event.ts';
import type { ErrorCode } from '../../core/errors.ts';
import {
  address,
  filledText,
  identifier,
  idInput,
  nextCursor,
  pageQuery,
  time,
  toView,
  walletAddress,
} from '../../core/schemas.ts';
import { answer } from '../../orders/answers/answer.ts';
import { checkInCode } from '../check-in/views.ts';
import type { Offer, Seat } from '../ticket.ts';

const number = z
  .int()
  .meta({ description: 'The number of the seat within the order, from 1', examples: [1] });

const attendeeView = z.object({
  name: z.string().meta({ examples: ['Ada Attendee'] }),
  email: z
    .string()
    .nullable()
    .meta({ examples: ['ada@example.com'] }),
});

const transferToken = z.string().meta({
  description: 'Identifies the offer. The offer’s link contains this token',
  examples: ['cm5x2k9q0h3v7r1t8w4y6z0ab-001-4f8k2m9q0h3v7r1t8w4y'],
});

/** A seat as shown to its holder, and to its buyer after a transfer. */
export const seatView = z
  .object({
    orderId: identifier,
    number,
    event: z.object({
      id: identifier,
      title: z.string().meta({ examples: ['Night of the Lambdas'] }),
      venue: z.string(),
      city: z.string(),
      timezone: z.string(),
      eventDate: time,
      status: z.enum(eventStatuses),
      entry: z.enum(entryTypes),
      allowTransfers: z.boolean(),
    }),
    tier: z.object({ id: identifier, name: z.string().meta({ examples: ['Floor'] }) }),
    attendee: attendeeView.nullable(),
    status: z.enum(['held', 'offered', 'admitted', 'moved', 'refunded']).meta({
      description: '`moved`: the caller bought it, and another account holds it now',
    }),
    code: checkInCode
      .optional()
      .meta({ description: 'The check-in code; absent when the caller may not enter with the seat' }),
    qr: z.string().optional().meta({ description: 'The path of the code’s SVG image, relative to this API' }),
    token: z
      .object({
        chainId: z.int().meta({ examples: [137] }),
        contractAddress: address,
        tokenId: z.string().meta({ description: 'Decimal' }),
      })
      .optional(),
    offer: z
      .object({ token: transferToken, email: z.string(), createdAt: time })
      .optional()
      .meta({ description: 'The caller’s offer of the seat' }),
    checkedInAt: time.nullable().meta({ description: 'When the seat was admitted' }),
  })
  .meta({ id: 'Seat' });
export type SeatView = z.infer<typeof seatView>;

export const seatListQuery = pageQuery.extend({
  orderId: idInput.optional().meta({ description: 'Only seats of this order' }),
  eventId: idInput.optional().meta({ description: 'Only seats of this event' }),
  received: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: '`true` lists only seats of other people’s orders' }),
});
export type SeatListQuery = z.infer<typeof seatListQuery>;
export const seatList = z.object({ seats: z.array(seatView), nextCursor });

export const seatPath = z.object({
  id: idInput.meta({ description: 'The id of the order' }),
  number: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000_000)
    .meta({ description: 'The number of the seat within the order, from 1', examples: [1] }),
});

export const attendeeChange = z
  .object({
    name: filledText(100).meta({ description: 'Who will use the ticket' }),
    email: email
      .nullish()
      .transform((given) => given ?? undefined)
      .meta({ description: 'The attendee’s e-mail address. Absent or null: none' }),
    answers: z
      .array(answer.omit({ number: true }))
      .max(maximumQuestions)
      .optional()
      .meta({ description: 'Answers to the questions for this ticket, until the event begins' }),
  })
  .meta({ examples: [{ name: 'Ada Attendee', email: 'ada@example.com' }] });

export const transferRequest = z.object({ email }).meta({ examples: [{ email: 'ada@example.com' }] });

/** An offer as everybody with its link sees it. */
export const offerView = z
  .object({
    event: z.object({
      id: identifier,
      title: z.string().meta({ examples: ['Night of the Lambdas'] }),
      venue: z.string(),
      city: z.string(),
      country: z.string(),
      timezone: z.string(),
      eventDate: time,
      endDate: time,
      imageUrl: z.string(),
      status: z.enum(eventStatuses),
    }),
    tierName: z.string().meta({ examples: ['Floor'] }),
    from: z
      .string()
      .meta({ description: 'The name of the person who offers the seat', examples: ['Ben Buyer'] }),
    email: z.string().meta({ description: 'The address that the seat is offered to' }),
    status: z.enum(['open', 'accepted']),
  })
  .meta({ id: 'Offer' });
export type OfferView = z.infer<typeof offerView>;

export const transferView = z
  .object({
    token: transferToken,
    orderId: identifier,
    number,
    email: z.string().meta({ format: 'email', examples: ['ada@example.com'] }),
    createdAt: time,
  })
  .meta({ id: 'Transfer' });

export const transferPath = z.object({
  token: z
    .string()
    .regex(/^[\w-]{1,100}$/, 'is not a valid token')
    .meta({
      description: 'The token in the link of the offer',
      examples: ['cm5x2k9q0h3v7r1t8w4y6z0ab-001-4f8k2m9q0h3v7r1t8w4y'],
    }),
});

const isTokenId = (text: string) => /^(0|[1-9]\d{0,77})$/.test(text) && BigInt(text) < 2n ** 256n;

/** Identifies the token whose seat the caller claims: the seat moves to the account of the token's owner. */
export const claimRequest = z
  .object({
    chainId: z
      .int()
      .min(1)
      .meta({ description: 'The EIP-155 id of the contract’s chain', examples: [137] }),
    contractAddress: walletAddress.meta({ description: 'The contract that minted the ticket' }),
    tokenId: z
      .string()
      .refine(isTokenId, 'must be a decimal number below 2^256')
      .meta({
        description: 'The id of the token, in decimal',
        examples: ['7237005577332262213973186563042994240829374041602535252466099000494570602496'],
      }),
  })
  .meta({
    examples: [
      {
        chainId: 137,
        contractAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
        tokenId: '7237005577332262213973186563042994240829374041602535252466099000494570602496',
      },
    ],
  });

/** Error codes of a seat that can't be admitted, or is not the caller's. */
export const seatErrorCodes = [
  'seat-not-found',
  'moved',
  'admitted',
  'event-cancelled',
  'refunded',
  'not-paid',
  'no-seat',
  'busy',
] as const satisfies ErrorCode[];

/** Error codes of a refused transfer. */
export const transferErrorCodes = [
  'transfers-not-allowed',
  'entry-by-token',
  'minting',
] as const satisfies ErrorCode[];

/** Error codes of an offer that has ended, or is for another account. */
export const offerErrorCodes = ['transfer-not-found', 'gone', 'busy'] as const satisfies ErrorCode[];

export const claimErrorCodes = [
  'not-the-owner',
  'kyc-required',
  'ticket-not-found',
  'entry-by-account',
  'admitted',
  'event-cancelled',
  'refunded',
  'no-seat',
  'too-many-attempts',
  'busy',
  'unavailable',
] as const satisfies ErrorCode[];

/** Returns an offer as the API shows it. */
export function toTransferView({ seat }: { seat: Seat & { offer: Offer } }): z.infer<typeof transferView> {
  const { orderId, number, offer } = seat;
  return toView(transferView, offer, { orderId, number, createdAt: offer.at });
}
