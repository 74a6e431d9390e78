import path from 'node:path';
import type { ResourceName } from '../../shared/runtime/config.ts';
import { bundleDirectory } from '../build/build.ts';
import { type FunctionRow, functionName, type QueueName } from '../functions.ts';
import { credentials, region } from './aws.ts';
import type { Configuration } from './defaults.ts';
import type { Deployment } from './execution-environment.ts';

/**
 * Events a function works on at once. Few, since the machine has few cores; what comes more waits its turn. No queue
 * may have fewer on AWS.
 */
const concurrency = 2;

export interface Resources {
  configuration: Configuration;
  /** The folder the functions were built into. */
  functions: string;
  tableName: string;
  dynamodbUrl: string;
  sqsUrl: string;
  /** Where functions send to; tests point them elsewhere to see a send fail. */
  queueUrl: (name: QueueName) => string;
}

/** Makes each row what the CDK stack makes of it: a function that sees only what its row names. */
export function deployments(rows: readonly FunctionRow[], resources: Resources): Deployment[] {
  return rows.map((row) => ({
    name: functionName(row),
    file: path.join(bundleDirectory(row, resources.functions), 'index.cjs'),
    environment: environment(row, resources),
    timeoutSeconds: row.timeoutSeconds,
    memoryMegabytes: row.memoryMegabytes,
    concurrency,
  }));
}

/** A secret or setting missing from the row is missing here too, so that the mistake shows before AWS. */
function environment(row: FunctionRow, resources: Resources): Record<string, string> {
  const { configuration } = resources;
  const named = [...(row.secrets ?? []), ...(row.settings ?? [])];
  const chains = Object.keys(configuration).filter((name) => row.chains && name.startsWith('CHAIN_'));
  const queues = (row.sends ?? []).map((name) => [queueVariable(name), resources.queueUrl(name)]);
  return {
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_ENDPOINT_URL_DYNAMODB: resources.dynamodbUrl,
    AWS_ENDPOINT_URL_SQS: resources.sqsUrl,
    AWS_LAMBDA_FUNCTION_NAME: functionName(row),
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: `${row.memoryMegabytes}`,
    TZ: 'UTC',
    ...(row.table.length > 0 || row.indexes ? { TABLE_NAME: resources.tableName } : {}),
    ...Object.fromEntries(queues),
    ...pick(configuration, [...named, ...chains]),
  };
}

/** The variable that tells a function where a queue is. */
export function queueVariable(name: QueueName): ResourceName {
  return `${name.toUpperCase() as Uppercase<QueueName>}_QUEUE_URL`;
}

/** The names that have a value; an empty one is passed on, since it means "not configured". */
function pick(configuration: Configuration, names: string[]): Record<string, string> {
  const pairs = Object.entries(configuration as Record<string, string>);
  return Object.fromEntries(pairs.filter(([name]) => names.includes(name)));
}
