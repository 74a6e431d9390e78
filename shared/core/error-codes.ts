/** The kinds of errors that callers can get. http/contract.ts maps each kind to a status. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'gone'
  | 'too-large'
  | 'unsupported-media-type'
  | 'too-many-requests'
  | 'misconfigured'
  | 'provider-failed'
  | 'unavailable';

/**
 * All error codes, by kind, each with its meaning for the API reference. The sentence of a response stands where the
 * error is thrown, because it names values. Clients depend on the codes, so a published code never changes.
 */
export const errorMeanings = {
  invalid: {
    'invalid-input': 'A field is missing or not valid. `error` names it.',
    'malformed-json': 'The body is not JSON.',
    'invalid-cursor': 'The cursor is not the `nextCursor` of this list with these parameters.',
    'currency-not-supported': 'The gateway or the chain does not support this currency.',
    'transaction-unfit': 'The transaction failed, or it pays another recipient, token or order.',
    'idempotency-key-too-short':
      'A guest’s Idempotency-Key has at least 22 characters, since it can’t be guessed then.',
    'invalid-code': 'This service did not issue the check-in code.',
    'invalid-totp-code': 'The code is not one of the authenticator app that is being set up.',
    'invalid-passkey':
      'The passkey could not be verified, or its challenge has expired. Request new options.',
    'invalid-stop-token': 'The link that stops a payout has expired or was already used.',
    'invalid-email-change-token': 'The link has expired, was already used, or belongs to another account.',
    'invalid-reset-token': 'The link has expired or was already used. Request another.',
    'invalid-verification-token': 'The link has expired or belongs to another address. Request another.',
  },
  unauthenticated: {
    unauthenticated: 'The `authorization` header has no access token.',
    'invalid-token': 'The access token has expired or is not valid. Refresh it.',
    'token-replaced': 'The order was added to an account since the link was sent. Log in to open it.',
    'wrong-credentials': 'The e-mail address or the password is wrong.',
    'invalid-challenge': 'The challenge of the login was used or has expired. Log in again.',
    'invalid-refresh-token': 'The session has ended. Log in again.',
    'no-signature': 'The header with the signature is missing.',
    'invalid-signature': 'The signature does not match, or the signed message has expired.',
    'unknown-wallet': 'No account is linked to this wallet.',
  },
  forbidden: {
    forbidden: 'The caller’s role does not allow the request, or the event belongs to another organizer.',
    'kyc-required': 'The event sells to users with the KYC status `VERIFIED` only.',
    'email-not-verified': 'The account has to confirm its e-mail address first.',
    'second-factor-required':
      'Payouts need an account with a passkey or an authenticator app. Add one, then repeat the request.',
    'confirmation-required':
      'The session is not fresh. Confirm it with one of the methods in `x-confirm-with`, then repeat the request with the new access token.',
    'not-contract-admin': 'The wallet does not administer the contract.',
    'unknown-creation-code':
      'The contract was deployed by other code than this service’s ticket contract, so its roles can’t be trusted.',
    'not-the-owner': 'The caller’s linked wallet does not own the token.',
    'scope-missing':
      'The API key has not the scope of the endpoint, or the endpoint is closed to keys or to keys of some events.',
    'front-required':
      'The request did not come through the website’s address, below which the API is served.',
    'queue-required': 'Orders for this event need the caller’s ticket of its queue in `x-queue-ticket`.',
  },
  'not-found': {
    'path-not-found': 'The path does not exist, or it does not support this method.',
    'user-not-found': 'There is no such user, or the caller has no access to it.',
    'event-not-found': 'There is no such event, or it is another organizer’s draft.',
    'page-not-found': 'No organizer has a page at this address, or the caller has none.',
    'picture-not-found': 'The event has no such picture, or another one by now.',
    'tier-not-found':
      'The event has no such tier, or the tier is hidden and the request has no access code for it.',
    'invoice-not-found':
      'The order has no such invoice or credit note: it is free, not paid, or its event had no seller when it was placed.',
    'order-not-found': 'There is no such order, or the caller has no access to it.',
    'passkey-not-found': 'The caller has no such passkey.',
    'notification-not-found': 'The caller has no such notification.',
    'contract-not-found': 'There is no contract at this address, or it is not bound to the organizer.',
    'entry-not-found': 'The caller has no such entry in a waiting list.',
    'seat-not-found': 'There is no such seat, or the caller has no access to it.',
    'wallet-not-configured': 'The service makes no passes for this wallet app.',
    'transfer-not-found': 'There is no such offer, or it is for another account.',
    'ticket-not-found': 'This service has no such ticket.',
    'member-not-found': 'This person is not on the event’s staff.',
    'session-not-found': 'The session has ended, or is another user’s.',
    'token-not-found': 'The contract has not minted this token for an order of this service.',
    'collection-not-found': 'No event of this service uses the contract.',
    'banks-not-found': 'The gateway lists no banks for this country.',
    'endpoint-not-found': 'The caller has no such webhook endpoint.',
    'delivery-not-found': 'The endpoint has no such delivery, or it is older than 30 days.',
    'key-not-found': 'The caller has no such API key.',
    'code-unknown': 'The event has no such discount or access code.',
  },
  conflict: {
    'too-many-passkeys': 'An account can have 20 passkeys.',
    'totp-active': 'An authenticator app is active. Remove it before setting up another.',
    busy: 'Another request is changing the same data. Try again after `retry-after`.',
    'unfinished-business': 'The account has pending orders, refunds, payouts or events. `error` names them.',
    'in-progress':
      'The same request, or another step of the order, is still running. Try again after `retry-after`.',
    'idempotency-key-reused': 'The key was used with another body within 24 hours.',
    'too-many-endpoints': 'The organizer has the maximum number of webhook endpoints.',
    'too-many-keys': 'The organizer has the maximum number of API keys.',
    'slug-taken': 'Another organizer’s page has this address.',
    'email-taken': 'There is an account with this e-mail address.',
    'email-just-changed': 'The account changed its e-mail address less than seven days ago.',
    'other-orders-attached': 'The account has the orders of the guest of an earlier address.',
    'not-on-sale': 'The event is a draft, cancelled or completed.',
    'sale-not-started': 'The sale begins later.',
    'sale-ended': 'The sale is over.',
    'sold-out': 'No tickets are left. Tickets that are held for unpaid orders may be released.',
    'too-few-left': 'Fewer tickets are left than ordered. `error` says how many.',
    'tier-limit': 'The order would exceed the tier’s limit of tickets per person.',
    'wallet-limit': 'The order would exceed the event’s limit of tickets per person.',
    'too-many-open-orders': 'The buyer has to pay or cancel other orders first.',
    'event-cancelled': 'The event is cancelled, which is final.',
    'earnings-unlocked':
      'The event is over, and its earnings are available for payouts, so it can’t be cancelled. Its orders can be refunded.',
    'tickets-sold': 'The field can’t be changed while tickets are sold or held.',
    'below-sold': 'More tickets are sold and held than the new number allows.',
    'several-tiers': 'The event has several tiers: change their prices instead.',
    'too-many-tiers': 'The event has the maximum number of tiers.',
    'price-too-precise': 'A current price has more decimals than the new currency allows.',
    'has-orders': 'The event has orders, so it can only be cancelled.',
    'not-pending': 'The order is paid or has failed already.',
    'payment-under-way': 'The gateway or the chain reports a payment for the order.',
    'not-paid': 'The order is not paid.',
    'not-crypto': 'The order is not paid by crypto.',
    'already-paid': 'Another transaction paid the order.',
    'paid-too-little': 'The transaction pays less than is due.',
    'transaction-not-final':
      'The transaction is not mined, or it needs more confirmations. Try again after `retry-after`.',
    'transaction-used': 'The transaction pays another order.',
    'nothing-to-fulfil': 'The order is not paid, or its tickets were transferred.',
    'nothing-to-refund': 'The order has no refund that has to be sent manually.',
    'insufficient-balance': 'The amount exceeds the available balance in this currency.',
    'insufficient-funds':
      'The organizer’s available balance does not cover the refund. An admin can refund the order nevertheless.',
    'notification-exists': 'The notification was sent already.',
    'already-checked-in': 'The ticket was admitted already. `error` says when.',
    'wrong-list': 'The tier of the ticket is not on this check-in list. `error` names those that admit it.',
    'not-inside': 'The ticket was not admitted by this list, or has gone out, so it can’t go out.',
    'code-expired': 'The event ended more than a day ago, so its tickets are no longer admitted.',
    'other-event': 'The ticket is for another event.',
    refunded: 'The order, or the ticket, was refunded.',
    disputed: 'The buyer disputes the payment at the gateway, so a part of it can’t be refunded.',
    'returns-not-allowed': 'The tickets of this order can’t be returned by its buyer.',
    'returns-closed': 'The time in which the tickets could be returned has ended.',
    'no-waiting-list': 'The event has no waiting list.',
    'tickets-available': 'The tickets can be bought: there is no need to wait.',
    'waiting-list': 'All free tickets of the tier are for people on its waiting list. Join the list.',
    'offer-ended': 'The offer of the waiting list was taken or has expired.',
    'no-queue': 'The event has no queue.',
    'queue-not-open': 'The queue has not opened yet.',
    'queue-ended': 'The queue has ended: order without it.',
    'queue-opened': 'The queue has opened, so its times and its draw stay. Its rate can be changed.',
    'not-drawn': 'The draw has not taken place yet.',
    'not-your-turn':
      'The caller’s place in the queue is not admitted yet. `x-queue-position` is the number of people before it, once the order is drawn.',
    offered: 'The ticket is offered to somebody else: withdraw the offer first.',
    listed: 'The ticket is listed for the waiting list: end its return first.',
    'too-many-listed': 'Ten tickets of the order are listed for the waiting list already.',
    'refund-too-high': 'The amount exceeds what is left of the payment.',
    'too-many-refunds': 'The order was refunded 50 times without its tickets.',
    'no-seat':
      'The order has no tickets. They were released, or the event was sold out when the payment arrived.',
    admitted: 'Somebody was admitted with the ticket or the order.',
    moved: 'The ticket was transferred to another account.',
    'wallet-set': 'The order has a wallet already.',
    'wallet-taken': 'The wallet is linked to another account.',
    minting: 'The tickets are being minted. Try again in a minute.',
    'transfers-not-allowed': 'The tickets of this event can’t be transferred.',
    'entry-by-token': 'The event admits the owner of the token: send the token instead.',
    'entry-by-account': 'The event admits the account that holds the ticket: transfer the ticket instead.',
    'token-moved': 'The ticket’s token was sent to another wallet, whose owner can claim the ticket.',
    gone: 'The transfer offer has ended.',
    'already-organizer': 'The person is the event’s organizer.',
    'code-exists': 'The event has this code already.',
    'code-used-up': 'The code has reached its limit of uses, in total or for this buyer.',
    'code-not-for-tier': 'The code is for other tiers.',
    'addon-alone': 'An add-on is sold only beside a ticket of the same order.',
    'addon-limit': 'The order has more add-ons than its tickets allow.',
    'question-kind-fixed': 'A question keeps its kind, and whether it is asked for each ticket.',
    'seller-fixed': 'The event has had twenty sellers.',
    'event-began': 'The event has begun, so answers can’t be changed.',
    'tier-kind-fixed': 'A tier stays a ticket or an add-on.',
    'discount-expired': 'The code is no longer valid.',
    'discount-not-started': 'The code is not valid yet.',
    'nothing-to-reissue': 'The order has no minted tickets.',
    'already-reissued': 'The tickets were reissued once; only the organizer can do it again.',
    'same-wallet': 'The tickets are in this wallet already.',
    'reissue-not-supported': 'The contract can’t burn tickets, or the order has too many.',
  },
  gone: {
    'turn-over': 'The time to order of this place in the queue has ended.',
  },
  'too-large': {
    'body-too-large': 'The body is larger than 256 KiB.',
  },
  'unsupported-media-type': {
    'not-json': 'The content type is not `application/json`.',
  },
  'too-many-requests': {
    'too-many-attempts': 'Too many attempts. Try again after `retry-after`.',
  },
  misconfigured: {
    'server-configuration': 'A secret of the service is not configured.',
    'no-table': 'The service’s database table is missing.',
  },
  'provider-failed': {
    'provider-failed': 'The payment provider refused, failed or did not answer within 8 seconds.',
  },
  unavailable: {
    unavailable: 'Something that the request needs is unavailable. Try again after `retry-after`.',
    'gateway-not-configured': 'The service is not configured for this gateway.',
    'crypto-not-configured': 'The service is not configured for payments on this chain.',
  },
} as const satisfies Record<ErrorKind, Record<string, string>>;

export type ErrorCode<Kind extends ErrorKind = ErrorKind> = {
  [Each in Kind]: keyof (typeof errorMeanings)[Each] & string;
}[Kind];
