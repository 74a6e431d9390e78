import { createServer, type Server } from 'node:http';
import { queueUrlVariable } from '../../shared/runtime/config.ts';
import { findConfigurationErrors } from '../../shared/runtime/settings.ts';
import { build } from '../build/build.ts';
import { buildStorefront } from '../build/storefront.ts';
import { functions as functionRows, type QueueName } from '../functions.ts';
import { startSandbox } from '../sandbox/sandbox.ts';
import { DataDirectory } from './data-directory.ts';
import { resolveConfiguration } from './defaults.ts';
import { Cors } from './http/cors.ts';
import { createHttpApi, type Gateway } from './http/http.ts';
import { Routes } from './http/routes.ts';
import { Site } from './http/site.ts';
import { toDeployedFunctions } from './lambda/deployments.ts';
import { FunctionLog } from './lambda/function-log.ts';
import { Lambda } from './lambda/lambda.ts';
import { createLambdaApi } from './lambda/lambda-api.ts';
import { startSchedule } from './lambda/schedule.ts';
import { chainId, startChain } from './parts/chain.ts';
import type { Child } from './parts/child-process.ts';
import { prepareContract } from './parts/contract.ts';
import { createTable, startDynamoDb } from './parts/dynamodb.ts';
import { startMailbox } from './parts/mailbox.ts';
import { startPollers } from './parts/queues.ts';
import { startSqs } from './parts/sqs.ts';
import { listen, Ports } from './ports.ts';
import type { Progress } from './progress.ts';
import { StartError } from './start-error.ts';
import { Stops } from './stops.ts';
import { writeFileAtomically } from './write-file-atomically.ts';

export interface StackOptions {
  port: number;
  directory: string;
  /** Whether to remove earlier data first. */
  fresh: boolean;
  env: NodeJS.ProcessEnv;
  /** Shows each part as it starts. */
  progress: Progress;
  /** Called when a part ends unexpectedly. */
  onPartEnded: (part: string) => void;
}

/** The content of stack.json: the addresses of all parts. */
export interface StackDescription {
  apiUrl: string;
  dynamodbUrl: string;
  tableName: string;
  sqsUrl: string;
  queueUrls: Record<string, string>;
  chainRpcUrl: string;
  chainId: number;
  ticketContract: string;
  sandboxUrl: string;
  lambdaUrl: string;
  /** The mailbox: a page, and all mails as JSON below /store. */
  mailUrl: string;
}

/**
 * Starts every part after the parts that it needs.
 * @returns the addresses of all parts, and a function that stops them in reverse order
 * @throws StartError after it has stopped the parts that had started
 */
export async function startStack(
  options: StackOptions,
): Promise<{ description: StackDescription; stop: () => Promise<void> }> {
  const stops = new Stops();
  try {
    return { description: await startParts(options, stops), stop: () => stops.run() };
  } catch (error) {
    await stops.run();
    throw error;
  }
}

