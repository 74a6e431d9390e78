import { type FunctionRow, functionName, type QueueName } from './functions.ts';
import type { StageName } from './stages.ts';

/** The names of deployed resources, which operators and their commands use. */

/** The region in which CloudFront requires its certificate and its firewall. */
export const frontRegion = 'us-east-1';

export const stackName = (stage: StageName) => `boxoffice-${stage}`;
export const deployedFunctionName = (stage: StageName, row: FunctionRow) =>
  `${stackName(stage)}-${functionName(row)}`;
/** Returns the name of a function's log group, or the common prefix of all functions' log groups. */
export const logGroupName = (stage: StageName, row?: FunctionRow) =>
  `/boxoffice/${stage}/${row ? functionName(row) : ''}`;
/**
 * The log group of the API's access log. CloudWatch Logs allows delivery below /aws/vendedlogs without an entry in the
 * account's resource policy, whose size is limited.
 */
export const accessLogName = (stage: StageName) => `/aws/vendedlogs/${stackName(stage)}/access`;
/** The bucket of uploaded pictures. Bucket names are unique in the world, so it contains the account. */
export const bucketName = (stage: StageName, account: string) => `${stackName(stage)}-pictures-${account}`;
/** The address that browsers post uploads to. */
export const bucketOrigin = (bucket: string, region: string) =>
  `https://${bucket}.s3.${region}.amazonaws.com`;
export const queueName = (stage: StageName, queue: QueueName) => `${stackName(stage)}-${queue}`;
export const deadLetterQueueName = (stage: StageName, queue: QueueName) => `${queueName(stage, queue)}-dlq`;
export const failedSchedulesName = (stage: StageName) => `${stackName(stage)}-failed-schedules`;
export const syntheticPurchaseName = (stage: StageName) => `${stackName(stage)}-synthetic-purchase`;
export const secretName = (stage: StageName, name: string) => `boxoffice/${stage}/${name}`;
/** Stages may share an account, so each has its own metrics namespace. */
export const metricsNamespace = stackName;
/** Returns the domain of a sender's address, such as `Tickets <tickets@example.com>`. SES verifies the domain. */
export const mailDomain = (from: string | undefined) => /@([^\s@>]+)>?$/.exec(from ?? '')?.[1];
