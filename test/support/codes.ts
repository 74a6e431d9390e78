import { call } from './http.ts';
import type { Person } from './people.ts';
import type { Sale } from './sales.ts';

// biome-ignore lint/suspicious/noExplicitAny: responses are not typed
type Json = any;

/** Creates a discount code for a sale's event. */
export async function createCode({ event, organizer }: Sale, fields: object): Promise<Json> {
  const path = `/api/events/${event.id}/codes`;
  const answer = await call('POST', path, { token: organizer.token, body: fields });
  if (answer.status !== 201) throw new Error(`Code not created: ${JSON.stringify(answer.body)}`);
  return answer.body.code;
}

/** Reads a discount code as the organizer. @param text the code in upper case */
export async function readCode({ event, organizer }: Sale, text: string): Promise<Json> {
  const { body } = await call('GET', `/api/events/${event.id}/codes?limit=100`, { token: organizer.token });
  return body.codes.find(({ code }: Json) => code === text);
}

/** Requests an order with a discount code. Returns the response of any status. */
export function requestOrderWithCode(
  { event }: Sale,
  { token }: Person,
  code: string | undefined,
  fields: object = {},
) {
  const body = {
    eventId: event.id,
    tierId: event.tiers[0].id,
    quantity: 1,
    paymentMethod: 'FIAT',
    code,
    ...fields,
  };
  return call('POST', '/api/orders/initialize', { token, body });
}

/** Requests a quote. Returns the response of any status. */
export function requestQuote({ event }: Sale, fields: object, token?: string) {
  const body = { tierId: event.tiers[0].id, quantity: 1, ...fields };
  return call('POST', `/api/events/${event.id}/quote`, { ...(token && { token }), body });
}

export const statusAndError = ({ status, headers }: { status: number; headers: Headers }) => [
  status,
  headers.get('x-error-code'),
];
