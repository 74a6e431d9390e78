import type { SecretName, SettingName } from '../shared/runtime/config.ts';

/**
 * The list of Lambda functions, one row each, which the build, the CDK stack, the local stack and the API reference
 * use. A function has only the permissions, secrets and settings that its row names.
 */

export type TableAction =
  | 'GetItem'
  | 'BatchGetItem'
  | 'BatchWriteItem'
  | 'Query'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'ConditionCheckItem';
export type QueueName = 'fulfil' | 'mint' | 'payout' | 'settle' | 'event' | 'mail';
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

export type Trigger =
  /**
   * A route of the HTTP API. `{parameter}` matches a segment of the path, and a final `{parameter+}` all remaining
   * segments. `$default` matches requests that no other row matches.
   */
  | { route: `${Method} /${string}` | '$default' }
  /** A queue. A batch has up to `batchSize` messages, collected for up to `batchSeconds`. */
  | { queue: QueueName; batchSize: number; batchSeconds: number; maxConcurrency: number }
  /** A schedule, in minutes. */
  | { everyMinutes: number };

interface FunctionDefinition {
  /** The file below functions/, without its extension. */
  entry: string;
  trigger: Trigger;
  /** The DynamoDB actions that the function may use on the table. A transaction requires the actions of its parts. */
  table: readonly TableAction[];
  /** The indexes that the function may query. */
  indexes?: readonly ('byOwner' | 'byEvent' | 'byDue')[];
  /** The queues that the function may send to. */
  sends?: readonly QueueName[];
  secrets?: readonly SecretName[];
  settings?: readonly SettingName[];
  /** Whether the function may read the RPC endpoints of the configured chains. */
  chains?: boolean;
  /** Whether the function may send mail. */
  mail?: boolean;
  /** Default 10. */
  timeoutSeconds?: number;
  /**
   * Default 512. Lambda assigns CPU in proportion to memory, one core at 1,769 MB. The functions that are busy when a
   * sale opens or at the door have 1,024: their slowest warm calls take half as long as with 512 (docs/performance.md).
   */
  memoryMegabytes?: number;
}

/** A function with its defaults filled in. */
export type FunctionRow = FunctionDefinition & { timeoutSeconds: number; memoryMegabytes: number };

const callerSecrets = ['JWT_ACCESS_SECRET'] as const satisfies SecretName[];
/** The settings that determine the ways to pay. */
const paymentMethodSettings = [
  'GATEWAY_A_URL',
  'GATEWAY_A_NAME',
  'GATEWAY_B_URL',
  'GATEWAY_B_NAME',
  'GATEWAY_C_URL',
  'GATEWAY_C_NAME',
  'TREASURY_ADDRESS',
  'CHAIN_TOKENS',
  'PAYMENT_CHAINS',
] as const satisfies SettingName[];
const admissionSecrets = ['JWT_ACCESS_SECRET', 'CHECK_IN_SECRET'] as const satisfies SecretName[];
const tokenSecrets = ['JWT_ACCESS_SECRET', 'JWT_REFRESH_SECRET'] as const satisfies SecretName[];

