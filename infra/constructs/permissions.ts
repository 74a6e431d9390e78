import { PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { splitList } from '../../shared/core/schemas.ts';
import type { BucketFolder, ObjectAction } from '../../shared/runtime/function.ts';
import type { FunctionRow, TableAction } from '../functions.ts';
import type { StageConfiguration } from '../stages.ts';
import type { MailResources } from './mail.ts';
import type { Pictures } from './pictures.ts';
import type { Queues } from './queues.ts';
import { configuredSecretsOf, type Secrets } from './secrets.ts';
import type { Tables } from './tables.ts';

/**
 * Returns the permissions of the function that a row of functions.ts defines. It does not use the grant methods of CDK
 * constructs, which allow more: `grantRead` allows scans; `grantConsumeMessages` and the basic execution role allow
 * actions that no function uses.
 */
export function permissions(
  row: FunctionRow,
  stage: StageConfiguration,
  logGroup: LogGroup,
  { tables, pictures, queues, secrets, mail }: Resources,
): PolicyDocument {
  const document = new PolicyDocument();
  const allow = (actions: string[], resources: string[]) => {
    if (actions.length > 0 && resources.length > 0) {
      document.addStatements(new PolicyStatement({ actions, resources }));
    }
  };
  allow(['logs:CreateLogStream', 'logs:PutLogEvents'], [logGroup.logGroupArn]);
  allow(['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], ['*']);
  const tableArns = tables.allowed.map(({ tableArn }) => tableArn);
  const allowItems = (actions: readonly TableAction[], prefixes: readonly string[]) => {
    const LeadingKeys = { 'dynamodb:LeadingKeys': prefixes.map((prefix) => `${prefix}*`) };
    document.addStatements(
      new PolicyStatement({
        actions: actions.map((action) => `dynamodb:${action}`),
        resources: tableArns,
        conditions: { 'ForAllValues:StringLike': LeadingKeys },
      }),
    );
  };
  if (row.tablePrefixes) allowItems(row.table, row.tablePrefixes);
  else
    allow(
      row.table.map((action) => `dynamodb:${action}`),
      tableArns,
    );
  // An endpoint that admits API keys counts their requests.
  if (row.acceptsKeys) allowItems(['PutItem', 'UpdateItem'], ['API_KEY#', 'ATTEMPTS#API_KEY#']);
  allow(
    ['dynamodb:Query'],
    tables.allowed.flatMap(({ tableArn }) =>
      (row.indexes ?? []).map((index) => `${tableArn}/index/${index}`),
    ),
  );
  const objects = Object.entries(row.objects ?? {}) as [BucketFolder, readonly ObjectAction[]][];
  for (const [folder, actions] of objects) {
    allow(
      actions.map((action) => `s3:${action}`),
      [`${pictures.arn}/${folder}/*`],
    );
  }
  // Without it, S3 answers 403 for an object that does not exist, as for any other refusal.
  if (objects.some(([, actions]) => actions.includes('GetObject'))) allow(['s3:ListBucket'], [pictures.arn]);
  allow(
    ['secretsmanager:GetSecretValue'],
    configuredSecretsOf(row, stage).map((name) => secrets.arn(name)),
  );
  allow(
    ['sqs:SendMessage'],
    (row.sends ?? []).map((name) => queues.get(name).queueArn),
  );
  const kmsKeys = row.settings?.includes('MINTER_KMS_KEYS') ? kmsKeysOf(stage) : [];
  allow(['kms:GetPublicKey', 'kms:Sign'], kmsKeys);
  // SES requires SendRawEmail for a MIME message, although the operation is SendEmail.
  allow(['ses:SendEmail', 'ses:SendRawEmail'], row.mail ? (mail?.arns ?? []) : []);
  if ('queue' in row.trigger) {
    allow(
      ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:ChangeMessageVisibility', 'sqs:GetQueueAttributes'],
      [queues.get(row.trigger.queue).queueArn],
    );
  }
  // Lambda sends with the function's role.
  if ('everyMinutes' in row.trigger) allow(['sqs:SendMessage'], [queues.failedSchedules.queueArn]);
  return document;
}

/**
 * Returns the ARNs of the minting accounts' KMS keys. An operator creates the keys, so that no stack can delete one.
 */
function kmsKeysOf({ settings }: StageConfiguration): string[] {
  return splitList(settings.MINTER_KMS_KEYS ?? '');
}

/** The resources that functions share. Each function may use only the resources that its row in functions.ts names. */
export interface Resources {
  tables: Tables;
  pictures: Pictures;
  queues: Queues;
  secrets: Secrets;
  /** Absent where mail is not configured. */
  mail: MailResources | undefined;
}
