import { createServer, type IncomingMessage, type Server } from 'node:http';
import { json } from 'node:stream/consumers';
import { accountId, region } from './aws.ts';
import { listenPreferring } from './process.ts';

/** How the store answers GetSecretValue: with the value, or with the error of Secrets Manager under load or in an outage. */
type Behaviour = 'answer' | 'throttle' | 'fail';

export interface SecretStore {
  url: string;
  server: Server;
  /** Returns the ARN of a secret. */
  arn(name: string): string;
}

const arnPrefix = `arn:aws:secretsmanager:${region}:${accountId}:secret:`;

/** The secrets of the local stack have names like those of a deployed stage. */
const toArn = (name: string) => `${arnPrefix}boxoffice/local/${name}`;

const errors = {
  throttle: { status: 400, __type: 'ThrottlingException', message: 'Rate exceeded' },
  fail: { status: 500, __type: 'InternalServiceError', message: 'An error occurred on the server side.' },
  notFound: {
    status: 400,
    __type: 'ResourceNotFoundException',
    message: "Secrets Manager can't find the specified secret value for staging label: AWSCURRENT",
  },
};

/**
 * Starts a Secrets Manager-compatible server with GetSecretValue and PutSecretValue. `PUT /behaviour` with the JSON
 * text `throttle`, `fail` or `answer` changes how it answers reads; `GET /reads` returns their number since then.
 * @param values the values by name; an empty value is a secret without one
 */
export async function startSecretStore(
  values: Readonly<Record<string, string>>,
  preferredPort = 0,
): Promise<SecretStore> {
  const stored = new Map(Object.entries(values).map(([name, value]) => [toArn(name), value]));
  let behaviour: Behaviour = 'answer';
  let reads = 0;

  const read = (arn: string) => {
    reads++;
    if (behaviour !== 'answer') return errors[behaviour];
    const value = stored.get(arn);
    return value ? { status: 200, ARN: arn, SecretString: value } : errors.notFound;
  };
  const answer = async (request: IncomingMessage) => {
    if (request.url === '/reads') return { status: 200, reads };
    if (request.url === '/behaviour') {
      [behaviour, reads] = [(await json(request)) as Behaviour, 0];
      return { status: 200 };
    }
    const { SecretId, SecretString } = (await json(request)) as Record<string, string>;
    const arn = SecretId?.startsWith(arnPrefix) ? SecretId : `${arnPrefix}${SecretId}`;
    if (request.headers['x-amz-target'] === 'secretsmanager.GetSecretValue') return read(arn);
    stored.set(arn, SecretString ?? '');
    return { status: 200, ARN: arn };
  };

  const server = createServer(async (request, response) => {
    const { status, ...body } = await answer(request);
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
  });
  const port = await listenPreferring(server, preferredPort);
  return { url: `http://127.0.0.1:${port}`, server, arn: toArn };
}
