import * as z from 'zod';

/** What an answer is: a line, a text, one or several of the options, a tick, or a day. */
export const questionKinds = ['text', 'longtext', 'choice', 'multiple', 'checkbox', 'date'] as const;

/** A question to the buyer. */
export const question = z.object({
  /** Short, since an order contains it with each answer. */
  id: z.string(),
  label: z.string(),
  kind: z.enum(questionKinds),
  required: z.boolean(),
  /** What can be chosen; empty for other kinds than `choice` and `multiple`. */
  options: z.array(z.string()),
  /** The tiers whose buyers are asked; empty for all tickets, but no add-ons. */
  tierIds: z.array(z.string()),
  /** Whether it is asked once, or for each ticket. */
  per: z.enum(['order', 'ticket']),
});
export type Question = z.infer<typeof question>;

/** The maximum number of questions of an event. */
export const maximumQuestions = 20;

/** When required questions have to be answered: with the order, or until the event begins. */
export const questionTimes = ['order', 'later'] as const;