const definitions: readonly FunctionDefinition[] = [
  {
    entry: 'health/health',
    trigger: { route: 'GET /api/health' },
    table: [],
    memoryMegabytes: 128,
  },
  {
    // `$default` matches OPTIONS too, so without this route it would receive the preflights instead of API Gateway:
    // https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-cors.html
    entry: 'health/preflight',
    trigger: { route: 'OPTIONS /{proxy+}' },
    table: [],
  },
  { entry: 'health/not-found', trigger: { route: '$default' }, table: [], memoryMegabytes: 128 },

  { entry: 'docs/openapi', trigger: { route: 'GET /api/openapi.json' }, table: [], memoryMegabytes: 256 },
  { entry: 'docs/page', trigger: { route: 'GET /docs' }, table: [], memoryMegabytes: 256 },
  { entry: 'docs/part', trigger: { route: 'GET /docs/{file}' }, table: [], memoryMegabytes: 256 },

  {
    entry: 'auth/register',
    trigger: { route: 'POST /api/auth/register' },
    table: ['PutItem', 'UpdateItem'],
    sends: ['mail'],
    secrets: [...tokenSecrets, 'ORIGIN_SECRET'],
    settings: ['STAGE', 'REGISTRATIONS_PER_HOUR', 'MAIL_FROM'],
    memoryMegabytes: 1769,
  },
  {
    entry: 'auth/login',
    trigger: { route: 'POST /api/auth/login' },
    table: ['GetItem', 'PutItem', 'UpdateItem'],
    secrets: [...tokenSecrets, 'ORIGIN_SECRET'],
    settings: ['STAGE'],
    memoryMegabytes: 1769,
  },
  {
    entry: 'auth/forgot-password',
    trigger: { route: 'POST /api/auth/forgot-password' },
    table: ['GetItem', 'PutItem', 'UpdateItem'],
    sends: ['mail'],
    secrets: ['JWT_ACCESS_SECRET', 'ORIGIN_SECRET'],
    settings: ['MAIL_FROM'],
  },
  {
    entry: 'auth/reset-password',
    trigger: { route: 'POST /api/auth/reset-password' },
    table: ['GetItem', 'UpdateItem'],
    memoryMegabytes: 1769,
  },
  {
    entry: 'auth/change-password',
    trigger: { route: 'PUT /api/auth/password' },
    table: ['GetItem', 'PutItem', 'UpdateItem'],
    secrets: tokenSecrets,
    memoryMegabytes: 1769,
  },
  {
    entry: 'auth/verify-email',
    trigger: { route: 'POST /api/auth/verify-email' },
    table: ['GetItem', 'UpdateItem'],
  },
  {
    entry: 'auth/send-verification',
    trigger: { route: 'POST /api/auth/verify-email/send' },
    table: ['GetItem', 'PutItem', 'UpdateItem'],
    sends: ['mail'],
    secrets: callerSecrets,
    settings: ['MAIL_FROM'],
  },
  {
    entry: 'auth/refresh-token',
    trigger: { route: 'POST /api/auth/refresh-token' },
    table: ['GetItem'],
    secrets: tokenSecrets,
  },
  {
    entry: 'auth/logout',
    trigger: { route: 'POST /api/auth/logout' },
    table: ['GetItem', 'Query', 'DeleteItem'],
    secrets: ['JWT_REFRESH_SECRET'],
    settings: ['STAGE'],
  },
  { entry: 'auth/me', trigger: { route: 'GET /api/auth/me' }, table: ['GetItem'], secrets: callerSecrets },
  {
    entry: 'auth/update-me',
    trigger: { route: 'PATCH /api/auth/me' },
    table: ['UpdateItem'],
    secrets: callerSecrets,
  },
  {
    entry: 'auth/create-wallet-challenge',
    trigger: { route: 'POST /api/auth/wallet/challenge' },
    table: [],
    secrets: callerSecrets,
    settings: ['PUBLIC_URL'],
  },
  {
    entry: 'auth/verify-wallet',
    trigger: { route: 'POST /api/auth/wallet/verify' },
    table: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
    secrets: tokenSecrets,
    settings: ['STAGE', 'PUBLIC_URL'],
    chains: true,
    timeoutSeconds: 20,
  },
  {
    entry: 'auth/unlink-wallet',
    trigger: { route: 'DELETE /api/auth/wallet' },
    table: ['GetItem', 'UpdateItem', 'DeleteItem'],
    secrets: callerSecrets,
  },
  {
    entry: 'users/revoke-sessions',
    trigger: { route: 'DELETE /api/users/{id}/sessions' },
    table: ['Query', 'DeleteItem', 'GetItem'],
    secrets: callerSecrets,
  },
  {
    entry: 'users/request-erasure',
    trigger: { route: 'POST /api/users/{id}/erasure' },
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    indexes: ['byOwner'],
    sends: ['event'],
    secrets: callerSecrets,
    // A user can have thousands of orders.
    timeoutSeconds: 25,
  },
  {
    entry: 'users/export-person',
    trigger: { route: 'GET /api/users/{id}/export' },
    table: ['GetItem', 'BatchGetItem', 'Query'],
    indexes: ['byOwner'],
    secrets: callerSecrets,
    timeoutSeconds: 25,
  },
  {
    entry: 'users/set-kyc',
    trigger: { route: 'PUT /api/users/{id}/kyc' },
    table: ['GetItem', 'PutItem', 'UpdateItem'],
    secrets: callerSecrets,
  },

  {
    entry: 'events/create-event',
    trigger: { route: 'POST /api/events' },
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    secrets: callerSecrets,
    settings: ['TICKET_CONTRACTS', 'STOCK_SHARD_SIZE'],
  },
  {
    entry: 'events/list-events',
    trigger: { route: 'GET /api/events' },
    table: ['BatchGetItem'],
    indexes: ['byOwner', 'byEvent'],
    secrets: callerSecrets,
    settings: ['TICKET_CONTRACTS'],
  },
  {
    entry: 'events/get-event',
    trigger: { route: 'GET /api/events/{id}' },
    // The writes count attempts with unknown codes.
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
    secrets: [...callerSecrets, 'ORIGIN_SECRET'],
    settings: ['TICKET_CONTRACTS', ...paymentMethodSettings],
    memoryMegabytes: 1024,
  },
  {
    entry: 'events/get-calendar',
    trigger: { route: 'GET /api/events/{id}/calendar' },
    table: ['GetItem', 'BatchGetItem'],
    secrets: callerSecrets,
    settings: ['PUBLIC_URL'],
  },
  {
    // The storefront's HTML page of an event. The greedy parameter also matches longer paths, which get the 404 page.
    entry: 'events/get-event-page',
    trigger: { route: 'GET /events/{id+}' },
    table: ['BatchGetItem'],
    settings: ['PUBLIC_URL'],
  },
  {
    entry: 'events/update-event',
    trigger: { route: 'PUT /api/events/{id}' },
    table: ['GetItem', 'BatchGetItem', 'UpdateItem', 'PutItem', 'DeleteItem'],
    secrets: callerSecrets,
    settings: ['TICKET_CONTRACTS', 'STOCK_SHARD_SIZE', 'MAIL_FROM'],
  },
  {
    entry: 'events/delete-event',
    trigger: { route: 'DELETE /api/events/{id}' },
    table: ['GetItem', 'BatchGetItem', 'DeleteItem', 'Query'],
    indexes: ['byEvent'],
    secrets: callerSecrets,
  },
  {
    entry: 'events/list-event-orders',
    trigger: { route: 'GET /api/events/{id}/orders' },
    table: ['GetItem', 'BatchGetItem'],
    indexes: ['byEvent'],
    secrets: callerSecrets,
    timeoutSeconds: 29,
    memoryMegabytes: 1024,
  },
  {
    entry: 'events/summarize-event',
    trigger: { route: 'GET /api/events/{id}/summary' },
    table: ['GetItem', 'BatchGetItem', 'Query'],
    secrets: callerSecrets,
    timeoutSeconds: 29,
    memoryMegabytes: 1024,
  },
  {
    entry: 'events/add-tier',
    trigger: { route: 'POST /api/events/{id}/tiers' },
    table: ['GetItem', 'BatchGetItem', 'UpdateItem', 'PutItem'],
    secrets: callerSecrets,
    settings: ['TICKET_CONTRACTS', 'STOCK_SHARD_SIZE', 'MAIL_FROM'],
  },
  {
    entry: 'events/update-tier',
    trigger: { route: 'PUT /api/events/{id}/tiers/{tierId}' },
    table: ['GetItem', 'BatchGetItem', 'UpdateItem', 'PutItem', 'DeleteItem'],
    secrets: callerSecrets,
    settings: ['TICKET_CONTRACTS', 'STOCK_SHARD_SIZE', 'MAIL_FROM'],
  },

  {
    entry: 'codes/create-code',
    trigger: { route: 'POST /api/events/{id}/codes' },
    table: ['GetItem', 'BatchGetItem', 'PutItem'],
    secrets: callerSecrets,
  },
  {
    entry: 'codes/list-codes',
    trigger: { route: 'GET /api/events/{id}/codes' },
    table: ['GetItem', 'BatchGetItem', 'Query'],
    secrets: callerSecrets,
  },
  {
    entry: 'codes/update-code',
    trigger: { route: 'PUT /api/events/{id}/codes/{code}' },
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
    secrets: callerSecrets,
  },
  {
    entry: 'codes/delete-code',
    trigger: { route: 'DELETE /api/events/{id}/codes/{code}' },
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    secrets: callerSecrets,
    timeoutSeconds: 29,
  },

  {
    entry: 'staff/add-staff',
    trigger: { route: 'POST /api/events/{id}/staff' },
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
    secrets: callerSecrets,
    settings: ['RETENTION_DAYS'],
  },
  {
    entry: 'staff/list-staff',
    trigger: { route: 'GET /api/events/{id}/staff' },
    table: ['GetItem', 'BatchGetItem', 'Query'],
    secrets: callerSecrets,
  },
  {
    entry: 'staff/remove-staff',
    trigger: { route: 'DELETE /api/events/{id}/staff' },
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'DeleteItem'],
    secrets: callerSecrets,
    settings: ['RETENTION_DAYS'],
  },
  {
    entry: 'audit/list-event-audit',
    trigger: { route: 'GET /api/events/{id}/audit' },
    table: ['GetItem', 'BatchGetItem'],
    indexes: ['byEvent'],
    secrets: callerSecrets,
  },
  {
    entry: 'audit/list-audit',
    trigger: { route: 'GET /api/audit' },
    table: ['BatchGetItem'],
    indexes: ['byOwner'],
    secrets: callerSecrets,
  },

  {
    entry: 'contracts/verify-contract',
    trigger: { route: 'POST /api/contracts/verify' },
    table: ['BatchGetItem', 'PutItem', 'UpdateItem'],
    indexes: ['byOwner'],
    secrets: callerSecrets,
    settings: ['PUBLIC_URL'],
    chains: true,
    timeoutSeconds: 20,
  },
  {
    entry: 'contracts/assign-contract',
    trigger: { route: 'PUT /api/contracts/{chainId}/{address}' },
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
    indexes: ['byOwner'],
    secrets: callerSecrets,
  },
  {
    entry: 'contracts/release-contract',
    trigger: { route: 'DELETE /api/contracts/{chainId}/{address}' },
    table: ['DeleteItem', 'PutItem'],
    secrets: callerSecrets,
  },

  {
    entry: 'orders/quote-order',
    trigger: { route: 'POST /api/events/{id}/quote' },
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
    secrets: [...callerSecrets, 'ORIGIN_SECRET'],
    settings: paymentMethodSettings,
  },
  {
    entry: 'orders/initialize-order',
    trigger: { route: 'POST /api/orders/initialize' },
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    sends: ['fulfil'],
    secrets: ['JWT_ACCESS_SECRET', 'GATEWAY_A_SECRET', 'GATEWAY_B_SECRET_KEY', 'GATEWAY_C_SECRET_KEY'],
    settings: [
      'GATEWAY_A_URL',
      'GATEWAY_B_URL',
      'GATEWAY_C_URL',
      'DEFAULT_GATEWAY',
      'HOLD_MINUTES',
      'OPEN_ORDERS_PER_USER',
      'ORDERS_NEED_VERIFIED_EMAIL',
      'PUBLIC_URL',
      'TREASURY_ADDRESS',
      'CHAIN_TOKENS',
    ],
    chains: true,
    timeoutSeconds: 29,
    memoryMegabytes: 1024,
  },
  {
    entry: 'orders/confirm-order',
    trigger: { route: 'POST /api/orders/{id}/confirm' },
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
    sends: ['fulfil'],
    secrets: callerSecrets,
    chains: true,
    timeoutSeconds: 20,
  },
  {
    entry: 'orders/list-orders',
    trigger: { route: 'GET /api/orders' },
    table: ['BatchGetItem'],
    indexes: ['byOwner'],
    secrets: callerSecrets,
  },
  {
    entry: 'orders/get-order',
    trigger: { route: 'GET /api/orders/{id}' },
    table: ['GetItem', 'Query'],
    secrets: admissionSecrets,
  },
  {
    entry: 'orders/cancel-order',
    trigger: { route: 'POST /api/orders/{id}/cancel' },
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    sends: ['fulfil'],
    secrets: [...callerSecrets, 'GATEWAY_A_SECRET', 'GATEWAY_B_SECRET_KEY', 'GATEWAY_C_SECRET_KEY'],
    settings: ['GATEWAY_A_URL', 'GATEWAY_B_URL', 'GATEWAY_C_URL'],
    chains: true,
    timeoutSeconds: 20,
  },
  {
    entry: 'orders/fulfil-order',
    trigger: { route: 'POST /api/orders/{id}/fulfil' },
    table: ['GetItem', 'PutItem', 'UpdateItem'],
    sends: ['fulfil'],
    secrets: callerSecrets,
  },
  {
    entry: 'orders/send-tickets',
    trigger: { route: 'POST /api/orders/{id}/send' },
    table: ['GetItem', 'PutItem', 'UpdateItem'],
    sends: ['mail'],
    secrets: callerSecrets,
    settings: ['MAIL_FROM'],
  },
  {
    entry: 'orders/refund-order',
    trigger: { route: 'POST /api/orders/{id}/refund' },
    table: ['GetItem', 'PutItem', 'UpdateItem'],
    sends: ['payout'],
    secrets: callerSecrets,
    settings: ['RETENTION_DAYS', 'MAIL_FROM'],
  },

  {
    entry: 'orders/reissue-order',
    trigger: { route: 'POST /api/orders/{id}/reissue' },
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
    sends: ['fulfil', 'mint'],
    secrets: callerSecrets,
    chains: true,
    timeoutSeconds: 29,
    settings: ['RETENTION_DAYS'],
  },

  {
    entry: 'webhooks/gateway-a',
    trigger: { route: 'POST /api/webhooks/gateway-a' },
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
    sends: ['fulfil', 'payout'],
    secrets: ['GATEWAY_A_SECRET'],
    settings: [
      'GATEWAY_A_SIGNATURE_HEADER',
      'GATEWAY_A_URL',
      'VERIFY_WITH_GATEWAY',
      'RETRY_SECONDS',
      'MAIL_FROM',
    ],
    memoryMegabytes: 1024,
  },
  {
    entry: 'webhooks/gateway-b',
    trigger: { route: 'POST /api/webhooks/gateway-b' },
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
    sends: ['fulfil', 'payout'],
    secrets: ['GATEWAY_B_SECRET_HASH', 'GATEWAY_B_SECRET_KEY'],
    settings: ['GATEWAY_B_URL', 'VERIFY_WITH_GATEWAY', 'RETRY_SECONDS', 'MAIL_FROM'],
    memoryMegabytes: 1024,
  },
  {
    entry: 'webhooks/gateway-c',
    trigger: { route: 'POST /api/webhooks/gateway-c' },
    table: ['GetItem', 'BatchGetItem', 'UpdateItem'],
    sends: ['fulfil', 'payout'],
    secrets: ['GATEWAY_C_WEBHOOK_SECRET', 'GATEWAY_C_SECRET_KEY'],
    settings: ['GATEWAY_C_URL', 'VERIFY_WITH_GATEWAY'],
    memoryMegabytes: 1024,
  },

  {
    entry: 'payouts/get-balance',
    trigger: { route: 'GET /api/organizer/balance' },
    table: ['Query'],
    secrets: callerSecrets,
    settings: ['GATEWAY_A_URL', 'GATEWAY_A_NAME', 'GATEWAY_B_URL', 'GATEWAY_B_NAME'],
  },
  {
    entry: 'payouts/request-payout',
    trigger: { route: 'POST /api/payouts' },
    table: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    sends: ['payout'],
    secrets: ['JWT_ACCESS_SECRET', 'GATEWAY_A_SECRET', 'GATEWAY_B_SECRET_KEY'],
    settings: ['GATEWAY_A_URL', 'GATEWAY_B_URL'],
  },
  {
    entry: 'payouts/list-payouts',
    trigger: { route: 'GET /api/payouts' },
    table: ['BatchGetItem'],
    indexes: ['byOwner'],
    secrets: callerSecrets,
  },
  {
    entry: 'payouts/list-banks',
    trigger: { route: 'GET /api/banks' },
    // The table has the state of the circuit breaker.
    table: ['GetItem', 'UpdateItem', 'DeleteItem'],
    secrets: ['JWT_ACCESS_SECRET', 'GATEWAY_A_SECRET', 'GATEWAY_B_SECRET_KEY'],
    settings: ['GATEWAY_A_URL', 'GATEWAY_B_URL'],
  },

  {
    entry: 'tickets/list-tickets',
    trigger: { route: 'GET /api/tickets' },
    table: ['Query', 'BatchGetItem'],
    indexes: ['byOwner'],
    secrets: admissionSecrets,
  },
  {
    entry: 'tickets/check-in',
    trigger: { route: 'POST /api/tickets/check-in' },
    table: ['GetItem', 'BatchGetItem', 'UpdateItem'],
    secrets: admissionSecrets,
    chains: true,
    memoryMegabytes: 1024,
  },
  {
    entry: 'tickets/list-admissions',
    trigger: { route: 'GET /api/events/{id}/admissions' },
    table: ['GetItem', 'BatchGetItem', 'Query'],
    indexes: ['byEvent'],
    secrets: callerSecrets,
    memoryMegabytes: 1024,
  },
  {
    entry: 'tickets/draw-qr-code',
    trigger: { route: 'GET /api/tickets/qr/{code}' },
    table: [],
    secrets: ['CHECK_IN_SECRET'],
  },
  {
    entry: 'tokens/get-token-metadata',
    trigger: { route: 'GET /api/tokens/{chainId}/{contract}/{tokenId}' },
    table: ['GetItem', 'BatchGetItem'],
    settings: ['PUBLIC_URL'],
  },
  {
    entry: 'tokens/get-collection-metadata',
    trigger: { route: 'GET /api/tokens/{chainId}/{contract}' },
    table: ['GetItem'],
    settings: ['PUBLIC_URL'],
  },
  {
    entry: 'tickets/claim-ticket',
    trigger: { route: 'POST /api/tickets/claim' },
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'ConditionCheckItem'],
    secrets: admissionSecrets,
    chains: true,
    timeoutSeconds: 20,
    settings: ['RETENTION_DAYS'],
  },
  {
    entry: 'seats/list-seats',
    trigger: { route: 'GET /api/seats' },
    table: ['BatchGetItem'],
    indexes: ['byOwner'],
    secrets: admissionSecrets,
  },
  {
    entry: 'seats/name-attendee',
    trigger: { route: 'PUT /api/orders/{id}/seats/{number}' },
    table: ['BatchGetItem', 'UpdateItem'],
    secrets: admissionSecrets,
  },
  {
    entry: 'seats/offer-seat',
    trigger: { route: 'POST /api/orders/{id}/seats/{number}/transfer' },
    table: ['BatchGetItem', 'PutItem', 'UpdateItem'],
    sends: ['mail'],
    secrets: admissionSecrets,
    settings: ['RETENTION_DAYS', 'MAIL_FROM'],
  },
  {
    entry: 'seats/accept-transfer',
    trigger: { route: 'POST /api/transfers/{token}/accept' },
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
    sends: ['mail'],
    secrets: admissionSecrets,
    settings: ['RETENTION_DAYS', 'MAIL_FROM'],
  },
  {
    entry: 'seats/withdraw-transfer',
    trigger: { route: 'DELETE /api/transfers/{token}' },
    table: ['BatchGetItem', 'UpdateItem'],
    secrets: admissionSecrets,
  },
  {
    entry: 'notifications/list-notifications',
    trigger: { route: 'GET /api/notifications' },
    table: ['Query'],
    secrets: callerSecrets,
  },
  {
    entry: 'notifications/read-notification',
    trigger: { route: 'POST /api/notifications/{id}/read' },
    table: ['UpdateItem'],
    secrets: callerSecrets,
  },
  {
    entry: 'notifications/read-all-notifications',
    trigger: { route: 'POST /api/notifications/read-all' },
    table: ['Query', 'UpdateItem'],
    secrets: callerSecrets,
  },

  {
    entry: 'workers/fulfil-orders',
    trigger: { queue: 'fulfil', batchSize: 10, batchSeconds: 0, maxConcurrency: 20 },
    table: ['GetItem', 'BatchGetItem', 'BatchWriteItem', 'PutItem', 'UpdateItem'],
    sends: ['mint', 'mail'],
    settings: ['RETENTION_DAYS', 'PAYOUTS_FROM', 'MAIL_FROM'],
    timeoutSeconds: 30,
  },
  {
    entry: 'workers/mint-tickets',
    trigger: { queue: 'mint', batchSize: 40, batchSeconds: 1, maxConcurrency: 5 },
    table: ['GetItem', 'BatchGetItem', 'BatchWriteItem', 'Query', 'PutItem', 'UpdateItem'],
    sends: ['mint'],
    secrets: ['MINTER_PRIVATE_KEY'],
    settings: ['RETENTION_DAYS', 'TICKET_CONTRACTS', 'STAGE', 'MINT_BUMP_SECONDS', 'MINTER_KMS_KEYS'],
    chains: true,
    timeoutSeconds: 60,
  },
  {
    entry: 'workers/send-money',
    // The concurrency limits the load on a gateway: a cancelled event can have thousands of refunds.
    trigger: { queue: 'payout', batchSize: 5, batchSeconds: 0, maxConcurrency: 2 },
    table: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    sends: ['payout'],
    secrets: ['GATEWAY_A_SECRET', 'GATEWAY_B_SECRET_KEY', 'GATEWAY_C_SECRET_KEY'],
    settings: [
      'RETENTION_DAYS',
      'GATEWAY_A_URL',
      'GATEWAY_B_URL',
      'GATEWAY_C_URL',
      'RETRY_SECONDS',
      'MAIL_FROM',
    ],
    timeoutSeconds: 45,
  },
  {
    entry: 'workers/settle-orders',
    // 100 orders concurrently: 10,000 holds that end together take about 25 s when the gateway answers in 250 ms.
    trigger: { queue: 'settle', batchSize: 10, batchSeconds: 0, maxConcurrency: 10 },
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    sends: ['fulfil'],
    secrets: ['GATEWAY_A_SECRET', 'GATEWAY_B_SECRET_KEY', 'GATEWAY_C_SECRET_KEY'],
    settings: ['GATEWAY_A_URL', 'GATEWAY_B_URL', 'GATEWAY_C_URL'],
    chains: true,
    timeoutSeconds: 30,
  },
  {
    entry: 'workers/run-event-jobs',
    trigger: { queue: 'event', batchSize: 1, batchSeconds: 0, maxConcurrency: 5 },
    table: ['GetItem', 'BatchGetItem', 'Query', 'BatchWriteItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    indexes: ['byEvent', 'byOwner'],
    sends: ['event', 'fulfil'],
    chains: true,
    timeoutSeconds: 60,
    settings: ['RETENTION_DAYS', 'MAIL_FROM'],
  },
  {
    entry: 'workers/send-mail',
    // With batches of one, a crashed worker repeats at most one mail. Four workers send about 14 mails a second, SES's
    // limit for a new account.
    trigger: { queue: 'mail', batchSize: 1, batchSeconds: 0, maxConcurrency: 4 },
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem'],
    mail: true,
    secrets: admissionSecrets,
    settings: ['RETENTION_DAYS', 'MAIL_FROM', 'PUBLIC_URL', 'RETRY_SECONDS'],
    timeoutSeconds: 30,
  },
  {
    entry: 'workers/sweep',
    trigger: { everyMinutes: 1 },
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
    indexes: ['byDue', 'byEvent'],
    sends: ['fulfil', 'mint', 'payout', 'settle', 'event', 'mail'],
    // The previous version, without the queues settle and event, needs byEvent, secrets, settings and chains while it
    // receives traffic during the canary. Remove them in the next release.
    secrets: ['GATEWAY_A_SECRET', 'GATEWAY_B_SECRET_KEY', 'GATEWAY_C_SECRET_KEY'],
    settings: ['GATEWAY_A_URL', 'GATEWAY_B_URL', 'GATEWAY_C_URL'],
    chains: true,
    timeoutSeconds: 55,
    // A sweep reads and postpones thousands of items; the CPU limits its speed.
    memoryMegabytes: 1769,
  },
];

/** Fills in the defaults of a function. */
export function completeRow(definition: FunctionDefinition): FunctionRow {
  return { timeoutSeconds: 10, memoryMegabytes: 512, ...definition };
}

export const functions: readonly FunctionRow[] = definitions.map(completeRow);

/** The deployed name of a row's function, without the stage: `orders-initialize-order`. */
export function functionName(row: FunctionRow): string {
  return row.entry.replaceAll('/', '-');
}
