import * as z from 'zod';
import { identifier, text, time } from '../../core/schemas.ts';
import { type Delivery, type Occurrence, occurrenceTypes } from './webhook.ts';

export const endpointView = z
  .object({
    id: identifier,
    url: z.string().meta({ examples: ['https://crm.example.com/boxoffice'] }),
    types: z.array(z.enum(occurrenceTypes)),
    eventIds: z
      .array(identifier)
      .nullable()
      .meta({ description: 'The events that it is limited to; null: all' }),
    description: z.string(),
    expand: z.boolean(),
    apiVersion: z.string(),
    status: z.enum(['enabled', 'disabled']),
    disabledReason: z
      .enum(['gone', 'failing', 'organizer'])
      .nullable()
      .meta({ description: '`gone`: it answered 410. `failing`: all attempts failed for five days' }),
    failingSince: time.nullable(),
    createdAt: time,
  })
  .meta({ id: 'WebhookEndpoint' });

export const endpointInput = z
  .object({
    url: z.string().max(2000).meta({ description: 'An `https` address, without a user name and a password' }),
    types: z.array(z.enum(occurrenceTypes)).min(1).meta({ description: 'What is sent' }),
    eventIds: z
      .array(z.string().regex(/^\w{1,64}$/))
      .min(1)
      .max(100)
      .optional()
      .meta({ description: 'Limits it to these events' }),
    description: text(200).default('').meta({ description: 'A note for its owner' }),
    expand: z.boolean().default(false).meta({
      description: 'Adds the order or the payout to messages about them, as the API shows it',
    }),
    enabled: z.boolean().default(true).meta({ description: '`false` sends nothing' }),
  })
  .meta({ examples: [{ url: 'https://crm.example.com/boxoffice', types: ['order.completed'] }] });
export type EndpointInput = z.infer<typeof endpointInput>;

export const occurrenceView = z
  .object({
    id: identifier.meta({ description: 'The `webhook-id` of its deliveries' }),
    type: z.enum(occurrenceTypes),
    timestamp: time,
    data: z.record(z.string(), z.unknown()).meta({
      description: 'As in the body of its webhooks',
      examples: [{ orderId: 'cm5x2k9q0h3v7r1t8w4y6z0ab' }],
    }),
  })
  .meta({ id: 'Occurrence' });

export function toOccurrenceView({ id, type, timestamp, data }: Occurrence): z.infer<typeof occurrenceView> {
  return { id, type, timestamp, data: JSON.parse(data) };
}

export const deliveryView = z
  .object({
    id: identifier,
    type: z.string().meta({ examples: ['order.completed'] }),
    status: z.enum(['waiting', 'delivered', 'failed']),
    attempts: z.int(),
    statusCode: z.int().nullable().meta({ description: 'Of the last answer' }),
    answer: z
      .string()
      .nullable()
      .meta({ description: 'The start of the last answer, or why there was none' }),
    nextAttemptAt: time.nullable(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'WebhookDelivery' });

export function toDeliveryView(delivery: Delivery): z.infer<typeof deliveryView> {
  const {
    id,
    type,
    status,
    attempts,
    statusCode = null,
    answer = null,
    notBefore,
    createdAt,
    updatedAt,
  } = delivery;
  const nextAttemptAt = status === 'waiting' ? notBefore : null;
  return { id, type, status, attempts, statusCode, answer, nextAttemptAt, createdAt, updatedAt };
}
