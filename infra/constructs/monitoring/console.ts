import { Aws } from 'aws-cdk-lib';
import { stackName } from '../../names.ts';
import type { StageName } from '../../stages.ts';

/** Addresses in the AWS console, in the region of the stage. */

const consoleHome = (service: string) =>
  `https://${Aws.REGION}.console.aws.amazon.com/${service}/home?region=${Aws.REGION}#`;

export const dashboardLink = (stage: StageName) =>
  `${consoleHome('cloudwatch')}dashboards/dashboard/${stackName(stage)}`;
/** The console expects the name URL-encoded twice, then `$` in place of each `%`. */
export const logLink = (logGroup: string) =>
  `${consoleHome('cloudwatch')}logsV2:log-groups/log-group/${encodeURIComponent(logGroup).replaceAll('%', '$25')}`;
export const queueLink = (queue: string) => `${consoleHome('sqs/v3')}/queues?search=${queue}`;
export const tableLink = (table: string) => `${consoleHome('dynamodbv2')}table?name=${table}&tab=monitoring`;
