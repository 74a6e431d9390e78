import { type Answer, call } from './http.ts';
import type { Person } from './people.ts';

type Caller = Pick<Person, 'token'>;

// biome-ignore lint/suspicious/noExplicitAny: responses are not typed
type Json = any;

/** Lists a page of the seats that a person holds or bought. */
export async function readSeats({ token }: Caller, query = ''): Promise<Json> {
  return (await call('GET', `/api/seats${query}`, { token })).body;
}

/** Finds a seat that a person holds or bought. */
export async function findSeat(person: Caller, orderId: string, number: number): Promise<Json> {
  const { seats } = await readSeats(person, `?orderId=${orderId}`);
  return seats.find((seat: { number: number }) => seat.number === number);
}

export function nameAttendee(
  { token }: Caller,
  orderId: string,
  number: number,
  body: object,
): Promise<Answer> {
  return call('PUT', `/api/orders/${orderId}/seats/${number}`, { token, body });
}

export function offerSeat(
  { token }: Caller,
  orderId: string,
  number: number,
  email: string,
): Promise<Answer> {
  return call('POST', `/api/orders/${orderId}/seats/${number}/transfer`, { token, body: { email } });
}

export function acceptTransfer({ token }: Caller, transferToken: string): Promise<Answer> {
  return call('POST', `/api/transfers/${transferToken}/accept`, { token });
}

export function withdrawTransfer({ token }: Caller, transferToken: string): Promise<Answer> {
  return call('DELETE', `/api/transfers/${transferToken}`, { token });
}
