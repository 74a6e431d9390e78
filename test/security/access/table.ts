/** Kinds of callers, in the order of their requests: those who may not change something come first. */
export const kinds = [
  'anonymous',
  'expired', // with an access token and a session that are over
  'refresh', // with a refresh token for an access token
  'stranger', // a user who has nothing to do with it
  'pastHolder', // had a seat of an order of the owner's, and handed it on
  'holder', // holds that seat
  'owner', // the user it belongs to: the buyer of an order, the receiver of a notification, the user itself
  'rival', // the organizer of another event
  'door', // somebody at the door of the event, by a plain account
  'manager', // of the event, by a plain account
  'admin',
  'organizer', // of the event it is about
] as const;
export type Kind = (typeof kinds)[number];

/**
 * The status for each kind of caller. Every route of infra/functions.ts has a line, some have several, distinguished by
 * a note after `--`. A caller gets 404 for an object of others that is private (an order, a payout, a person). A caller
 * gets 403 for an object of others that is public (an event), and when they lack the required role. A new endpoint
 * needs a line here, and its body, if any, in requests.ts.
 */
// biome-ignore format: a table
export const statuses: Record<string, readonly number[]> = {
  //                                         anon. expir refre stran pastH holdr owner rival door  manag admin organizer
  'GET /api/health':                          [200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'GET /api/openapi.json':                    [200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'GET /docs':                                [200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'GET /docs/{file}':                         [200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'OPTIONS /{proxy+}':                        [204, 204, 204, 204, 204, 204, 204, 204, 204, 204, 204, 204],
  '$default':                                 [404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404],

  'POST /api/auth/register':                  [201, 201, 201, 201, 201, 201, 201, 201, 201, 201, 201, 201],
  'POST /api/auth/login':                     [200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'POST /api/auth/forgot-password':           [200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  // 400: none of them has the token of a link.
  'POST /api/auth/reset-password':            [400, 400, 400, 400, 400, 400, 400, 400, 400, 400, 400, 400],
  'POST /api/auth/verify-email':              [400, 400, 400, 400, 400, 400, 400, 400, 400, 400, 400, 400],
  'POST /api/auth/verify-email/send':         [401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'PUT /api/auth/password':                   [401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'POST /api/auth/refresh-token':             [401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'POST /api/auth/wallet/challenge':          [401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  // 401: nothing that they sent was signed.
  'POST /api/auth/wallet/verify':             [401, 401, 401, 401, 401, 401, 401, 401, 401, 401, 401, 401],
  'DELETE /api/auth/wallet':                  [401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'GET /api/auth/me':                         [401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'PATCH /api/auth/me':                       [401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'DELETE /api/users/{id}/sessions':          [401, 401, 401, 404, 404, 404, 200, 404, 404, 404, 200, 404],
  'GET /api/users/{id}/export':               [401, 401, 401, 404, 404, 404, 200, 404, 404, 404, 200, 404],
  // 409: the user has a pending order.
  'POST /api/users/{id}/erasure':             [401, 401, 401, 404, 404, 404, 409, 404, 404, 404, 409, 404],
  'PUT /api/users/{id}/kyc':                  [401, 401, 401, 403, 403, 403, 403, 403, 403, 403, 200, 403],
  'POST /api/auth/logout':                    [200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200],

  'POST /api/events':                         [401, 401, 401, 403, 403, 403, 403, 201, 403, 403, 201, 201],
  'GET /api/events':                          [200, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'GET /api/events -- organizerId=me':        [401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'GET /api/events/{id}':                     [200, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'GET /api/events/{id} -- a draft':          [404, 401, 401, 404, 404, 404, 404, 404, 200, 200, 404, 200],
  'GET /api/events/{id}/calendar':            [200, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'GET /api/events/{id}/calendar -- a draft': [404, 401, 401, 404, 404, 404, 404, 404, 200, 200, 404, 200],
  'GET /events/{id+}':                        [200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  // Browsers open pages without a token.
  'GET /events/{id+} -- a draft':             [404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404, 404],
  'PUT /api/events/{id}':                     [401, 401, 401, 403, 403, 403, 403, 403, 403, 200, 403, 200],
  'PUT /api/events/{id} -- a draft':          [401, 401, 401, 404, 404, 404, 404, 404, 403, 200, 404, 200],
  'DELETE /api/events/{id} -- a spare one':   [401, 401, 401, 403, 403, 403, 403, 403, 403, 403, 403, 200],
  'GET /api/events/{id}/orders':              [401, 401, 401, 403, 403, 403, 403, 403, 403, 200, 403, 200],
  'GET /api/events/{id}/summary':             [401, 401, 401, 403, 403, 403, 403, 403, 403, 200, 403, 200],
  'POST /api/events/{id}/tiers':              [401, 401, 401, 403, 403, 403, 403, 403, 403, 201, 403, 201],
  'PUT /api/events/{id}/tiers/{tierId}':      [401, 401, 401, 403, 403, 403, 403, 403, 403, 200, 403, 200],
  'POST /api/events/{id}/staff':              [401, 401, 401, 403, 403, 403, 403, 403, 403, 403, 403, 201],
  'GET /api/events/{id}/staff':               [401, 401, 401, 403, 403, 403, 403, 403, 403, 403, 403, 200],
  'GET /api/events/{id}/staff -- a draft':    [401, 401, 401, 404, 404, 404, 404, 404, 403, 403, 404, 200],
  'DELETE /api/events/{id}/staff':            [401, 401, 401, 403, 403, 403, 403, 403, 403, 403, 403, 200],
  'GET /api/events -- staff=me':              [401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'GET /api/events/{id}/audit':               [401, 401, 401, 403, 403, 403, 403, 403, 403, 403, 403, 200],
  // 409: the manager made the code first; 404: the manager deleted it first.
  'POST /api/events/{id}/codes':              [401, 401, 401, 403, 403, 403, 403, 403, 403, 201, 403, 409],
  'GET /api/events/{id}/codes':               [401, 401, 401, 403, 403, 403, 403, 403, 403, 200, 403, 200],
  'PUT /api/events/{id}/codes/{code}':        [401, 401, 401, 403, 403, 403, 403, 403, 403, 200, 403, 200],
  'DELETE /api/events/{id}/codes/{code}':     [401, 401, 401, 403, 403, 403, 403, 403, 403, 200, 403, 404],
  'POST /api/events/{id}/quote':              [200, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'GET /api/audit':                           [401, 401, 401, 403, 403, 403, 403, 403, 403, 403, 200, 403],

  'POST /api/orders/initialize':              [401, 401, 401, 201, 201, 201, 201, 201, 201, 201, 201, 201],
  'GET /api/orders':                          [401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'GET /api/orders/{id}':                     [401, 401, 401, 404, 404, 404, 200, 404, 404, 200, 404, 200],
  // 409 tells the buyer that there is nothing to confirm; others learn nothing.
  'POST /api/orders/{id}/confirm':            [401, 401, 401, 404, 404, 404, 409, 404, 404, 404, 404, 404],
  'POST /api/orders/{id}/cancel -- waiting':  [401, 401, 401, 404, 404, 404, 200, 404, 404, 404, 404, 404],
  'POST /api/orders/{id}/fulfil':             [401, 401, 401, 404, 404, 404, 404, 404, 404, 200, 200, 200],
  'PUT /api/orders/{id}/seats/{number}':      [401, 401, 401, 404, 404, 404, 200, 404, 404, 404, 404, 404],
  'POST /api/orders/{id}/seats/{number}/transfer': [401, 401, 401, 404, 404, 404, 201, 404, 404, 404, 404, 404],
  // It is offered to somebody else, so only the owner may do something: withdraw it.
  'POST /api/transfers/{token}/accept':       [401, 401, 401, 404, 404, 404, 404, 404, 404, 404, 404, 404],
  'DELETE /api/transfers/{token}':            [401, 401, 401, 404, 404, 404, 200, 404, 404, 404, 404, 404],
  'POST /api/orders/{id}/send':               [401, 401, 401, 404, 404, 404, 200, 404, 404, 200, 404, 200],
  // 409: nothing of it was minted.
  'POST /api/orders/{id}/reissue':            [401, 401, 401, 404, 404, 404, 409, 404, 404, 409, 409, 409],
  'GET /api/orders/{id} -- handed over':      [401, 401, 401, 404, 404, 404, 200, 404, 404, 200, 404, 200],
  'PUT /api/orders/{id}/seats/{number} -- handed over': [401, 401, 401, 404, 404, 200, 409, 404, 404, 404, 404, 404],
  // The holder has accepted it already.
  'POST /api/transfers/{token}/accept -- handed over': [401, 401, 401, 404, 404, 200, 404, 404, 404, 404, 404, 404],
  'DELETE /api/transfers/{token} -- handed over': [401, 401, 401, 404, 409, 404, 404, 404, 404, 404, 404, 404],
  'POST /api/orders/{id}/seats/{number}/transfer -- handed over': [401, 401, 401, 404, 404, 201, 409, 404, 404, 404, 404, 404],
  // 409: a seat was handed over.
  'POST /api/orders/{id}/refund -- handed over': [401, 401, 401, 404, 404, 404, 404, 404, 404, 409, 409, 409],
  'POST /api/orders/{id}/refund':             [401, 401, 401, 404, 404, 404, 404, 404, 404, 200, 200, 200],

  'POST /api/webhooks/gateway-a':             [401, 401, 401, 401, 401, 401, 401, 401, 401, 401, 401, 401],
  'POST /api/webhooks/gateway-b':             [401, 401, 401, 401, 401, 401, 401, 401, 401, 401, 401, 401],
  'POST /api/webhooks/gateway-c':             [401, 401, 401, 401, 401, 401, 401, 401, 401, 401, 401, 401],

  // 401: nothing that they sent was signed.
  'POST /api/contracts/verify':               [401, 401, 401, 403, 403, 403, 403, 401, 403, 403, 401, 401],
  'PUT /api/contracts/{chainId}/{address}':   [401, 401, 401, 403, 403, 403, 403, 403, 403, 403, 200, 403],
  'DELETE /api/contracts/{chainId}/{address}': [401, 401, 401, 403, 403, 403, 403, 403, 403, 403, 200, 403],

  'GET /api/tokens/{chainId}/{contract}/{tokenId}': [200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'GET /api/tokens/{chainId}/{contract}':     [200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200],

  'GET /api/organizer/balance':               [401, 401, 401, 403, 403, 403, 403, 200, 403, 403, 200, 200],
  // 409: they have nothing to be paid.
  'POST /api/payouts':                        [401, 401, 401, 403, 403, 403, 403, 409, 403, 403, 409, 201],
  'GET /api/payouts':                         [401, 401, 401, 403, 403, 403, 403, 200, 403, 403, 200, 200],
  'GET /api/banks':                           [401, 401, 401, 403, 403, 403, 403, 200, 403, 403, 200, 200],

  'GET /api/seats':                           [401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  // None of them has a linked wallet.
  'POST /api/tickets/claim':                  [401, 401, 401, 403, 403, 403, 403, 403, 403, 403, 403, 403],
  'GET /api/tickets':                         [401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'GET /api/tickets/qr/{code}':               [200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  // 409: the door admitted it first.
  'POST /api/tickets/check-in':               [401, 401, 401, 403, 403, 403, 403, 403, 200, 409, 409, 409],
  'GET /api/events/{id}/admissions':          [401, 401, 401, 403, 403, 403, 403, 403, 200, 200, 403, 200],
  'GET /api/events/{id}/admissions -- a draft': [401, 401, 401, 404, 404, 404, 404, 404, 200, 200, 404, 200],
  'GET /api/notifications':                   [401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200, 200],
  'POST /api/notifications/{id}/read':        [401, 401, 401, 404, 404, 404, 200, 404, 404, 404, 404, 404],
  'POST /api/notifications/read-all':         [401, 401, 401, 200, 200, 200, 200, 200, 200, 200, 200, 200],
};

/** The route of a line. */
export const routeOf = (line: string) => line.split(' -- ')[0] ?? '';
