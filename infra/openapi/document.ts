import type { ZodType } from 'zod';
import type { Contract, JsonSchema } from '../../shared/http/contract.ts';
import { settings } from '../../shared/runtime/settings.ts';
import { errorCodesOf, meaningOf, type Operation, type ResponseErrorCode } from './operations.ts';
import { exampleOf, Schemas } from './schemas.ts';

const apiDescription = `Organizers put events with ticket tiers on sale; buyers order and pay; every paid ticket becomes an NFT.

Bodies are JSON. Every error is \`{"error": "<sentence>"}\`, with a stable code in the header \`x-error-code\` and the
request’s id in \`x-request-id\`. The sentence names the first invalid field; \`x-error-fields\` lists all of them. An
error after which a retry can succeed has \`retry-after\`, in seconds. API Gateway itself sends three errors with a \`message\`
instead of an \`error\`: 429 for too many requests, 413 for a body above 10 MB, and 503 when a function times out. An
unknown path or method is a 404 with the code \`path-not-found\`.
Another user's orders, payouts and accounts are a 404 as well. Another organizer's events are a 403, since events are public.

Amounts are decimals in major units of their currency. Times are ISO 8601 in UTC. Lists accept \`limit\` and \`cursor\`,
and return \`nextCursor\`.`;

/** Generates the OpenAPI 3.1 document of the endpoints. */
export function openApiDocument(operations: readonly Operation[], { version, license }: Package) {
  const schemas = new Schemas();
  const paths = Map.groupBy(operations, ({ path }) => path);
  return {
    openapi: '3.1.0',
    info: {
      title: 'boxoffice',
      version,
      description: apiDescription,
      license: { name: license, identifier: license },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(operations.map(tagOf))].map((name) => ({ name })),
    paths: Object.fromEntries(
      [...paths].map(([path, methods]) => [
        path,
        Object.fromEntries(
          methods.map((operation) => [operation.method.toLowerCase(), describeOperation(operation, schemas)]),
        ),
      ]),
    ),
    components: {
      securitySchemes: securitySchemes(operations),
      schemas: { ...schemas.named, ErrorBody: errorBody },
    },
  };
}

function describeOperation(operation: Operation, schemas: Schemas) {
  const { contract, row } = operation;
  const { summary, description, status = 200 } = contract;
  const errors = [...errorCodesOf(operation)].map(([errorStatus, codes]) => [
    errorStatus,
    errorResponse(errorStatus, codes),
  ]);
  return {
    operationId: operationId(row.entry),
    tags: [tagOf(operation)],
    summary,
    description: [
      `For ${describeCaller(contract)}.`,
      description,
      contract.apiKey && `API keys need the scope \`${contract.apiKey.scope}\`.`,
    ]
      .filter(Boolean)
      .join(' '),
    security: security(contract),
    parameters: describeParameters(operation, schemas),
    ...(contract.body && {
      requestBody: {
        required: !isOptional(contract.body),
        content: jsonContent(schemas.requestSchema(contract.body), schemas),
      },
    }),
    responses: {
      [status]: successResponse(operation, schemas),
      ...(contract.redirect && { 307: redirectResponse(contract.redirect) }),
      ...Object.fromEntries(errors),
    },
  };
}

function describeParameters({ contract }: Operation, schemas: Schemas): object[] {
  const describeFields = (schema: Operation['contract']['query'], location: 'path' | 'query') => {
    const { properties = {}, required = [] } = schema ? (schemas.requestSchema(schema) as ObjectSchema) : {};
    return Object.entries(properties).map(([name, { description, ...field }]) => ({
      name,
      in: location,
      required: location === 'path' || required.includes(name),
      ...(description !== undefined && { description }),
      schema: field,
    }));
  };
  return [
    ...describeFields(contract.path, 'path'),
    ...describeFields(contract.query, 'query'),
    ...(contract.idempotent ? [idempotencyKey] : []),
    ...(contract.queueTicket ? [queueTicket] : []),
  ];
}

function successResponse({ contract }: Operation, schemas: Schemas) {
  const { refreshCookie, csv, response, mediaType } = contract;
  const body = schemas.responseSchema(response);
  return {
    description: 'Done',
    headers: {
      'x-request-id': requestId,
      ...(refreshCookie && refreshCookie !== 'needs' && { 'set-cookie': setCookie }),
      ...(csv && { 'x-next-cursor': nextCursor }),
    },
    content: {
      ...(mediaType ? { [mediaType]: { schema: body } } : jsonContent(body, schemas)),
      ...(csv && { 'text/csv': { schema: { type: 'string' } } }),
    },
  };
}

