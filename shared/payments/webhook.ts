import { timingSafeEqual } from 'node:crypto';
import type { PaymentSignal } from './gateway.ts';
import type { TransferSignal } from './transfer.ts';

/** What a provider reports, in the one form that settlement takes. */
export type Signal = PaymentSignal | TransferSignal;

/**
 * What a webhook says, once it is known to be genuine: about a payment or a transfer, or undefined for anything
 * that is no business of ours.
 */
export type WebhookReader = (
  body: Buffer,
  header: (name: string) => string | undefined,
) => Promise<Signal | undefined>;

/** A webhook's body as an object; an empty one for anything that is no JSON object. */
// biome-ignore lint/suspicious/noExplicitAny: providers send what they like, each adapter picks what it knows
export function parseWebhook(body: Buffer): Record<string, any> {
  try {
    const parsed = JSON.parse(body.toString('utf8'));
    return typeof parsed === 'object' && parsed !== null ? parsed : {};
  } catch {
    return {};
  }
}

/**
 * What a provider says for an id, an amount or a currency, as text; empty for anything but a number or a short
 * text. A webhook is signed, yet what is in it may still be anything that JSON can say.
 */
export function plainText(value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  return text.length <= 255 && text.isWellFormed() ? text : '';
}

/** Compares in a time that tells nothing of where two texts differ. An empty expectation matches nothing. */
export function sameSecret(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return b.length > 0 && a.length === b.length && timingSafeEqual(a, b);
}
