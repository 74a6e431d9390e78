import { createHash } from 'node:crypto';
import dns from 'node:dns/promises';
import { EventEmitter } from 'node:events';
import http, { type RequestOptions } from 'node:http';
import https from 'node:https';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { type Command, cancelled, type Table, TableError } from '../parts/table.ts';
import { type Cause, currentCause, type Kernel } from './kernel.ts';
import type { Fault, Rates } from './rates.ts';

const require = createRequire(import.meta.url);

/** The servers that the service calls. */
export interface Servers {
  kernel: Kernel;
  rates: Rates;
  table: Table;
  /** Sends a message to a queue. @returns its id */
  send(queue: string, message: { body: string; delaySeconds: number; tenant?: string }): string;
  mail(to: string, raw: string): void;
  /** A call of a payment provider or of a node of the chain. @returns undefined when it never answers */
  fetch(url: string, init: RequestInit): { status: number; body: object } | undefined;
  /** A request to an address that an organizer chose. @returns the status; undefined when the receiver never answers */
  receive(request: WebhookRequest): number | undefined;
  /** The addresses that a name resolves to. */
  resolve(name: string): string[];
  /** Records what happened, for the comparison of two runs. */
  trace(text: string): void;
  /** Records a fault for the reader of a history. */
  tell(text: string): void;
}

/** A webhook as its receiver gets it. */
export interface WebhookRequest {
  /** The IP address of the connection. */
  address: string;
  url: string;
  headers: Record<string, string>;
  body: string;
}

let servers: Servers;
export function useServers(next: Servers): void {
  servers = next;
}

interface Answer {
  status: number;
  /** The body as JSON. */
  text: string;
}

interface Exchange {
  /** What the request does, for the reader of a history. */
  label: string;
  timeoutMilliseconds: number;
  signal?: AbortSignal | null | undefined;
  /** Executes the request on the server; undefined when the server never answers. */
  effect: () => Answer | undefined;
  /** Returns the answer of a server that fails or throttles. */
  refusal?: (random: Cause['random']) => Answer | undefined;
  provider?: Fault;
  isTable?: boolean;
}

/** A new promise each time: a shared one would keep all environments that wait for it. */
const never = () => new Promise<never>(() => {});

/** Holds a request of the service, and decides when it has its effect and when its answer arrives. */
function exchange(request: Exchange): Promise<Answer> {
  const cause = currentCause();
  if (!cause) throw new Error(`${request.label}: nothing runs that could send it`);
  if (cause.isDead) return never();
  cause.requests++;
  cause.onRequest?.(cause.requests);
  if (cause.isDead) return never();
  const { kernel, rates, trace } = servers;
  const { random } = cause;
  const { label, signal, timeoutMilliseconds } = request;
  const count = () => {
    cause.faults++;
    if (request.isTable) cause.tableFaults++;
  };
  const fail = (fault: string) => {
    count();
    servers.tell(`${cause.name}: ${label}: ${fault}`);
  };
  const delay = () => {
    if (!random.chance(rates.slow)) return 1 + random.below(9);
    count();
    return 10 + random.below(2_000);
  };
  const [there, back] = [delay(), delay()];
  const lostAnswer = random.chance(rates.lostAnswer);
  const lostRequest = random.chance(rates.lostRequest);
  const refused = random.chance(request.provider ? rates[request.provider] : rates.refusal);
  const breaks = random.chance(0.5);
  return new Promise<Answer>((resolve, reject) => {
    let isOver = false;
    const end = (settle: () => void) => {
      if (isOver) return;
      isOver = true;
      timer.isCancelled = true;
      if (!cause.isDead) settle();
    };
    const timer = kernel.after(timeoutMilliseconds, () => end(() => reject(timeoutError())));
    signal?.addEventListener('abort', () => end(() => reject(abortError(signal))));
    if (signal?.aborted) return end(() => reject(abortError(signal)));
    const lose = () => {
      // The client sees a broken connection, or waits until its timeout.
      if (breaks) kernel.after(back, () => end(() => reject(connectionError())));
    };
    if (lostRequest) {
      fail('request lost');
      lose();
      return;
    }
    kernel.after(there, () => {
      const refusal = refused ? request.refusal?.(random) : undefined;
      if (refusal !== undefined) fail('refused');
      const answer = refusal ?? request.effect();
      trace(`${cause.name} ${label} ${answer?.status} ${answer?.text}`);
      if (answer === undefined) return;
      if (lostAnswer) {
        fail('answer lost');
        lose();
        return;
      }
      kernel.after(back, () => end(() => resolve(answer)));
    });
  });
}

