import path from 'node:path';
import { queueUrlVariable } from '../../../shared/runtime/config.ts';
import { bundleDirectory } from '../../build/build.ts';
import { type FunctionRow, functionName, type QueueName } from '../../functions.ts';
import type { Configuration } from '../defaults.ts';
import { credentials, region } from '../services/aws.ts';
import type { SecretStore } from '../services/secrets.ts';
import type { AccountConcurrency, DeployedFunction } from './lambda.ts';

/**
 * The concurrency of each function; further events wait. It is low, since a development machine has few cores. On AWS
 * every worker has at least this concurrency.
 */
const defaultConcurrency = 2;

/** It waits up to ten seconds for organizers' receivers, and hardly computes. So it has half of its concurrency on AWS. */
const concurrencies: Record<string, number> = { 'workers-deliver-webhooks': 10 };

export interface Resources {
  configuration: Configuration;
  /** The output folder of the build. */
  functions: string;
  tableName: string;
  dynamodbUrl: string;
  sqsUrl: string;
  sesUrl: string;
  /** The S3-compatible server, and the bucket. */
  s3Url: string;
  bucketName: string;
  /** Without a store, the secrets are plain variables. */
  secretStore?: SecretStore;
  /** Returns the URL that functions send to. Tests change it to make a send fail. */
  queueUrl: (name: QueueName) => string;
  /** The emulated concurrency of the account. It limits the functions instead of the default. */
  limits?: AccountConcurrency;
}

/** Returns the deployment of each row. As in the CDK stack, a function gets only the values that its row names. */
export function toDeployedFunctions(rows: readonly FunctionRow[], resources: Resources): DeployedFunction[] {
  return rows.map((row) => ({
    name: functionName(row),
    file: path.join(bundleDirectory(row, resources.functions), 'index.mjs'),
    environment: toEnvironment(row, resources),
    timeoutSeconds: row.timeoutSeconds,
    memoryMegabytes: row.memoryMegabytes,
    concurrency: concurrencyOf(functionName(row), resources.limits),
  }));
}

/** With emulated concurrency a worker polls with what is reserved for it, as on AWS. */
function concurrencyOf(name: string, limits: AccountConcurrency | undefined): number {
  return limits ? (limits.reserved[name] ?? limits.account) : (concurrencies[name] ?? defaultConcurrency);
}

/**
 * Returns a function's environment. Only values that its row names are set, so that tests find a name missing from the
 * row.
 */
function toEnvironment(row: FunctionRow, resources: Resources): Record<string, string> {
  const { configuration, secretStore } = resources;
  const chains = Object.keys(configuration).filter((name) => row.chains && /^CHAIN_\d+_RPC_URLS$/.test(name));
  const queues = (row.sends ?? []).map((name) => [queueUrlVariable(name), resources.queueUrl(name)]);
  return {
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_ENDPOINT_URL_DYNAMODB: resources.dynamodbUrl,
    AWS_ENDPOINT_URL_SQS: resources.sqsUrl,
    ...(row.objects ? { AWS_ENDPOINT_URL_S3: resources.s3Url, BUCKET_NAME: resources.bucketName } : {}),
    ...(row.mail ? { AWS_ENDPOINT_URL_SESV2: resources.sesUrl } : {}),
    AWS_LAMBDA_FUNCTION_NAME: functionName(row),
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: `${row.memoryMegabytes}`,
    TZ: 'UTC',
    ...(row.table.length > 0 || row.indexes ? { TABLE_NAME: resources.tableName } : {}),
    ...Object.fromEntries(queues),
    ...pickValues(configuration, row.settings ?? []),
    ...toSecretVariables(pickValues(configuration, [...(row.secrets ?? []), ...chains]), secretStore),
  };
}

/** Returns the named values that exist. Empty ones are included, since they mean "not configured". */
function pickValues(configuration: Configuration, names: readonly string[]): Record<string, string> {
  const pairs = Object.entries(configuration as Record<string, string>);
  return Object.fromEntries(pairs.filter(([name]) => names.includes(name)));
}

function toSecretVariables(secrets: Record<string, string>, store: SecretStore | undefined) {
  const names = Object.keys(secrets);
  if (!store || names.length === 0) return secrets;
  return {
    AWS_ENDPOINT_URL_SECRETS_MANAGER: store.url,
    ...Object.fromEntries(names.map((name) => [`${name}_ARN`, store.arn(name)])),
  };
}
