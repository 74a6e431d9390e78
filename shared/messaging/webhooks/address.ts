import dns from 'node:dns/promises';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import ipaddr from 'ipaddr.js';
import { invalid } from '../../core/errors.ts';
import { optionalSetting } from '../../runtime/config.ts';

/**
 * The way out to addresses that organizers choose. None may be a way into this service's network, to the metadata of its
 * machines or to Lambda's own API on the loopback address.
 */

/** Returns whether webhooks may be sent to this machine: on a developer's only. */
const mayBeLocal = () => optionalSetting('WEBHOOKS_TO_LOOPBACK') === 'true';

/** The global unicast addresses of IPv6. Outside are IPv4 addresses in forms of IPv6. */
const globalIpv6 = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];

/** Returns whether an IP address is a public one of the internet. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(globalIpv6);
}

const isLoopback = (address: string) =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';

/** Returns whether an attempt may connect to an address. */
const mayConnect = (address: string) => isPublicAddress(address) || (mayBeLocal() && isLoopback(address));

/**
 * Parses the address of an endpoint. Names are resolved at each attempt, since what they resolve to can change.
 * @throws DomainError 400 unless it is `https`, without a user name, and no address that is never reached
 */
export function parseEndpointUrl(value: string): URL {
  const url = URL.parse(value);
  if (!url) throw invalid('url must be an https address');
  const host = hostOf(url);
  const isLocal = mayBeLocal() && (host === 'localhost' || isLoopback(host));
  if (url.protocol !== 'https:' && !(isLocal && url.protocol === 'http:'))
    throw invalid('url must be an https address');
  if (url.username || url.password) throw invalid('url must not contain a user name or a password');
  const isName = !ipaddr.isValid(host);
  const isPrivateName = !host.includes('.') || /\.(localhost|local|internal|home\.arpa)$/.test(host);
  if (!isLocal && (isName ? isPrivateName : !isPublicAddress(host)))
    throw invalid('url must be reachable from the internet');
  return url;
}

/** Returns the host of an address, without the brackets of IPv6 and a final dot. */
const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

export interface PostResult {
  /** Absent when there was no answer. */
  statusCode?: number;
  /** The start of the answer's body, or why there was no answer. */
  answer: string;
}

interface PostOptions {
  timeoutMilliseconds?: number;
  /** Resolves a name to all its addresses. */
  resolve?: (name: string) => Promise<string[]>;
  /** Whether a connection to an address is allowed. */
  isAllowed?: (address: string) => boolean;
}

/**
 * Asks the name server. `lookup` would do so in one of four threads of the process: names whose servers do not answer would
 * then occupy all, and attempts to other endpoints would wait for them.
 */
async function resolveName(name: string): Promise<string[]> {
  if (name === 'localhost') return ['127.0.0.1'];
  const answers = await Promise.allSettled([dns.resolve4(name), dns.resolve6(name)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const [first] = answers;
  if (addresses.length === 0 && first.status === 'rejected') throw first.reason;
  return addresses;
}

/**
 * Posts a body to the address of an endpoint. The name is resolved once, all its addresses are checked, and the connection
 * goes to one of those. Redirects are answers like others, and at most 64 KB of an answer are read.
 */
export async function postToEndpoint(
  url: string,
  body: string,
  headers: Record<string, string>,
  { timeoutMilliseconds = 10_000, resolve = resolveName, isAllowed = mayConnect }: PostOptions = {},
): Promise<PostResult> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), timeoutMilliseconds);
  try {
    const target = parseEndpointUrl(url);
    const address = await Promise.race([
      findAddress(hostOf(target), resolve, isAllowed),
      wait(timeoutMilliseconds, undefined, { signal: limit.signal, ref: false }).then(() => {
        throw new Error('The name was not resolved in time');
      }),
    ]);
    return await send(target, address, body, headers, limit.signal);
  } catch (error) {
    const isLate = limit.signal.aborted;
    return { answer: isLate ? 'No answer in time' : (error as Error).message.slice(0, answerCharacters) };
  } finally {
    clearTimeout(timer);
    limit.abort();
  }
}

/** Returns the address to connect to. @throws Error unless all addresses of the name are allowed */
async function findAddress(
  host: string,
  resolve: NonNullable<PostOptions['resolve']>,
  isAllowed: NonNullable<PostOptions['isAllowed']>,
): Promise<string> {
  const addresses = ipaddr.isValid(host) ? [host] : await resolve(host);
  if (!addresses.every(isAllowed)) throw new Error(`${host} is not an address of the internet`);
  // Lambda reaches IPv4 addresses only.
  const address = addresses.find((each) => !each.includes(':')) ?? addresses[0];
  if (address === undefined) throw new Error(`${host} has no address`);
  return address;
}

const answerCharacters = 1_000;
const maximumAnswerBytes = 64 * 1024;

function send(
  target: URL,
  address: string,
  body: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<PostResult> {
  const isHttps = target.protocol === 'https:';
  const options = {
    host: address,
    port: target.port || (isHttps ? 443 : 80),
    path: `${target.pathname}${target.search}`,
    method: 'POST',
    agent: false as const,
    signal,
    headers: {
      ...headers,
      host: target.host,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': 'boxoffice-webhooks/1',
      connection: 'close',
    },
  };
  return new Promise((resolve, reject) => {
    const respond = (response: IncomingMessage) => readAnswer(response).then(resolve, reject);
    const servername = ipaddr.isValid(hostOf(target)) ? '' : hostOf(target);
    const outgoing = isHttps
      ? requestHttps({ ...options, servername }, respond)
      : requestHttp(options, respond);
    // The request would neither end nor be aborted any more: its connection is no longer HTTP.
    outgoing.on('upgrade', ({ statusCode = 0 }, socket) => {
      socket.destroy();
      resolve({ statusCode, answer: '' });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Reads the start of an answer. Its status counts, even if the rest does not arrive. */
async function readAnswer(response: IncomingMessage): Promise<PostResult> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of response) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= maximumAnswerBytes) break;
    }
  } catch {
    // The connection was closed, or the time is over.
  }
  response.destroy();
  const text = Buffer.concat(chunks).toString('utf8').slice(0, answerCharacters);
  return { statusCode: response.statusCode ?? 0, answer: text.toWellFormed() };
}