async function startParts(options: StackOptions, stops: Stops): Promise<StackDescription> {
  const { env, fresh, progress } = options;
  const [configurationError] = findConfigurationErrors(env);
  if (configurationError) throw new StartError(configurationError);
  const data = await DataDirectory.open(options.directory, { fresh });
  stops.add(() => data.close());
  const ports = new Ports(data.file('ports'), (part, port) =>
    progress.printAbove(`Another program uses port ${port} (${part}), so another port is used.`),
  );
  const partsLog = data.file('partsLog');
  const watchPart = (part: string, child: Child) => {
    let isStopping = false;
    void child.ended.then(() => isStopping || options.onPartEnded(part));
    stops.add(() => {
      isStopping = true;
      return child.stop();
    });
  };
  const closeOnStop = (server: Server) => stops.add(() => close(server));

  // First, since a port in use is the most likely failure. The servers respond with 503 until all parts have started.
  let gateway: Gateway | undefined;
  const apiServers = [createHttpApi(() => gateway), createHttpApi(() => gateway)] as const;
  for (const server of apiServers) closeOnStop(server);
  const apiUrl = await progress.track('HTTP server', listenOn(apiServers, options.port, ports));

  const bundles = env.BOXOFFICE_FUNCTIONS || data.file('functions');
  const storefront = env.BOXOFFICE_STOREFRONT || data.file('storefront');
  const builds = Promise.all([
    env.BOXOFFICE_FUNCTIONS ||
      progress.track('functions (build)', reportBuildFailure('functions', build(bundles))),
    env.BOXOFFICE_STOREFRONT ||
      progress.track('storefront (build)', reportBuildFailure('storefront', buildStorefront(storefront))),
  ]);
  // Prevents an unhandled rejection, which would end the process; the failure is thrown where the builds are awaited.
  builds.catch(() => {});

  const tableName = env.TABLE_NAME || 'boxoffice-local';
  let dynamodbUrl = env.AWS_ENDPOINT_URL_DYNAMODB;
  if (!dynamodbUrl) {
    const port = await ports.reserve('dynamodb');
    const starting = startDynamoDb(port, data.file('table'), partsLog);
    const database = await progress.track('DynamoDB-compatible server', starting);
    watchPart('DynamoDB-compatible server', database);
    dynamodbUrl = database.url;
  }
  await progress.track('table', createTable(dynamodbUrl, tableName, { dropExisting: fresh }));

  const sqs = await progress.track('SQS-compatible server', startSqs(functionRows, ports));
  closeOnStop(sqs.server);

  let mailUrl = env.AWS_ENDPOINT_URL_SESV2;
  if (!mailUrl) {
    const mailbox = await progress.track('mailbox', startMailbox(await ports.reserve('mail'), partsLog));
    watchPart('mailbox', mailbox);
    mailUrl = mailbox.url;
  }

  const chainPort = await ports.reserve('chain');
  const chain = await progress.track('EVM node', startChain(chainPort, data.file('chain'), partsLog));
  watchPart('EVM node', chain);

  const sandbox = createServer();
  const sandboxUrl = `http://127.0.0.1:${await progress.track('payment sandbox', ports.listen('sandbox', sandbox))}`;
  closeOnStop(sandbox);
  const settings = resolveConfiguration({ apiUrl, sandboxUrl, chainRpcUrl: chain.url }, env);
  // Started at once, since requests to a listening server without a handler would get no response.
  stops.add(startSandbox({ server: sandbox, url: sandboxUrl, apiUrl, configuration: settings, data }));

  const minterKeys = settings.MINTER_PRIVATE_KEY ?? '';
  const ticketContract = await progress.track(
    'ticket contract',
    prepareContract(chain.url, data.file('contract'), minterKeys, apiUrl),
  );
  await chain.state.save();
  await builds;

  const log = new FunctionLog(data.file('functionLog'));
  stops.add(() => log.close());
  const deployed = toDeployedFunctions(functionRows, {
    configuration: { TICKET_CONTRACTS: `${chainId}:${ticketContract}`, ...settings },
    functions: bundles,
    tableName,
    dynamodbUrl,
    sqsUrl: env.AWS_ENDPOINT_URL_SQS || sqs.url,
    sesUrl: mailUrl,
    queueUrl: (name) => env[queueUrlVariable(name)] || (sqs.queueUrls[name] ?? ''),
  });
  const lambda = new Lambda(deployed, log);
  stops.add(() => lambda.stop());

  const invokeApi = createLambdaApi(lambda);
  const lambdaUrl = `http://127.0.0.1:${await ports.listen('lambda', invokeApi)}`;
  closeOnStop(invokeApi);

  gateway = {
    routes: new Routes(functionRows),
    cors: new Cors(settings.ALLOWED_ORIGINS ?? ''),
    invoke: lambda.invoke,
    site: new Site(storefront, {
      apiUrl: '',
      ticketContract,
      chainId,
      chains: { [chainId]: { name: 'Polygon (on this machine)' } },
    }),
  };

  stops.add(startPollers(functionRows, sqs.queueUrls, lambda.invoke, deployed));
  stops.add(startSchedule(functionRows, lambda.invoke));

  const description = {
    apiUrl,
    dynamodbUrl,
    tableName,
    sqsUrl: sqs.url,
    queueUrls: Object.fromEntries(
      Object.entries(sqs.queueUrls).map(([name, url]) => [toStackKey(name), url]),
    ),
    chainRpcUrl: chain.url,
    chainId,
    ticketContract,
    sandboxUrl,
    lambdaUrl,
    mailUrl,
  };
  writeFileAtomically(data.file('stack'), `${JSON.stringify(description, null, 2)}\n`);
  return description;
}

/** @throws StartError when the build fails; the bundler has printed the errors in the code */
async function reportBuildFailure(artifact: string, build: Promise<unknown>): Promise<void> {
  await build.catch((error: Error) => {
    throw new StartError(`The ${artifact} could not be built: ${error.message.split('\n')[0]}`);
  });
}

/**
 * Listens on the given port of both loopback addresses, since `localhost` can resolve to either. Port 0 means a free
 * port, which later starts use again.
 */
async function listenOn(
  [ipv4, ipv6]: readonly [Server, Server],
  port: number,
  ports: Ports,
): Promise<string> {
  let openedPort = port;
  try {
    openedPort = await (port === 0 ? ports.listen('api', ipv4) : listen(ipv4, port));
    await listen(ipv6, openedPort, '::1').catch((error) => {
      // The machine has no IPv6.
      if (!['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(error.code)) throw error;
    });
    return `http://localhost:${openedPort}`;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new StartError(
      code === 'EADDRINUSE'
        ? `Port ${openedPort} is in use. Stop the program that uses it, or choose another port with PORT.`
        : `Port ${openedPort} can't be opened: ${message}.`,
    );
  }
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** The keys of queues in stack.json, which tools read. */
const stackKeys: Record<QueueName, string> = {
  'fulfil-orders': 'fulfil',
  'mint-tickets': 'mint',
  'send-money': 'payout',
  'settle-orders': 'settle',
  'run-event-jobs': 'event',
  'send-mail': 'mail',
};

function toStackKey(queue: string): string {
  const name = queue.replace(/-dlq$/, '');
  return queue.replace(name, stackKeys[name as QueueName] ?? name);
}
