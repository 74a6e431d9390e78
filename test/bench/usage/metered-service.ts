import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DeleteMessageCommand, type Message, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { build } from '../../../infra/build/build.ts';
import { type QueueName, functions as rows } from '../../../infra/functions.ts';
import { dataFiles } from '../../../infra/local/data-directory.ts';
import { resolveConfiguration } from '../../../infra/local/defaults.ts';
import { toDeployedFunctions } from '../../../infra/local/lambda/deployments.ts';
import type { DeployedFunction } from '../../../infra/local/lambda/lambda.ts';
import { Lambda } from '../../../infra/local/lambda/lambda.ts';
import { FunctionLog } from '../../../infra/local/lambda/log.ts';
import {
  createTable,
  credentials,
  region,
  startDynamoDb,
  startMailbox,
  startSqs,
} from '../../../infra/local/services/aws.ts';
import { chainId, rpc, startChain } from '../../../infra/local/services/chain.ts';
import { prepareContract } from '../../../infra/local/services/contract.ts';
import { listen } from '../../../infra/local/services/process.ts';
import { startSandbox } from '../../../infra/sandbox/sandbox.ts';
import { eventually } from '../../support/eventually.ts';
import { type Call, startMeter } from './meter.ts';

/** A function's response, with its requests to the table and the queues. */
export interface MeteredResponse {
  // biome-ignore lint/suspicious/noExplicitAny: responses are not validated
  answer: any;
  calls: Call[];
}

export interface MeteredService {
  /** Calls a function once. @throws Error when it fails */
  invoke(functionName: string, event: unknown): Promise<MeteredResponse>;
  /** Receives `count` messages (at most 10) of a queue as one event for its function. Waits for delayed messages. */
  receive(queue: QueueName, count: number): Promise<{ Records: object[] }>;
  deployments: readonly DeployedFunction[];
  /** The addresses that the functions call. */
  urls: Record<'table' | 'queue' | 'provider', string>;
  /** Waits until the transactions that the chain has received are final. */
  awaitFinality(): Promise<void>;
  /** Deletes all messages of a queue. */
  purge(queue: QueueName): Promise<void>;
  /** The path of the functions' log. */
  functionLog: string;
  /** Stops the mail service, so that sending a mail fails. */
  stopMail(): Promise<void>;
  /** Returns the number of requests that the payment providers have received. */
  countProviderRequests(): number;
  ticketContract: string;
  /** The key that signs gateway-a's webhooks. */
  gatewaySecret: string;
  stop(): Promise<void>;
}

/**
 * Starts the functions over the local store, queues, chain and sandbox, with a meter in between. Builds them unless
 * BOXOFFICE_FUNCTIONS names a build. There is no schedule and no polling, so that every counted request belongs to the
 * invoked function.
 */
export async function startMeteredService(): Promise<MeteredService> {
  const directory = mkdtempSync(path.join(tmpdir(), 'boxoffice-meter-'));
  const files = dataFiles(directory);
  const log = files.serviceLog;
  const bundles = process.env.BOXOFFICE_FUNCTIONS || files.functions;
  if (!process.env.BOXOFFICE_FUNCTIONS) await build(bundles);
  const database = await startDynamoDb(files.table, log);
  await createTable(database.url, 'boxoffice', { dropExisting: true });
  const sqs = await startSqs(rows);
  const mailbox = await startMailbox(log);
  const chain = await startChain(files.chain, log);
  const sandbox = createServer();
  const sandboxUrl = `http://127.0.0.1:${await listen(sandbox)}`;
  let providerRequests = 0;
  sandbox.on('request', () => providerRequests++);
  const settings = resolveConfiguration(
    { apiUrl: 'http://127.0.0.1', sandboxUrl, chainRpcUrl: chain.url },
    { PASSWORD_HASH_ROUNDS: '4' },
  );
  const ticketContract = await prepareContract(chain.url, files.contract, settings.MINTER_PRIVATE_KEY ?? '');
  const stopSandbox = startSandbox({
    server: sandbox,
    url: sandboxUrl,
    apiUrl: '',
    configuration: settings,
  });

  const meter = await startMeter({ table: database.url, queue: sqs.url });
  const functionLog = new FunctionLog(files.functionLog);
  const resources = {
    configuration: { ...settings, TICKET_CONTRACTS: `${chainId}:${ticketContract}` },
    functions: bundles,
    tableName: 'boxoffice',
    dynamodbUrl: meter.tableUrl,
    sqsUrl: meter.queueUrl,
    sesUrl: mailbox.url,
    s3Url: '',
    bucketName: '',
    queueUrl: (name: string) => (sqs.queueUrls[name] ?? '').replace(sqs.url, meter.queueUrl),
  };
  const deployments = toDeployedFunctions(rows, resources);
  const lambda = new Lambda(deployments, functionLog);
  const client = new SQSClient({ endpoint: sqs.url, region, credentials });

  const invoke = async (functionName: string, event: unknown): Promise<MeteredResponse> => {
    // Discards earlier requests.
    meter.takeCalls();
    const answer = await lambda.invoke(functionName, event);
    if ('failure' in answer) throw new Error(`${functionName}: ${answer.failure.errorMessage}`);
    return { answer: JSON.parse(answer.payload), calls: meter.takeCalls() };
  };

  return {
    invoke,
    deployments,
    urls: { table: meter.tableUrl, queue: meter.queueUrl, provider: sandboxUrl },
    ticketContract,
    gatewaySecret: settings.GATEWAY_A_SECRET ?? '',

    async receive(queue, count) {
      const messages: Message[] = [];
      const QueueUrl = sqs.queueUrls[queue] ?? '';
      for (const deadline = Date.now() + 30_000; messages.length < count; ) {
        if (Date.now() > deadline)
          throw new Error(`Received ${messages.length} of ${count} messages in ${queue}`);
        messages.push(...(await receiveMessages(client, QueueUrl, count - messages.length)));
      }
      return { Records: messages.map(toRecord) };
    },

    async awaitFinality() {
      const readNumber = async (tag: 'latest' | 'finalized') =>
        Number((await rpc<{ number: string }>(chain.url, 'eth_getBlockByNumber', [tag, false])).number);
      const latest = await readNumber('latest');
      // The block after the latest one may have been begun without them.
      await eventually(
        'the transactions are final',
        async () => (await readNumber('finalized')) >= latest + 2,
      );
    },

    async purge(queue) {
      while ((await receiveMessages(client, sqs.queueUrls[queue] ?? '', 10)).length > 0);
    },

    functionLog: functionLog.file,
    stopMail: () => mailbox.stop(),
    countProviderRequests: () => providerRequests,

    async stop() {
      client.destroy();
      await lambda.stop();
      functionLog.close();
      meter.stop();
      stopSandbox();
      for (const server of [sandbox, sqs.server]) {
        server.close();
        server.closeAllConnections();
      }
      await chain.stop();
      await mailbox.stop();
      await database.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Receives and deletes messages. */
async function receiveMessages(
  client: SQSClient,
  QueueUrl: string,
  MaxNumberOfMessages: number,
): Promise<Message[]> {
  const receive = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages, WaitTimeSeconds: 1 });
  const { Messages = [] } = await client.send(receive);
  for (const { ReceiptHandle } of Messages) {
    await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
  }
  return Messages;
}

function toRecord({ MessageId: messageId, Body: body }: Message) {
  return { messageId, body, attributes: { ApproximateReceiveCount: '1' } };
}
