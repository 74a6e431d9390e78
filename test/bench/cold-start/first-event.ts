import { createHmac } from 'node:crypto';
import { signAccessToken } from '../../../shared/runtime/tokens.ts';

/**
 * Creates the event of each function's first call: both an HTTP request, with a valid access token and gateway-a's
 * signature, and a queue message. All its ids belong to objects that do not exist, so that a call reads the table and
 * changes nothing.
 */
export async function createFirstEvent(gatewaySecret: string): Promise<object> {
  const id = 'cabsent0000000000000000000';
  const reference = 'BOX-ABSENT-1763683200000-ABSENT00';
  const body = JSON.stringify({
    eventId: id,
    tierId: id,
    quantity: 1,
    paymentMethod: 'FIAT',
    event: 'charge.success',
    data: { id: 1, reference },
  });
  const token = await signAccessToken({ userId: id, email: 'nobody@example.com', role: 'ADMIN' });
  const message = { orderId: id, eventId: id, userId: id, payoutId: id };
  return {
    version: '2.0',
    routeKey: 'ANY /',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      'x-gateway-a-signature': createHmac('sha512', gatewaySecret).update(body).digest('hex'),
    },
    pathParameters: { id, tierId: id },
    requestContext: { requestId: id, http: { method: 'POST', path: '/', sourceIp: '127.0.0.1' } },
    body,
    isBase64Encoded: false,
    Records: [{ messageId: id, body: JSON.stringify(message), attributes: {} }],
  };
}
