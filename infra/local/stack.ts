import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { queueUrlVariable } from '../../shared/runtime/config.ts';
import { findConfigurationErrors } from '../../shared/runtime/settings.ts';
import { functions as functionRows, type QueueName } from '../functions.ts';
import { startSandbox } from '../sandbox/sandbox.ts';
import { dataFiles, lockDirectory, removeData } from './data-directory.ts';
import { resolveConfiguration } from './defaults.ts';
import { Cors, createHttpApi, type Gateway } from './http/api-gateway.ts';
import { Routes } from './http/routes.ts';
import { Site } from './http/site.ts';
import { toDeployedFunctions } from './lambda/deployments.ts';
import { type AccountConcurrency, createLambdaApi, Lambda } from './lambda/lambda.ts';
import { FunctionLog } from './lambda/log.ts';
import { startPollers, startSchedule } from './lambda/triggers.ts';
import type { Progress } from './progress.ts';
import { createTable, startDynamoDb, startMailbox, startSqs } from './services/aws.ts';
import { startBucket } from './services/bucket.ts';
import { chainId, startChain } from './services/chain.ts';
import { prepareContract } from './services/contract.ts';
import { type Child, closeServer, listen, listenPreferring, StartError } from './services/process.ts';
import { startSecretStore } from './services/secrets.ts';
import { makeWalletSecrets } from './services/wallets.ts';

export interface StackOptions {
  port: number;
  directory: string;
  /** Whether to remove earlier data first. */
  fresh: boolean;
  env: NodeJS.ProcessEnv;
  /** Shows each service as it starts. */
  progress: Progress;
  /** Called when a service ends unexpectedly. */
  onServiceEnded: (service: string) => void;
}

/** The content of stack.json: the addresses of all services. */
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
  secretsUrl: string;
  /** The S3-compatible server and its bucket, whose objects are files in the data directory. */
  s3Url: string;
  bucketName: string;
  /** The mailbox: a page, and all mails as JSON below /store. */
  mailUrl: string;
}

/**
 * Starts every service after the services that it needs.
 * @returns the addresses of all services, and a function that stops them in reverse order
 * @throws StartError after it has stopped the services that had started
 */
export async function startStack(
  options: StackOptions,
): Promise<{ description: StackDescription; stop: () => Promise<void> }> {
  const cleanup = new AsyncDisposableStack();
  try {
    return { description: await startServices(options, cleanup), stop: () => cleanup.disposeAsync() };
  } catch (error) {
    await cleanup.disposeAsync();
    throw error;
  }
}

