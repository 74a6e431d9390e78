import type { PaymentSignal, ReturnSignal, TransferSignal } from './gateway.ts';

/** A provider's report on a payment, a payout's transfer or a returned payment. */
export type Signal = PaymentSignal | TransferSignal | ReturnSignal;

/**
 * Verifies a webhook's exact bytes and converts them to a signal.
 * @returns undefined for an authentic event that none of the signals describes
 * @throws DomainError 401 for a webhook that is not authentic
 */
export type WebhookReader = (
  body: Buffer,
  header: (name: string) => string | undefined,
) => Promise<Signal | undefined>;

/** Parses a webhook's body; returns an empty object for anything but a JSON object or array. */
// biome-ignore lint/suspicious/noExplicitAny: each adapter checks the fields that it reads
export function parseWebhook(body: Buffer): Record<string, any> {
  try {
    const parsedBody = JSON.parse(body.toString('utf8'));
    return typeof parsedBody === 'object' && parsedBody !== null ? parsedBody : {};
  } catch {
    return {};
  }
}

/**
 * Converts a provider's id, amount or currency to text; returns an empty string for any other value, and for more than
 * 255 characters. A signed webhook may still contain any JSON.
 */
export function toShortText(value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  return text.length <= 255 && text.isWellFormed() ? text : '';
}