const timeoutError = () =>
  Object.assign(new Error('The response did not arrive in time'), { name: 'TimeoutError' });
const connectionError = () => {
  const cause = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
  return Object.assign(new TypeError('fetch failed', { cause }), { code: 'ECONNRESET' });
};
const abortError = (signal: AbortSignal) =>
  signal.reason instanceof Error
    ? signal.reason
    : Object.assign(new Error('Request aborted'), { name: 'AbortError' });

interface AwsRequest {
  hostname: string;
  method: string;
  headers: Record<string, string>;
  path: string;
  body: string | Uint8Array;
}

const toAnswer = (body: object, status = 200): Answer => ({ status, text: JSON.stringify(body) });
const errorAnswer = (type: string, message: string, fields: object = {}): Answer =>
  toAnswer(
    { __type: `com.amazonaws#${type}`, message, ...fields },
    /^(Internal|Service)/.test(type) ? 500 : 400,
  );

function executeOnTable(name: string, command: Command): Answer {
  try {
    return toAnswer(servers.table.execute(name, command));
  } catch (error) {
    if (!(error instanceof TableError)) throw error;
    return errorAnswer(error.type, error.message, error.fields);
  }
}

const throttles = ['ProvisionedThroughputExceededException', 'InternalServerError', 'ThrottlingException'];

function callTable(name: string, command: Command): Exchange {
  const cause = currentCause();
  const isTransaction = name === 'TransactWriteItems';
  const isWrite = /^(Put|Update|Delete)Item$/.test(name);
  return {
    label: `${name} ${describe(name, command)}`,
    timeoutMilliseconds: 3_000,
    isTable: true,
    effect: () => {
      const conflicts = (isTransaction || isWrite) && cause?.random.chance(servers.rates.conflict);
      if (cause && conflicts && !servers.table.isDone(command.ClientRequestToken)) {
        // It does not count as a fault: the service has to repeat the write.
        servers.tell(`${cause.name}: ${name} ${describe(name, command)}: conflict`);
        if (isWrite)
          return errorAnswer('TransactionConflictException', 'Transaction is ongoing for the item');
        const index = cause.random.below(command.TransactItems.length);
        const codes = command.TransactItems.map((_: unknown, at: number) => ({
          Code: at === index ? 'TransactionConflict' : 'None',
        }));
        const { type, message, fields } = cancelled(codes);
        return errorAnswer(type, message, fields);
      }
      return executeOnTable(name, command);
    },
    refusal: (random) => errorAnswer(random.pick(throttles), 'Try again'),
  };
}

/** The key of the first item of a command, for the reader of a history. */
function describe(name: string, command: Command): string {
  if (name === 'Query')
    return String(
      Object.values(command.ExpressionAttributeValues ?? {}).map((v) => (v as { S: string }).S)[0],
    );
  const [first] = command.TransactItems ?? [];
  const write = first && (first.Put ?? first.Update ?? first.Delete ?? first.ConditionCheck ?? first.Get);
  const key = (write ?? command).Key ?? (write ?? command).Item;
  const count = command.TransactItems ? ` and ${command.TransactItems.length - 1} more` : '';
  return key ? `${key.pk?.S}${count}` : '';
}

function callQueue(name: string, body: Command): Exchange {
  const queue = String(body.QueueUrl).split('/').at(-1) ?? '';
  const send = ({ MessageBody, DelaySeconds = 0, MessageGroupId: tenant }: Command) => ({
    MessageId: servers.send(queue, { body: MessageBody, delaySeconds: DelaySeconds, tenant }),
    MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex'),
  });
  return {
    label: `${name} ${queue}`,
    timeoutMilliseconds: 3_000,
    effect: () => {
      if (name === 'SendMessage') return toAnswer(send(body));
      const Successful = body.Entries.map((entry: Command) => ({ Id: entry.Id, ...send(entry) }));
      return toAnswer({ Successful, Failed: [] });
    },
    refusal: () => errorAnswer('ServiceUnavailable', 'Try again'),
  };
}