async function startServices(
  options: StackOptions,
  cleanup: AsyncDisposableStack,
): Promise<StackDescription> {
  const { env, fresh, progress } = options;
  const [configurationError] = findConfigurationErrors(env);
  if (configurationError) throw new StartError(configurationError);
  cleanup.defer(lockDirectory(options.directory));
  const files = dataFiles(options.directory);
  if (fresh) removeData(files);
  // Each service has the address of the last start, if it is free, so that links to checkout pages still work.
  const earlier = readDescription(files.stack);
  const log = files.serviceLog;
  const watch = (service: string, child: Child) => {
    let isStopping = false;
    void child.ended.then(() => isStopping || options.onServiceEnded(service));
    cleanup.defer(() => {
      isStopping = true;
      return child.stop();
    });
  };

  // First, since a port in use is the most likely failure. The servers respond with 503 until all services have started.
  let gateway: Gateway | undefined;
  const apiServers = [createHttpApi(() => gateway), createHttpApi(() => gateway)] as const;
  for (const server of apiServers) cleanup.defer(() => closeServer(server));
  const starting = listenOn(apiServers, options.port, portOf(earlier?.apiUrl));
  const apiUrl = await progress.track('HTTP server', starting);

  const bundles = env.BOXOFFICE_FUNCTIONS || files.functions;
  const storefront = env.BOXOFFICE_STOREFRONT || files.storefront;
  const builds = Promise.all([
    env.BOXOFFICE_FUNCTIONS ||
      progress.track('functions (build)', runBuild('functions', 'build.ts', bundles)),
    env.BOXOFFICE_STOREFRONT ||
      progress.track('storefront (build)', runBuild('storefront', 'storefront.ts', storefront)),
  ]);
  // Prevents an unhandled rejection, which would end the process; the failure is thrown where the builds are awaited.
  builds.catch(() => {});

  // Generating the keys takes a thread up to a second, while the other services start.
  const walletSecrets = makeWalletSecrets();
  walletSecrets.catch(() => {});

  const tableName = env.TABLE_NAME || 'boxoffice-local';
  let dynamodbUrl = env.AWS_ENDPOINT_URL_DYNAMODB;
  if (!dynamodbUrl) {
    const name = 'DynamoDB-compatible server';
    const database = await progress.track(
      name,
      startDynamoDb(files.table, log, portOf(earlier?.dynamodbUrl)),
    );
    watch(name, database);
    dynamodbUrl = database.url;
  }
  await progress.track('table', createTable(dynamodbUrl, tableName, { dropExisting: fresh }));

  const sqs = await progress.track('SQS-compatible server', startSqs(functionRows, portOf(earlier?.sqsUrl)));
  cleanup.defer(() => closeServer(sqs.server));

  let mailUrl = env.AWS_ENDPOINT_URL_SESV2;
  if (!mailUrl) {
    const mailbox = await progress.track('mailbox', startMailbox(log, portOf(earlier?.mailUrl)));
    watch('mailbox', mailbox);
    mailUrl = mailbox.url;
  }

  const chain = await progress.track('EVM node', startChain(files.chain, log, portOf(earlier?.chainRpcUrl)));
  watch('EVM node', chain);

  const sandbox = createServer();
  const sandboxPort = await listenPreferring(sandbox, portOf(earlier?.sandboxUrl));
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  cleanup.defer(() => closeServer(sandbox));
  const settings = {
    ...(await walletSecrets),
    ...resolveConfiguration({ apiUrl, sandboxUrl, chainRpcUrl: chain.url }, env),
  };
  // Started at once, since requests to a listening server without a handler would get no response.
  cleanup.defer(
    startSandbox({ server: sandbox, url: sandboxUrl, apiUrl, configuration: settings, file: files.sandbox }),
  );

  const secretStore = await startSecretStore(settings as Record<string, string>, portOf(earlier?.secretsUrl));
  cleanup.defer(() => closeServer(secretStore.server));

  const cors = new Cors(settings.ALLOWED_ORIGINS ?? '');
  const bucketName = 'boxoffice-local-pictures';
  const bucket = await startBucket(
    {
      name: bucketName,
      directory: files.bucket,
      cors,
      queueUrl: sqs.queueUrls['resize-pictures'] ?? '',
    },
    portOf(earlier?.s3Url),
  );
  cleanup.defer(() => closeServer(bucket.server));

  const minterKeys = settings.MINTER_PRIVATE_KEY ?? '';
  const ticketContract = await progress.track(
    'ticket contract',
    prepareContract(chain.url, files.contract, minterKeys, apiUrl),
  );
  await chain.save();
  await builds;

  const functionLog = new FunctionLog(files.functionLog);
  cleanup.defer(() => functionLog.close());
  const limits: AccountConcurrency | undefined =
    env.BOXOFFICE_CONCURRENCY && JSON.parse(env.BOXOFFICE_CONCURRENCY);
  const deployed = toDeployedFunctions(functionRows, {
    configuration: { TICKET_CONTRACTS: `${chainId}:${ticketContract}`, ...settings },
    functions: bundles,
    tableName,
    dynamodbUrl,
    sqsUrl: env.AWS_ENDPOINT_URL_SQS || sqs.url,
    sesUrl: mailUrl,
    s3Url: bucket.url,
    bucketName,
    secretStore,
    limits,
    queueUrl: (name) => env[queueUrlVariable(name)] || (sqs.queueUrls[name] ?? ''),
  });
  const lambda = new Lambda(deployed, functionLog, limits);
  cleanup.defer(() => lambda.stop());

  const invokeApi = createLambdaApi(lambda);
  const lambdaUrl = `http://127.0.0.1:${await listenPreferring(invokeApi, portOf(earlier?.lambdaUrl))}`;
  cleanup.defer(() => closeServer(invokeApi));

  gateway = {
    routes: new Routes(functionRows),
    cors,
    invoke: lambda.invoke,
    site: new Site(
      storefront,
      {
        name: settings.SHOP_NAME ?? '',
        apiUrl: '',
        ticketContract,
        chainId,
        chains: { [chainId]: { name: 'Polygon (on this machine)' } },
        paymentNames: {
          de: { 'gateway-a': 'Karte', 'gateway-b': 'Überweisung', 'gateway-c': 'Internationale Karte' },
        },
        wallets: [
          ...(settings.APPLE_PASS_CERTIFICATE ? (['apple'] as const) : []),
          ...(settings.GOOGLE_WALLET_KEY ? (['google'] as const) : []),
        ],
      },
      bucket.url,
    ),
  };

  cleanup.defer(startPollers(functionRows, sqs.queueUrls, lambda.invoke, deployed));
  cleanup.defer(startSchedule(functionRows, lambda.invoke));

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
    secretsUrl: secretStore.url,
    s3Url: bucket.url,
    bucketName,
    mailUrl,
  };
  writeFileSync(files.stack, `${JSON.stringify(description, null, 2)}\n`);
  return description;
}

/**
 * Runs a build in a process of its own, since the bundlers keep hundreds of megabytes.
 * @throws StartError when it fails; the bundler has printed the errors in the code
 */
async function runBuild(artifact: string, program: string, folder: string): Promise<void> {
  const file = path.join(import.meta.dirname, '..', 'build', program);
  const child = spawn(process.execPath, [file, folder], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [status] = await once(child, 'exit');
  if (status !== 0) throw new StartError(`The ${artifact} could not be built.`);
}

/** Returns the addresses of the last start in the folder. */
function readDescription(file: string): StackDescription | undefined {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

const portOf = (url = ''): number => (URL.canParse(url) ? Number(new URL(url).port) : 0);

/**
 * Listens on the given port of both loopback addresses, since `localhost` can resolve to either.
 * @param port 0 for the port of the last start, or else any free port
 */
async function listenOn(
  [ipv4, ipv6]: readonly [Server, Server],
  port: number,
  earlierPort: number,
): Promise<string> {
  let openedPort = port;
  try {
    openedPort = await (port === 0 ? listenPreferring(ipv4, earlierPort) : listen(ipv4, port));
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

/** The keys of queues in stack.json, which tools read. */
const stackKeys: Record<QueueName, string> = {
  'fulfil-orders': 'fulfil',
  'mint-tickets': 'mint',
  'send-money': 'payout',
  'settle-orders': 'settle',
  'run-event-jobs': 'event',
  'send-mail': 'mail',
  'send-links': 'links',
  'deliver-webhooks': 'webhooks',
  'record-mail-events': 'mailEvents',
  'resize-pictures': 'pictures',
};

function toStackKey(queue: string): string {
  const name = queue.replace(/-dlq$/, '');
  return queue.replace(name, stackKeys[name as QueueName] ?? name);
}