function redirectResponse(description: string) {
  const location = { schema: { type: 'string', format: 'uri' } };
  return { description, headers: { location, 'x-request-id': requestId } };
}

function errorResponse(status: number, codes: readonly ResponseErrorCode[]) {
  return {
    description: codes.map((code) => `- \`${code}\`: ${meaningOf(code)}`).join('\n'),
    headers: {
      'x-error-code': { schema: { type: 'string', enum: codes } },
      'x-request-id': requestId,
      ...(codes.includes('invalid-input') && { 'x-error-fields': errorFields }),
      ...(codes.includes('tier-limit') && { 'x-error-tier': errorTier }),
      ...(codes.includes('not-your-turn') && { 'x-queue-position': queuePosition }),
      ...(codes.includes('confirmation-required') && { 'x-confirm-with': confirmWith }),
      ...(codes.some((code) => retryableCodes.includes(code)) && { 'retry-after': retryAfter }),
    },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/ErrorBody' },
        example: { error: exampleMessages[status] ?? 'Something went wrong. Please try again later.' },
      },
    },
  };
}

function jsonContent(schema: JsonSchema, { named }: Schemas) {
  return { 'application/json': { schema, example: exampleOf(schema, named) } };
}

/** The fields of package.json that the document contains. */
interface Package {
  version: string;
  /** An SPDX identifier. */
  license: string;
}

interface ObjectSchema {
  properties?: Record<string, JsonSchema>;
  required?: string[];
}

const tagOf = ({ row }: Operation) => row.entry.split('/')[0] ?? row.entry;

/** `orders/initialize-order` → `initializeOrder` */
function operationId(entry: string): string {
  const [first = '', ...others] = entry.slice(entry.lastIndexOf('/') + 1).split('-');
  return first + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

const errorBody: JsonSchema = {
  type: 'object',
  properties: { error: { type: 'string', description: 'A sentence for people' } },
  required: ['error'],
};
/** An example of an error's message, by status. */
const exampleMessages: Record<number, string> = {
  400: 'quantity must be at least 1',
  401: 'Authentication required',
  403: 'Only organizers may do this',
  404: 'Order not found',
  409: 'Sold out',
  413: 'The body is larger than 256 KiB',
  415: 'The content type must be application/json',
  429: 'Too many failed logins, please try again later',
  502: 'The payment provider is not available',
  503: 'Please try again in a moment',
};
const confirmWith = {
  schema: { type: 'string', examples: ['password'] },
  description: 'What confirms the session, for `confirmation-required`: comma-separated',
};

const errorTier = {
  description: 'The id of the tier that the error is about',
  schema: { type: 'string', examples: ['7q2wk9xd'] },
};
const queuePosition = {
  description: 'How many people are before the caller, for `not-your-turn`; absent before the draw',
  schema: { type: 'integer', examples: [120] },
};
const errorFields = {
  description: 'JSON: all invalid fields of the request, each with its path and a sentence',
  schema: { type: 'string', examples: ['[{"path":"quantity","message":"quantity must be at least 1"}]'] },
};
/** Codes of errors that may have the header `retry-after`. */
const retryableCodes = [
  'busy',
  'in-progress',
  'minting',
  'payment-under-way',
  'transaction-not-final',
  'too-many-attempts',
  'unavailable',
];
const retryAfter = { description: 'Seconds to wait before a retry', schema: { type: 'integer' } };
const requestId = { schema: { type: 'string' } };
const setCookie = { description: 'Sets or removes the cookie `refreshToken`', schema: { type: 'string' } };
const nextCursor = { description: 'The cursor of the next page, with CSV', schema: { type: 'string' } };
const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'A repeated key within 24 hours returns the first response again',
  schema: { type: 'string', minLength: 1, maxLength: 255, examples: ['order-17'] },
};

const queueTicket = {
  name: 'x-queue-ticket',
  in: 'header',
  description: 'The ticket of the caller’s place, for an event with a queue',
  schema: { type: 'string' },
};

const callerNames: Record<Contract['caller'], string> = {
  anyone: 'anyone',
  optional: 'anyone',
  guest: 'a user, or a guest whom the body names',
  user: 'a user',
  organizer: 'an organizer',
  admin: 'an admin',
  gateway: 'a gateway',
};

