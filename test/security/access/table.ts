/** Kinds of callers, in the order in which they send a request. Those who may change something come last. */
export const kinds = [
  'anonymous',
  'expired', // with an access token and a session that have expired
  'refresh', // with a refresh token in place of the access token
  'guest', // with the access token of an order that was bought without an account
  'stranger', // a user without relation to the object
  'pastHolder', // received a seat of the owner's order, and transferred it to the holder
  'holder', // holds this seat
  'owner', // the user of the object: the buyer of an order, the receiver of a notification
  'rival', // the organizer of another event
  'door', // door staff of the event, with the role USER
  'manager', // a manager of the event, with the role USER
  'admin',
  'organizer', // the organizer of the event
] as const;
export type CallerKind = (typeof kinds)[number];

/**
 * The status for each kind of caller. Every route of infra/functions.ts has a line. A note after `--` names the case
 * that the line covers. Callers get 404 for private objects of others (an order, a payout, a person). They get 403 for
 * public objects of others (an event), and when they lack the required role. A new endpoint needs a line here, and its
 * body in requests.ts.
 */
// biome-ignore format: a table
export const statuses: Record<string, readonly number[]> = {
  //                                         anon. expir refre guest stran pastH holdr owner rival door  manag admin organizer
  'GET /api/health':                          [200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'GET /api/openapi.json':                    [200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'GET /docs':                                [200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'GET /docs/{file}':                         [200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'OPTIONS /{proxy+}':                        [204, 204, 204, 204, 204, 204, 204, 204, 204, 204, 204, 204, 204],
  '$default':                                 [404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404],

  'POST /api/auth/register':                  [201, 201, 201, 201, 201, 201, 201, 201, 201, 201, 201, 201, 201],
  'POST /api/auth/login':                     [200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'POST /api/auth/forgot-password':           [200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  // 400: no caller sends a valid link token.
  'POST /api/auth/reset-password':            [400, 400, 400, 400, 400, 400, 400, 400, 400, 400, 400, 400, 400],
  'POST /api/auth/verify-email':              [400, 401, 401, 401, 400, 400, 400, 400, 400, 400, 400, 400, 400],
  'POST /api/auth/verify-email/send':         [401, 401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  // 403: only the staff have confirmed their addresses. Before the next line, which makes the access tokens too old.
  'POST /api/auth/orders':                    [401, 401, 401, 401, 403, 403, 403, 403, 403, 200, 200, 403, 403],
  // Before the next line, which ends the sessions of these access tokens.
  'GET /api/auth/sessions':                   [401, 401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'DELETE /api/auth/sessions/{id}':           [401, 401, 401, 401, 404, 404, 404, 404, 404, 404, 404, 404, 404],
  'DELETE /api/auth/sessions':                [401, 401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'POST /api/auth/change-email':               [401, 401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  // 400: no caller sends a valid link token.
  'POST /api/auth/change-email/confirm':       [401, 401, 401, 401, 400, 400, 400, 400, 400, 400, 400, 400, 400],
  'POST /api/auth/change-email/undo':          [400, 400, 400, 400, 400, 400, 400, 400, 400, 400, 400, 400, 400],
  'PUT /api/auth/password':                   [401, 401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  // All have the same password.
  'POST /api/auth/confirm':                   [401, 401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'POST /api/auth/passkeys/options':          [401, 401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  // 400 and 401: no caller has a passkey that answers a challenge.
  'POST /api/auth/passkeys':                  [401, 401, 401, 401, 400, 400, 400, 400, 400, 400, 400, 400, 400],
  'GET /api/auth/passkeys':                   [401, 401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'PATCH /api/auth/passkeys/{id}':            [401, 401, 401, 401, 404, 404, 404, 404, 404, 404, 404, 404, 404],
  'DELETE /api/auth/passkeys/{id}':           [401, 401, 401, 401, 404, 404, 404, 404, 404, 404, 404, 404, 404],
  'POST /api/auth/passkeys/login/options':    [200, 401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'POST /api/auth/passkeys/login':            [401, 401, 401, 401, 401, 401, 401, 401, 401, 401, 401, 401, 401],
  'POST /api/auth/login/verify':              [401, 401, 401, 401, 401, 401, 401, 401, 401, 401, 401, 401, 401],
  'POST /api/auth/totp':                      [401, 401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'POST /api/auth/totp/activate':             [401, 401, 401, 401, 400, 400, 400, 400, 400, 400, 400, 400, 400],
  'DELETE /api/auth/totp':                    [401, 401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'POST /api/auth/refresh-token':             [401, 401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'POST /api/auth/wallet/challenge':          [401, 401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  // 401: no caller sends a valid signature.
  'POST /api/auth/wallet/verify':             [401, 401, 401, 401, 401, 401, 401, 401, 401, 401, 401, 401, 401],
  'DELETE /api/auth/wallet':                  [401, 401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'GET /api/auth/me':                         [401, 401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'PATCH /api/auth/me':                       [401, 401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'DELETE /api/users/{id}/sessions':          [401, 401, 401, 401, 404, 404, 404, 200, 404, 404, 404, 200, 404],
  'GET /api/users/{id}/export':               [401, 401, 401, 401, 404, 404, 404, 200, 404, 404, 404, 200, 404],
  // 409: the user has a pending order.
  'POST /api/users/{id}/erasure':             [401, 401, 401, 401, 404, 404, 404, 409, 404, 404, 404, 409, 404],
  // The owner has no factors, so that the line changes nothing.
  'DELETE /api/users/{id}/factors':           [401, 401, 401, 401, 403, 403, 403, 403, 403, 403, 403, 200, 403],
  'PUT /api/users/{id}/kyc':                  [401, 401, 401, 401, 403, 403, 403, 403, 403, 403, 403, 200, 403],
  'POST /api/auth/logout':                    [200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200],

  'POST /api/keys':                           [401, 401, 401, 401, 403, 403, 403, 403, 201, 403, 403, 201, 201],
  'GET /api/keys':                            [401, 401, 401, 401, 403, 403, 403, 403, 200, 403, 403, 200, 200],
  'DELETE /api/keys/{id}':                    [401, 401, 401, 401, 403, 403, 403, 403, 404, 403, 403, 404, 200],

  'POST /api/webhook-endpoints':              [401, 401, 401, 401, 403, 403, 403, 403, 201, 403, 403, 201, 201],
  'GET /api/webhook-endpoints':               [401, 401, 401, 401, 403, 403, 403, 403, 200, 403, 403, 200, 200],
  'PUT /api/webhook-endpoints/{id}':          [401, 401, 401, 401, 403, 403, 403, 403, 404, 403, 403, 404, 200],
  'POST /api/webhook-endpoints/{id}/rotate':  [401, 401, 401, 401, 403, 403, 403, 403, 404, 403, 403, 404, 200],
  'POST /api/webhook-endpoints/{id}/test':    [401, 401, 401, 401, 403, 403, 403, 403, 404, 403, 403, 404, 202],
  'GET /api/webhook-endpoints/{id}/deliveries': [401, 401, 401, 401, 403, 403, 403, 403, 404, 403, 403, 404, 200],
  'POST /api/webhook-endpoints/{id}/deliveries/{deliveryId}/retry': [401, 401, 401, 401, 403, 403, 403, 403, 404, 403, 403, 404, 202],
  'GET /api/occurrences':                     [401, 401, 401, 401, 403, 403, 403, 403, 200, 403, 403, 200, 200],
  'DELETE /api/webhook-endpoints/{id}':       [401, 401, 401, 401, 403, 403, 403, 403, 404, 403, 403, 404, 200],

  'POST /api/events':                         [401, 401, 401, 401, 403, 403, 403, 403, 201, 403, 403, 201, 201],
  'GET /api/events':                          [200, 401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'GET /api/events -- organizerId=me':        [401, 401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'GET /api/events/{id}':                     [200, 401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'GET /api/events/{id} -- a draft':          [404, 401, 401, 401, 404, 404, 404, 404, 404, 200, 200, 404, 200],
  'GET /api/events/{id}/calendar':            [200, 401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'GET /api/events/{id}/calendar -- a draft': [404, 401, 401, 401, 404, 404, 404, 404, 404, 200, 200, 404, 200],
  'GET /events/{id+}':                        [200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  // Browsers open pages without a token.
  'GET /events/{id+} -- a draft':             [404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404],
  'PUT /api/events/{id}':                     [401, 401, 401, 401, 403, 403, 403, 403, 403, 403, 200, 403, 200],
  'PUT /api/events/{id} -- a draft':          [401, 401, 401, 401, 404, 404, 404, 404, 404, 403, 200, 404, 200],
  'DELETE /api/events/{id} -- without orders':   [401, 401, 401, 401, 403, 403, 403, 403, 403, 403, 403, 403, 200],
  'GET /api/events/{id}/orders':              [401, 401, 401, 401, 403, 403, 403, 403, 403, 403, 200, 403, 200],
  'GET /api/events/{id}/attendees':           [401, 401, 401, 401, 403, 403, 403, 403, 403, 403, 200, 403, 200],
  'POST /api/events/{id}/image':              [401, 401, 401, 401, 403, 403, 403, 403, 403, 403, 201, 403, 201],
  'GET /api/pictures/{id}/{upload}/{width}':  [404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404],
  'POST /api/events/{id}/duplicate':          [401, 401, 401, 401, 403, 403, 403, 403, 403, 403, 403, 403, 201],
  'GET /api/events/{id}/summary':             [401, 401, 401, 401, 403, 403, 403, 403, 403, 403, 200, 403, 200],
  // 409: the event has no waiting list.
  'POST /api/events/{id}/waiting-list':       [401, 401, 401, 401, 409, 409, 409, 409, 409, 409, 409, 409, 409],
  'GET /api/events/{id}/waiting-list':        [401, 401, 401, 401, 403, 403, 403, 403, 403, 403, 200, 403, 200],
  'GET /api/waiting-list':                    [401, 401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'DELETE /api/waiting-list/{id}':            [401, 401, 401, 401, 404, 404, 404, 404, 404, 404, 404, 404, 404],
  // 409: the event has no queue.
  'POST /api/events/{id}/queue':              [401, 401, 401, 401, 409, 409, 409, 409, 409, 409, 409, 409, 409],
  'GET /api/events/{id}/queue':               [409, 409, 409, 409, 409, 409, 409, 409, 409, 409, 409, 409, 409],
  'GET /api/events/{id}/queue/draw':          [409, 409, 409, 409, 409, 409, 409, 409, 409, 409, 409, 409, 409],
  'PUT /api/events/{id}/queue':               [401, 401, 401, 401, 403, 403, 403, 403, 403, 403, 409, 409, 409],
  'POST /api/events/{id}/tiers':              [401, 401, 401, 401, 403, 403, 403, 403, 403, 403, 201, 403, 201],
  'PUT /api/events/{id}/tiers/{tierId}':      [401, 401, 401, 401, 403, 403, 403, 403, 403, 403, 200, 403, 200],
  'POST /api/events/{id}/staff':              [401, 401, 401, 401, 403, 403, 403, 403, 403, 403, 403, 403, 201],
  'GET /api/events/{id}/staff':               [401, 401, 401, 401, 403, 403, 403, 403, 403, 403, 403, 403, 200],
  'GET /api/events/{id}/staff -- a draft':    [401, 401, 401, 401, 404, 404, 404, 404, 404, 403, 403, 404, 200],
  'DELETE /api/events/{id}/staff':            [401, 401, 401, 401, 403, 403, 403, 403, 403, 403, 403, 403, 200],
  'GET /api/events -- staff=me':              [401, 401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'GET /api/events/{id}/audit':               [401, 401, 401, 401, 403, 403, 403, 403, 403, 403, 403, 403, 200],
  // 409: the manager has created the code before; 404: the manager has deleted it before.
  'POST /api/events/{id}/codes':              [401, 401, 401, 401, 403, 403, 403, 403, 403, 403, 201, 403, 409],
  'GET /api/events/{id}/codes':               [401, 401, 401, 401, 403, 403, 403, 403, 403, 403, 200, 403, 200],
  'PUT /api/events/{id}/codes/{code}':        [401, 401, 401, 401, 403, 403, 403, 403, 403, 403, 200, 403, 200],
  'DELETE /api/events/{id}/codes/{code}':     [401, 401, 401, 401, 403, 403, 403, 403, 403, 403, 200, 403, 404],
  'POST /api/events/{id}/quote':              [200, 401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'GET /api/audit':                           [401, 401, 401, 401, 403, 403, 403, 403, 403, 403, 403, 200, 403],

  'POST /api/orders/initialize':              [401, 401, 401, 401, 201, 201, 201, 201, 201, 201, 201, 201, 201],
  // 400: the body names a customer, the authorization another one. The guest’s other order is unpaid.
  'POST /api/orders/initialize -- a guest':   [201, 401, 401, 401, 400, 400, 400, 400, 400, 400, 400, 400, 400],
  'POST /api/orders/access':                  [202, 202, 202, 202, 202, 202, 202, 202, 202, 202, 202, 202, 202],
  'GET /api/orders':                          [401, 401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'GET /api/orders/{id}':                     [401, 401, 401, 401, 404, 404, 404, 200, 404, 404, 200, 404, 200],
  // 409: the order is paid already, so its buyer can't confirm it.
  'GET /api/orders/{id}/tickets.pdf':         [401, 401, 401, 401, 404, 404, 404, 200, 404, 404, 200, 404, 200],
  'GET /api/orders/{id}/invoice.pdf':         [401, 401, 401, 401, 404, 404, 404, 200, 404, 404, 200, 404, 200],
  'GET /api/orders/{id}/seats/{number}/ticket.pdf': [401, 401, 401, 401, 404, 404, 404, 200, 404, 404, 404, 404, 404],
  'GET /api/orders/{id}/seats/{number}/pass.pkpass': [401, 401, 401, 401, 404, 404, 404, 200, 404, 404, 404, 404, 404],
  'GET /api/orders/{id}/seats/{number}/google-wallet': [401, 401, 401, 401, 404, 404, 404, 200, 404, 404, 404, 404, 404],
  'POST /api/orders/{id}/confirm':            [401, 401, 401, 401, 404, 404, 404, 409, 404, 404, 404, 404, 404],
  'POST /api/orders/{id}/cancel -- unpaid':   [401, 401, 401, 401, 404, 404, 404, 200, 404, 404, 404, 404, 404],
  'POST /api/orders/{id}/fulfil':             [401, 401, 401, 401, 404, 404, 404, 404, 404, 404, 200, 200, 200],
  'PUT /api/orders/{id}/seats/{number}':      [401, 401, 401, 401, 404, 404, 404, 200, 404, 404, 404, 404, 404],
  'POST /api/orders/{id}/seats/{number}/transfer': [401, 401, 401, 401, 404, 404, 404, 201, 404, 404, 404, 404, 404],
  'GET /api/transfers/{token}':               [200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  // The seat is offered to another account. Its owner can only withdraw the offer.
  'POST /api/transfers/{token}/accept':       [401, 401, 401, 401, 404, 404, 404, 404, 404, 404, 404, 404, 404],
  'DELETE /api/transfers/{token}':            [401, 401, 401, 401, 404, 404, 404, 200, 404, 404, 404, 404, 404],
  'GET /api/orders/{id} -- of a guest':       [401, 401, 401, 200, 404, 404, 404, 404, 404, 404, 200, 404, 200],
  // 409: the order is paid already, and not by crypto.
  'GET /api/orders/{id}/tickets.pdf -- of a guest': [401, 401, 401, 200, 404, 404, 404, 404, 404, 404, 200, 404, 200],
  'GET /api/orders/{id}/invoice.pdf -- of a guest': [401, 401, 401, 200, 404, 404, 404, 404, 404, 404, 200, 404, 200],
  'GET /api/orders/{id}/seats/{number}/ticket.pdf -- of a guest': [401, 401, 401, 200, 404, 404, 404, 404, 404, 404, 404, 404, 404],
  'GET /api/orders/{id}/seats/{number}/pass.pkpass -- of a guest': [401, 401, 401, 200, 404, 404, 404, 404, 404, 404, 404, 404, 404],
  'GET /api/orders/{id}/seats/{number}/google-wallet -- of a guest': [401, 401, 401, 200, 404, 404, 404, 404, 404, 404, 404, 404, 404],
  'POST /api/orders/{id}/cancel -- of a guest': [401, 401, 401, 409, 404, 404, 404, 404, 404, 404, 404, 404, 404],
  'POST /api/orders/{id}/confirm -- of a guest': [401, 401, 401, 409, 404, 404, 404, 404, 404, 404, 404, 404, 404],
  'PUT /api/orders/{id}/seats/{number} -- of a guest': [401, 401, 401, 200, 404, 404, 404, 404, 404, 404, 404, 404, 404],
  'POST /api/transfers/{token}/accept -- of a guest': [401, 401, 401, 401, 404, 404, 404, 404, 404, 404, 404, 404, 404],
  'DELETE /api/transfers/{token} -- of a guest': [401, 401, 401, 200, 404, 404, 404, 404, 404, 404, 404, 404, 404],
  'POST /api/orders/{id}/seats/{number}/transfer -- of a guest': [401, 401, 401, 201, 404, 404, 404, 404, 404, 404, 404, 404, 404],
  'POST /api/orders/{id}/send -- of a guest': [401, 401, 401, 200, 404, 404, 404, 404, 404, 404, 200, 404, 200],
  'PUT /api/orders/{id}/answers':             [401, 401, 401, 401, 404, 404, 404, 200, 404, 404, 404, 404, 404],
  'PUT /api/orders/{id}/answers -- of a guest': [401, 401, 401, 200, 404, 404, 404, 404, 404, 404, 404, 404, 404],
  'PUT /api/orders/{id}/wallet -- of a guest': [401, 401, 401, 200, 404, 404, 404, 404, 404, 404, 404, 404, 404],
  'POST /api/orders/{id}/reissue -- of a guest': [401, 401, 401, 401, 404, 404, 404, 404, 404, 404, 409, 409, 409],
  // 409: the buyer’s account has a wallet.
  'PUT /api/orders/{id}/wallet':              [401, 401, 401, 401, 404, 404, 404, 409, 404, 404, 404, 404, 404],
  'POST /api/orders/{id}/send':               [401, 401, 401, 401, 404, 404, 404, 200, 404, 404, 200, 404, 200],
  // 409: no ticket of the order was minted.
  'POST /api/orders/{id}/reissue':            [401, 401, 401, 401, 404, 404, 404, 409, 404, 404, 409, 409, 409],
  'GET /api/orders/{id} -- transferred':      [401, 401, 401, 401, 404, 404, 404, 200, 404, 404, 200, 404, 200],
  'PUT /api/orders/{id}/seats/{number} -- transferred': [401, 401, 401, 401, 404, 404, 200, 409, 404, 404, 404, 404, 404],
  // 409: the buyer transferred the only seat.
  'GET /api/orders/{id}/tickets.pdf -- transferred': [401, 401, 401, 401, 404, 404, 404, 409, 404, 404, 409, 404, 409],
  'GET /api/orders/{id}/invoice.pdf -- transferred': [401, 401, 401, 401, 404, 404, 404, 200, 404, 404, 200, 404, 200],
  'GET /api/orders/{id}/seats/{number}/ticket.pdf -- transferred': [401, 401, 401, 401, 404, 404, 200, 409, 404, 404, 404, 404, 404],
  'GET /api/orders/{id}/seats/{number}/pass.pkpass -- transferred': [401, 401, 401, 401, 404, 404, 200, 409, 404, 404, 404, 404, 404],
  'GET /api/orders/{id}/seats/{number}/google-wallet -- transferred': [401, 401, 401, 401, 404, 404, 200, 409, 404, 404, 404, 404, 404],
  // 200: the holder has accepted this offer before.
  'POST /api/transfers/{token}/accept -- transferred': [401, 401, 401, 401, 404, 404, 200, 404, 404, 404, 404, 404, 404],
  'DELETE /api/transfers/{token} -- transferred': [401, 401, 401, 401, 404, 409, 404, 404, 404, 404, 404, 404, 404],
  'POST /api/orders/{id}/seats/{number}/transfer -- transferred': [401, 401, 401, 401, 404, 404, 201, 409, 404, 404, 404, 404, 404],
  // 409: a seat was transferred.
  'POST /api/orders/{id}/refund -- transferred': [401, 401, 401, 401, 404, 404, 404, 404, 404, 404, 409, 409, 409],
  // 409: the event has no returns.
  'GET /api/orders/{id}/returns/quote':       [401, 401, 401, 401, 404, 404, 404, 409, 404, 404, 404, 404, 404],
  'GET /api/orders/{id}/returns/quote -- of a guest': [401, 401, 401, 409, 404, 404, 404, 404, 404, 404, 404, 404, 404],
  'POST /api/orders/{id}/returns':            [401, 401, 401, 401, 404, 404, 404, 409, 404, 404, 404, 404, 404],
  'POST /api/orders/{id}/returns -- of a guest': [401, 401, 401, 409, 404, 404, 404, 404, 404, 404, 404, 404, 404],
  // A return that is not listed has ended.
  'DELETE /api/orders/{id}/returns/{returnId}': [401, 401, 401, 401, 404, 404, 404, 200, 404, 404, 404, 404, 404],
  'DELETE /api/orders/{id}/returns/{returnId} -- of a guest': [401, 401, 401, 200, 404, 404, 404, 404, 404, 404, 404, 404, 404],
  'POST /api/orders/{id}/refund':             [401, 401, 401, 401, 404, 404, 404, 404, 404, 404, 200, 200, 200],

  'POST /api/webhooks/gateway-a':             [401, 401, 401, 401, 401, 401, 401, 401, 401, 401, 401, 401, 401],
  'POST /api/webhooks/gateway-b':             [401, 401, 401, 401, 401, 401, 401, 401, 401, 401, 401, 401, 401],
  'POST /api/webhooks/gateway-c':             [401, 401, 401, 401, 401, 401, 401, 401, 401, 401, 401, 401, 401],

  // 401: no caller sends a valid signature.
  'POST /api/contracts/verify':               [401, 401, 401, 401, 403, 403, 403, 403, 401, 403, 403, 401, 401],
  'PUT /api/contracts/{chainId}/{address}':   [401, 401, 401, 401, 403, 403, 403, 403, 403, 403, 403, 200, 403],
  'DELETE /api/contracts/{chainId}/{address}': [401, 401, 401, 401, 403, 403, 403, 403, 403, 403, 403, 200, 403],

  'GET /api/tokens/{chainId}/{contract}/{tokenId}': [200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'GET /api/tokens/{chainId}/{contract}':     [200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200],

  'GET /api/organizer/balance':               [401, 401, 401, 401, 403, 403, 403, 403, 200, 403, 403, 200, 200],
  // 409: the balance does not cover the amount.
  'POST /api/payouts':                        [401, 401, 401, 401, 403, 403, 403, 403, 409, 403, 403, 409, 201],
  // 400: no caller sends a valid link token.
  'POST /api/payouts/stop':                   [400, 400, 400, 400, 400, 400, 400, 400, 400, 400, 400, 400, 400],
  'GET /api/payouts':                         [401, 401, 401, 401, 403, 403, 403, 403, 200, 403, 403, 200, 200],
  'GET /api/banks':                           [401, 401, 401, 401, 403, 403, 403, 403, 200, 403, 403, 200, 200],

  'GET /api/seats':                           [401, 401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  // 403: no caller has a linked wallet.
  'POST /api/tickets/claim':                  [401, 401, 401, 401, 403, 403, 403, 403, 403, 403, 403, 403, 403],
  'GET /api/tickets':                         [401, 401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'GET /api/tickets/qr/{code}':               [200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  // 409: the door staff has admitted the seat before.
  'POST /api/tickets/check-in':               [401, 401, 401, 401, 403, 403, 403, 403, 403, 200, 409, 409, 409],
  // 409: the door staff has admitted the seat before.
  'POST /api/events/{id}/admissions':         [401, 401, 401, 401, 403, 403, 403, 403, 403, 409, 409, 403, 409],
  // 200 for the door too, before its two minutes end: nobody is admitted by then, or it scanned the ticket itself.
  'DELETE /api/orders/{id}/seats/{number}/admission': [401, 401, 401, 401, 404, 404, 404, 404, 404, 200, 200, 404, 200],
  'GET /api/events/{id}/door':                [401, 401, 401, 401, 403, 403, 403, 403, 403, 200, 200, 403, 200],
  'POST /api/events/{id}/door/scans':         [401, 401, 401, 401, 403, 403, 403, 403, 403, 200, 200, 403, 200],
  'GET /api/events/{id}/admissions':          [401, 401, 401, 401, 403, 403, 403, 403, 403, 200, 200, 403, 200],
  'GET /api/events/{id}/admissions -- a draft': [401, 401, 401, 401, 404, 404, 404, 404, 404, 200, 200, 404, 200],
  'PUT /api/organizer/page':                  [401, 401, 401, 401, 403, 403, 403, 403, 200, 403, 403, 200, 200],
  'POST /api/organizer/page/logo':            [401, 401, 401, 401, 403, 403, 403, 403, 201, 403, 403, 201, 201],
  'GET /api/organizer/page':                  [401, 401, 401, 401, 403, 403, 403, 403, 200, 403, 403, 200, 200],
  'DELETE /api/organizer/page':               [401, 401, 401, 401, 403, 403, 403, 403, 200, 403, 403, 200, 200],
  'GET /api/organizers/{slug}':               [404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404],

  'GET /api/notifications':                   [401, 401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'POST /api/notifications/{id}/read':        [401, 401, 401, 401, 404, 404, 404, 200, 404, 404, 404, 404, 404],
  'POST /api/notifications/read-all':         [401, 401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200, 200],
};

/** The response of a passkey to a challenge that this service did not issue. */
export const unprovedPasskey = {
  id: 'unknown',
  rawId: 'unknown',
  type: 'public-key',
  response: { clientDataJSON: 'e30', attestationObject: 'e30', authenticatorData: 'e30', signature: 'e30' },
};

/**
 * The requests that need a fresh session where STEP_UP is `true`, with the organizer's own ids. Every route whose contract
 * is `fresh` has a line.
 */
export const freshRequests: Record<string, object | undefined> = {
  'PUT /api/auth/password': { currentPassword: 'unknown password', password: 'correct horse' },
  'POST /api/auth/wallet/verify': { message: 'unsigned', signature: '0xab' },
  'DELETE /api/auth/wallet': undefined,
  'PATCH /api/auth/me': { walletAddress: null },
  'POST /api/auth/passkeys/options': undefined,
  'POST /api/auth/passkeys': { response: unprovedPasskey },
  'PATCH /api/auth/passkeys/{id}': { name: 'Phone' },
  'DELETE /api/auth/passkeys/{id}': undefined,
  'POST /api/auth/totp': undefined,
  'POST /api/auth/totp/activate': { code: '000000' },
  'DELETE /api/auth/totp': undefined,
  'POST /api/auth/change-email': { email: 'new@example.com' },
  'DELETE /api/users/{id}/factors': undefined,
  'POST /api/users/{id}/erasure': undefined,
  'PUT /api/orders/{id}/wallet': { walletAddress: `0x${'ab'.repeat(20)}` },
  'POST /api/orders/{id}/reissue': { walletAddress: `0x${'ab'.repeat(20)}` },
  'DELETE /api/auth/sessions': undefined,
  'DELETE /api/auth/sessions/{id}': undefined,
  'POST /api/contracts/verify': {
    message: 'unsigned',
    signature: '0xab',
    chainId: 1,
    address: `0x${'ab'.repeat(20)}`,
  },
  'POST /api/events/{id}/staff': { email: 'someone@example.com', role: 'manager' },
  'DELETE /api/keys/{id}': undefined,
  'POST /api/keys': { name: 'CRM', scopes: ['orders:read'] },
  'POST /api/webhook-endpoints': { url: 'https://example.com/hooks', types: ['order.completed'] },
  'PUT /api/webhook-endpoints/{id}': { url: 'https://example.com/hooks', types: ['order.completed'] },
  'POST /api/webhook-endpoints/{id}/rotate': undefined,
  'POST /api/payouts': {
    amount: 5,
    currency: 'NGN',
    gateway: 'gateway-a',
    destination: { accountNumber: '0690000031', bankCode: '044', accountName: 'O. Organizer' },
  },
};

/** The routes by which users change something in a stale session too, by the reason. */
export const staleRoutes: Record<string, readonly string[]> = {
  'they prove themselves, by a link or by who confirms': [
    'POST /api/auth/confirm',
    'POST /api/auth/change-email/confirm',
    'POST /api/auth/verify-email',
    'POST /api/auth/verify-email/send',
    'POST /api/auth/passkeys/login/options',
    'POST /api/auth/wallet/challenge',
    'POST /api/auth/orders',
  ],
  'it ends all sessions, and so the one of the caller': ['DELETE /api/users/{id}/sessions'],
  'money goes back to who paid it, within the balance': [
    'POST /api/orders/{id}/refund',
    'POST /api/orders/{id}/returns',
    'DELETE /api/orders/{id}/returns/{returnId}',
    'POST /api/orders/{id}/cancel',
  ],
  'the tickets are a buyer’s, and so is the session': [
    'POST /api/orders/initialize',
    'POST /api/orders/{id}/confirm',
    'PUT /api/orders/{id}/answers',
    'POST /api/orders/{id}/send',
    'PUT /api/orders/{id}/seats/{number}',
    'POST /api/orders/{id}/seats/{number}/transfer',
    'POST /api/transfers/{token}/accept',
    'DELETE /api/transfers/{token}',
    'POST /api/tickets/claim',
    'POST /api/events/{id}/waiting-list',
    'DELETE /api/waiting-list/{id}',
    'POST /api/events/{id}/queue',
    'POST /api/notifications/read-all',
    'POST /api/notifications/{id}/read',
  ],
  'they run an event, are recorded, and pay nobody': [
    'POST /api/events',
    'PUT /api/events/{id}',
    'DELETE /api/events/{id}',
    'POST /api/events/{id}/duplicate',
    'POST /api/events/{id}/image',
    'PUT /api/organizer/page',
    'POST /api/organizer/page/logo',
    'DELETE /api/organizer/page',
    'POST /api/events/{id}/tiers',
    'PUT /api/events/{id}/tiers/{tierId}',
    'POST /api/events/{id}/codes',
    'PUT /api/events/{id}/codes/{code}',
    'DELETE /api/events/{id}/codes/{code}',
    'POST /api/events/{id}/quote',
    'DELETE /api/events/{id}/staff',
    'PUT /api/events/{id}/queue',
    'POST /api/orders/{id}/fulfil',
    'POST /api/tickets/check-in',
    'POST /api/events/{id}/admissions',
    'POST /api/events/{id}/door/scans',
    'DELETE /api/orders/{id}/seats/{number}/admission',
  ],
  'an administrator can take them back, and they are recorded': [
    'PUT /api/users/{id}/kyc',
    'PUT /api/contracts/{chainId}/{address}',
    'DELETE /api/contracts/{chainId}/{address}',
  ],
  'they concern endpoints that a fresh session has created': [
    'DELETE /api/webhook-endpoints/{id}',
    'POST /api/webhook-endpoints/{id}/test',
    'POST /api/webhook-endpoints/{id}/deliveries/{deliveryId}/retry',
  ],
};

/** Returns the route of a line. */
export const routeOf = (line: string) => line.split(' -- ')[0] ?? '';
