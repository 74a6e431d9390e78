import * as z from 'zod';

/**
 * Text without surrounding space, of at most so many characters; it may be empty. Of control characters it has
 * none but tabs and line breaks: they are no text, but orders to terminals and spreadsheets.
 */
export const text = (maximum: number) => harmless(z.string().trim().max(maximum));

/** As `text`, but not empty. */
export const filledText = (maximum: number) => harmless(z.string().trim().min(1).max(maximum));

const harmless = (schema: z.ZodString) =>
  schema.regex(/^(?:[\t\n\r]|\P{Cc})*$/u, 'must not contain control characters');