/** Describes who may call an endpoint. */
export function describeCaller({ caller, callerDescription }: Contract): string {
  return callerDescription ?? callerNames[caller];
}

const accessToken = 'accessToken';
const orderToken = 'orderToken';
const apiKey = 'apiKey';
const refreshToken = 'refreshToken';

/** Returns the authentication schemes: access token, API key, refresh token, and one for each gateway. */
export function securitySchemes(operations: readonly Operation[]) {
  const gateways = operations.flatMap(({ contract: { signatureHeader, callerDescription: gatewayName } }) =>
    signatureHeader && gatewayName
      ? [[gatewayName, { type: 'apiKey', in: 'header', name: signatureHeader }]]
      : [],
  );
  return {
    [accessToken]: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'The token that login and registration return; valid for 15 minutes',
    },
    [apiKey]: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'bxo_live_…',
      description:
        'A key that an organizer has created with `POST /api/keys`. It acts as the organizer, in endpoints that name one of its scopes: others refuse it with `scope-missing`. 600 requests a minute',
    },
    [orderToken]: {
      type: 'http',
      scheme: 'Order',
      description:
        'The access token of one order, which a guest gets with the order and in the link of its mails: `Authorization: Order …`',
    },
    [refreshToken]: {
      type: 'apiKey',
      in: 'cookie',
      name: 'refreshToken',
      description: 'Set by login and registration; valid for 7 days. Browsers send it automatically',
    },
    ...Object.fromEntries(gateways),
  };
}

/** Returns the alternative ways to authenticate. An empty alternative means that authentication is optional. */
export function security({
  caller,
  callerDescription: gatewayName,
  refreshCookie,
  orderToken: verifyOrderToken,
  apiKey: acceptedKey,
}: Contract): Record<string, string[]>[] {
  if (refreshCookie === 'needs') return [{ [refreshToken]: [] }];
  if (refreshCookie === 'clears') return [{}, { [refreshToken]: [] }];
  if (caller === 'gateway') return [{ [gatewayName ?? '']: [] }];
  if (caller === 'anyone') return [];
  const keys = acceptedKey ? [{ [apiKey]: [acceptedKey.scope] }] : [];
  if (caller === 'optional' || caller === 'guest') return [{}, { [accessToken]: [] }, ...keys];
  return [{ [accessToken]: [] }, ...(verifyOrderToken ? [{ [orderToken]: [] }] : []), ...keys];
}

/** Returns the README with the current tables of endpoints and of settings. */
export function updateTables(readme: string, operations: readonly Operation[]): string {
  return readme
    .replace(/\| endpoint \|.*?\n(?=\n)/s, () => endpointTable(operations))
    .replace(/\| name \| secret \|.*?\n(?=\n)/s, () => settingsTable());
}

const describeScope = ({ apiKey }: Contract) => (apiKey ? `; keys with \`${apiKey.scope}\`` : '');

function endpointTable(operations: readonly Operation[]): string {
  const lines = operations.map(
    ({ method, path, contract }) =>
      `| \`${method} ${path}\` | ${describeCaller(contract)}${describeScope(contract)} | ${contract.summary} |`,
  );
  return ['| endpoint | for | what it does |', '|---|---|---|', ...lines, ''].join('\n');
}

function settingsTable(): string {
  const lines = Object.entries<{ meaning: string; secret?: string }>(settings).map(
    ([name, { meaning, secret }]) => `| \`${name}\` | ${secret ? 'yes' : ''} | ${meaning} |`,
  );
  const others = [
    '| `CHAIN_<chainId>_RPC_URLS` | yes | RPC endpoints of a chain, comma-separated |',
    '| `PORT`, `BOXOFFICE_DATA_DIR` | | local stack only: default 3000 and `.local` |',
    '| `BOXOFFICE_FUNCTIONS` | | the local stack and `cdk synth`: a folder of built functions; by default they build them |',
    '| `BOXOFFICE_STOREFRONT` | | local stack only: a folder with a built storefront; by default the stack builds it |',
  ];
  return ['| name | secret | meaning |', '|---|---|---|', ...lines, ...others, ''].join('\n');
}

/** Returns whether a body may be absent. Bodies of webhooks are described as JSON Schema. */
function isOptional(body: object): boolean {
  return 'safeParse' in body && (body as ZodType).safeParse(undefined).success;
}