function callMail(body: Command): Exchange {
  const to = body.Destination.ToAddresses[0];
  return {
    label: `SendEmail ${to}`,
    timeoutMilliseconds: 10_000,
    effect: () => {
      servers.mail(to, Buffer.from(body.Content.Raw.Data, 'base64').toString());
      return toAnswer({ MessageId: 'mail' });
    },
    refusal: () => errorAnswer('TooManyRequestsException', 'Maximum sending rate exceeded.'),
  };
}

/** The bucket is empty, since nobody uploads pictures. What deletes those of an event lists them first. */
function callBucket({ method, path }: AwsRequest): Exchange {
  return {
    label: `${method} bucket${path}`,
    timeoutMilliseconds: 5_000,
    effect: () => {
      if (method !== 'GET' || path !== '/') throw new Error(`The bucket has no answer to ${method} ${path}`);
      return { status: 200, text: '<ListBucketResult/>' };
    },
    refusal: () => ({ status: 503, text: '<Error><Code>SlowDown</Code></Error>' }),
  };
}

function textOf(body: string | Uint8Array): string {
  if (typeof body === 'string') return body;
  return Buffer.prototype.toString.call(body, 'utf8');
}

function callOf(request: AwsRequest): Exchange {
  if (request.hostname.includes('.s3.')) return callBucket(request);
  const target = request.headers['x-amz-target'] ?? '';
  const [service = '', name = ''] = target.split('.');
  const body = JSON.parse(textOf(request.body));
  if (service.startsWith('DynamoDB')) return callTable(name, body);
  return service === 'AmazonSQS' ? callQueue(name, body) : callMail(body);
}

async function handleAws(request: AwsRequest, signal: AbortSignal | undefined) {
  const answer = await exchange({ ...callOf(request), signal });
  const response = {
    statusCode: answer.status,
    headers: { 'content-type': 'application/x-amz-json-1.0' },
    body: Buffer.from(answer.text),
  };
  return { response: new HttpResponse(response) };
}

// Signatures cost a tenth of a history's time, and nothing here checks them.
const { SignatureV4 } = require('@smithy/signature-v4');
SignatureV4.prototype.sign = async (request: AwsRequest) => request;

const { HttpResponse } = require('@smithy/core/protocols');
const { NodeHttpHandler } = require('@smithy/node-http-handler');
NodeHttpHandler.prototype.handle = (request: AwsRequest, options: { abortSignal?: AbortSignal } = {}) =>
  handleAws(request, options.abortSignal);

globalThis.fetch = (async (url: string | URL, init: RequestInit = {}) => {
  const { status, text } = await exchange({
    label: `${init.method ?? 'GET'} ${labelOf(String(url), init)}`,
    timeoutMilliseconds: 600_000,
    signal: init.signal,
    effect: () => {
      const answer = servers.fetch(String(url), init);
      return answer && toAnswer(answer.body, answer.status);
    },
    provider: String(url).includes('node') ? 'chain' : 'provider',
    refusal: () => toAnswer({ message: 'Internal error' }, 500),
  });
  return {
    status,
    ok: status < 300,
    headers: new Headers({ 'content-type': 'application/json' }),
    text: async () => text,
    json: async () => JSON.parse(text),
  };
}) as unknown as typeof fetch;

function labelOf(url: string, init: RequestInit): string {
  const method = /"method":"(\w+)"/.exec(String(init.body))?.[1];
  return method ? `${new URL(url).host} ${method}` : new URL(url).pathname;
}

/** The connections to the addresses that organizers choose. */
function request({ host, headers, path, signal }: RequestOptions, respond: (response: object) => void) {
  const sent = headers as Record<string, string>;
  const url = `https://${sent.host}${path}`;
  const send = async (body: string) => {
    const { status } = await exchange({
      label: `POST ${url} ${sent['webhook-id']}`,
      timeoutMilliseconds: 600_000,
      signal: signal ?? null,
      effect: () => {
        const status = servers.receive({ address: String(host), url, headers: sent, body });
        return status === undefined ? undefined : toAnswer({}, status);
      },
    });
    const chunks = [Buffer.from('answer')];
    respond(Object.assign(chunks, { statusCode: status, destroy: () => {} }));
  };
  const outgoing = new EventEmitter();
  return Object.assign(outgoing, {
    end: (body: string) => void send(body).catch((error) => outgoing.emit('error', error)),
  });
}
Object.assign(https, { request });
Object.assign(http, { request });
Object.assign(dns, { resolve4: async (name: string) => servers.resolve(name), resolve6: async () => [] });
syncBuiltinESMExports();
