import * as z from 'zod';
import { checkInList, eventStatuses, offlineModes, tierKinds } from '../../catalog/events/event.ts';
import { identifier, time } from '../../core/schemas.ts';
import { doorConflict } from '../check-in/views.ts';

const seatName = z
  .string()
  .regex(/^\w{1,64}\.[1-9]\d{0,7}$/, 'is not a seat')
  .meta({ description: 'The order and the number of the seat', examples: ['cm5x2k9q0h3v7r1t8w4y6z0ab.1'] });

const codeHash = z
  .string()
  .regex(/^[\w-]{22}$/, 'is not a hash')
  .meta({
    description:
      'The first 16 bytes of the SHA-256 of the seat’s check-in code, in base64url. The code of a seat changes with its holder',
    examples: ['3q2-7wAAAAAAAAAAAAAAAA'],
  });

/** A seat as a device at the door stores it: enough to admit it offline, without its code or an address. */
export const doorSeat = z
  .object({
    seat: seatName,
    hash: codeHash,
    otherHashes: z.array(codeHash).optional().meta({
      description: 'The hashes of the seat’s codes by keys that are being replaced, which admit too',
    }),
    tierId: identifier,
    tier: z.string().meta({ examples: ['Floor'] }),
    kind: z.enum(tierKinds),
    attendee: z.string().meta({ description: 'The attendee, or the buyer', examples: ['Ada Attendee'] }),
    reference: z.string().meta({ description: 'The reference of the order' }),
    status: z.enum(['valid', 'admitted', 'refunded', 'transferred']).meta({
      description: '`transferred`: valid with the code of its new holder; earlier codes are not',
    }),
    admittedAt: time
      .nullable()
      .meta({ description: 'The last admission by the list; null once the holder has gone out' }),
  })
  .meta({ id: 'DoorSeat' });
export type DoorSeat = z.infer<typeof doorSeat>;

const listId = z.string().max(64).optional().meta({
  description: 'The check-in list of the door; required where the event has lists',
});

export const doorQuery = z.object({
  listId,
  cursor: z.string().max(100).optional().meta({
    description: 'The `cursor` of the previous answer. Absent: the first page of all seats',
  }),
});

export const doorView = z
  .object({
    event: z.object({
      id: identifier,
      title: z.string(),
      timezone: z.string(),
      status: z.enum(eventStatuses),
      endsAt: time.meta({ description: 'When check-in ends; devices then remove the list' }),
      offlineMode: z.enum(offlineModes),
      checkInLists: z.array(checkInList),
    }),
    seats: z.array(doorSeat),
    isFirst: z.boolean().meta({
      description: 'Whether the list begins anew: what a device has stored before is no longer complete',
    }),
    isComplete: z.boolean().meta({
      description:
        'Whether this is all. Otherwise ask again with `cursor` for the rest; afterwards, for what has changed',
    }),
    cursor: z.string(),
  })
  .meta({ id: 'Door' });
export type DoorView = z.infer<typeof doorView>;

const scanId = z
  .string()
  .min(1)
  .max(64)
  .meta({
    description: 'Identifies the scan of a seat: its repetition has the same result',
    examples: ['7f2b9c1e-0b7e-4a1c-9d55-3c2f8f1a6e10'],
  });

export const scansRequest = z
  .object({
    deviceId: z
      .string()
      .min(1)
      .max(64)
      .meta({ description: 'The device', examples: ['gate-2'] }),
    listId,
    scans: z
      .array(
        z.object({
          scanId,
          seat: seatName,
          hash: codeHash,
          direction: z.enum(['entry', 'exit']).default('entry'),
          at: z.iso.datetime({ offset: true }).meta({
            description:
              'When the device admitted the ticket. The future counts as now, and what is more than a day before the event’s creation as that',
            examples: ['2030-06-01T19:12:00.000Z'],
          }),
        }),
      )
      .min(1)
      .max(100)
      .meta({ description: 'Up to 100 admissions, in the order in which they were made' }),
  })
  .meta({
    id: 'DoorScans',
    examples: [
      {
        deviceId: 'gate-2',
        scans: [
          {
            scanId: '7f2b9c1e-0b7e-4a1c-9d55-3c2f8f1a6e10',
            seat: 'cm5x2k9q0h3v7r1t8w4y6z0ab.1',
            hash: '3q2-7wAAAAAAAAAAAAAAAA',
            at: '2030-06-01T19:12:00.000Z',
          },
        ],
      },
    ],
  });
export type ScansRequest = z.infer<typeof scansRequest>;

export const scanResult = z
  .object({
    scanId,
    result: z.enum(['admitted', ...doorConflict.shape.result.options]).meta({
      description:
        '`already-admitted`: used elsewhere. `refunded`: or the event is cancelled. `transferred`: the code is a former holder’s. `wrong-list`: not by this list. `unknown`: not a valid ticket of this event. All but `admitted` are listed as conflicts',
    }),
    admittedAt: time.nullable().meta({ description: 'When the seat was admitted, here or elsewhere' }),
  })
  .meta({ id: 'ScanResult' });
export type ScanResult = z.infer<typeof scanResult>;
