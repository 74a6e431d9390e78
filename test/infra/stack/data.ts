import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { functions } from '../../../infra/functions.ts';
import { createTable } from '../../../infra/local/services/aws.ts';
import { mailRate } from '../../../infra/mail-rate.ts';
import { deployedFunctionName } from '../../../infra/names.ts';
import { secretNames } from '../../../shared/runtime/settings.ts';
import {
  dev,
  getFunction,
  production,
  render,
  renderList,
  stages,
  staging,
  synthesize,
} from './synthesized.ts';

describe('the table', () => {
  const { properties, definition } = production.getOne('AWS::DynamoDB::Table');

  it('is billed on demand, encrypted, and has point-in-time recovery', () => {
    expect(properties.BillingMode).toBe('PAY_PER_REQUEST');
    expect(properties.SSESpecification).toEqual({ SSEEnabled: true });
    expect(properties.PointInTimeRecoverySpecification).toEqual({ PointInTimeRecoveryEnabled: true });
    expect(properties.TimeToLiveSpecification).toEqual({ AttributeName: 'ttl', Enabled: true });
  });

  it('is retained in production, and deleted with the stack elsewhere', () => {
    expect(properties.DeletionProtectionEnabled).toBe(true);
    expect([definition.DeletionPolicy, definition.UpdateReplacePolicy]).toEqual([
      'RetainExceptOnCreate',
      'Retain',
    ]);
    const { definition: devTable } = dev.getOne('AWS::DynamoDB::Table');
    expect([devTable.DeletionPolicy, devTable.Properties.DeletionProtectionEnabled]).toEqual([
      'Delete',
      false,
    ]);
  });

  it('has the schema of the local stack’s table', async () => {
    const local = await recordRequests((endpoint) => createTable(endpoint, 'local', { dropExisting: false }));
    const { TableName: _, ...created } = local.CreateTable ?? {};
    for (const [name, value] of Object.entries(created)) {
      expect(sortAttributes(withoutUnsupported(properties[name])), name).toEqual(sortAttributes(value));
    }
    expect(Object.keys(created)).toEqual(
      expect.arrayContaining(['KeySchema', 'AttributeDefinitions', 'GlobalSecondaryIndexes']),
    );
    expect(local.UpdateTimeToLive?.TimeToLiveSpecification).toEqual(properties.TimeToLiveSpecification);
  });

  it('has warm throughput in production and reports throttled keys, and so do its indexes', () => {
    expect(properties.WarmThroughput).toEqual({ ReadUnitsPerSecond: 20_000, WriteUnitsPerSecond: 40_000 });
    const throttledKeys = { Enabled: true, Mode: 'THROTTLED_KEYS' };
    expect(properties.ContributorInsightsSpecification).toEqual(throttledKeys);
    expect(properties.GlobalSecondaryIndexes).toHaveLength(3);
    for (const index of properties.GlobalSecondaryIndexes) {
      expect(index.WarmThroughput).toEqual({ ReadUnitsPerSecond: 12_000, WriteUnitsPerSecond: 40_000 });
      expect(index.ContributorInsightsSpecification).toEqual(throttledKeys);
    }
    expect(dev.getOne('AWS::DynamoDB::Table').properties.WarmThroughput).toBeUndefined();
  });

  it('stays in the stack when a restored table replaces it, since earlier function versions still use it', () => {
    const withRestoredTable = (usedByFunctions: boolean) =>
      synthesize({
        ...stages.production,
        restoredTable: { name: 'the-restored-one', serves: usedByFunctions },
      });
    const [restored, prepared] = [withRestoredTable(true), withRestoredTable(false)];
    expect(restored.getOne('AWS::DynamoDB::Table').definition).toEqual(definition);
    for (const { properties } of restored.ofType('AWS::Lambda::Function')) {
      expect([undefined, 'the-restored-one']).toContain(properties.Environment.Variables.TABLE_NAME);
    }
    for (const stack of [restored, prepared]) {
      const { properties } = getFunction(stack, 'orders/list-orders');
      const role = stack.resources.find(({ id }) => `\${${id}.Arn}` === render(properties.Role));
      const policies = JSON.stringify(role?.properties.Policies);
      expect(policies).toContain('table/the-restored-one/index/byOwner');
      expect(policies).toContain('/index/byOwner"');
      expect(policies).toContain(stack.getOne('AWS::DynamoDB::Table').id);
    }
    const variables = getFunction(prepared, 'orders/list-orders').properties.Environment.Variables;
    expect(variables.TABLE_NAME).not.toBe('the-restored-one');
  });
});

// biome-ignore lint/suspicious/noExplicitAny: the body depends on the operation
type Body = any;

/** Records the requests that a call sends to DynamoDB, by operation. */
async function recordRequests(call: (endpoint: string) => Promise<void>): Promise<Record<string, Body>> {
  const requests: Record<string, Body> = {};
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray();
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    requests[operation] = JSON.parse(Buffer.concat(chunks).toString());
    response.setHeader('content-type', 'application/x-amz-json-1.0');
    response.end(JSON.stringify({ Table: { TableStatus: 'ACTIVE' } }));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  await call(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  server.close();
  return requests;
}

/** Removes the properties that the local store does not support. */
const withoutUnsupported = (value: Body) =>
  Array.isArray(value)
    ? value.map(({ WarmThroughput, ContributorInsightsSpecification, ...shape }: Body) => shape)
    : value;

/** Sorts attribute definitions, whose order is irrelevant. */
const sortAttributes = (value: Body) =>
  Array.isArray(value) && value[0]?.AttributeName && value[0]?.AttributeType
    ? value.toSorted((a: Body, b: Body) => a.AttributeName.localeCompare(b.AttributeName))
    : value;

describe('the bucket of pictures', () => {
  const { properties, definition } = production.getOne('AWS::S3::Bucket');

  it('is private and encrypted, and has the name that the storefront’s policy allows', () => {
    expect(render(properties.BucketName)).toBe(`boxoffice-production-pictures-\${AWS::AccountId}`);
    expect(properties.PublicAccessBlockConfiguration).toEqual({
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    });
    expect(JSON.stringify(properties.BucketEncryption)).toContain('AES256');
    const statements = production.ofType('AWS::S3::BucketPolicy').map(({ properties: policy }) => policy);
    expect(statements).toHaveLength(1);
    expect(statements[0].PolicyDocument.Statement).toEqual([
      expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
    ]);
  });

  it('is retained in production, and deletes uploads that nothing has processed after a day', () => {
    expect([definition.DeletionPolicy, definition.UpdateReplacePolicy]).toEqual([
      'RetainExceptOnCreate',
      'Retain',
    ]);
    expect(dev.getOne('AWS::S3::Bucket').definition.DeletionPolicy).toBe('Delete');
    expect(properties.LifecycleConfiguration.Rules).toMatchObject([
      { ExpirationInDays: 1, Prefix: 'uploads/', Status: 'Enabled' },
    ]);
  });

  it('lets the shop’s pages post to it', () => {
    expect(properties.CorsConfiguration.CorsRules).toMatchObject([
      { AllowedMethods: ['POST'], AllowedOrigins: ['https://tickets.boxoffice.test'] },
    ]);
  });

  it('reports uploads, and nothing else, to the worker that resizes pictures', () => {
    expect(properties.NotificationConfiguration).toEqual({
      EventBridgeConfiguration: { EventBridgeEnabled: true },
    });
    const rule = production
      .ofType('AWS::Events::Rule')
      .find((each) => each.properties.EventPattern?.source[0] === 'aws.s3');
    const { bucket, object } = rule?.properties.EventPattern.detail ?? {};
    expect(bucket.name.map(render)).toEqual([render(properties.BucketName)]);
    expect(object.key).toEqual([{ prefix: 'uploads/' }]);
    const [{ Arn, InputTransformer }] = rule?.properties.Targets ?? [];
    expect(render(Arn)).toContain('resizepictures');
    expect(Object.values(InputTransformer.InputPathsMap)).toEqual(['$.detail.object.key']);
    expect(InputTransformer.InputTemplate).toMatch(/^\{"type":"resize-picture","key":<.*>\}$/);
  });
});

describe('queues', () => {
  const queues = production.ofType('AWS::SQS::Queue');
  const getQueue = (name: string) =>
    production.getOne('AWS::SQS::Queue', { QueueName: `boxoffice-production-${name}` });
  const consumers = functions.flatMap((row) =>
    'queue' in row.trigger ? [{ row, trigger: row.trigger }] : [],
  );

  it('are standard, encrypted, and refuse requests without TLS', () => {
    // A queue and its dead-letter queue for each worker, and the queue of failed schedules.
    expect(queues).toHaveLength(2 * consumers.length + 1);
    const tlsOnly = production
      .ofType('AWS::SQS::QueuePolicy')
      .filter(({ properties }) => JSON.stringify(properties).includes('"aws:SecureTransport":"false"'))
      .flatMap(({ properties }) => renderList(properties.Queues));
    for (const { id, properties } of queues) {
      expect(properties.FifoQueue).toBeUndefined();
      expect(properties.SqsManagedSseEnabled).toBe(true);
      expect(tlsOnly).toContain(`\${${id}}`);
    }
  });

  it.each(consumers)(
    'hide a message for six times the timeout of $row.entry, and deliver it at most five times',
    ({ row, trigger }) => {
      const { properties } = getQueue(trigger.queue);
      const lambda = production.getOne('AWS::Lambda::Function', {
        FunctionName: `boxoffice-production-${row.entry.replaceAll('/', '-')}`,
      });
      expect(properties.VisibilityTimeout).toBe(6 * lambda.properties.Timeout);
      expect(properties.RedrivePolicy.maxReceiveCount).toBe(5);
      expect(render(properties.RedrivePolicy.deadLetterTargetArn)).toBe(
        `\${${getQueue(`${trigger.queue}-dlq`).id}.Arn}`,
      );
      expect(getQueue(`${trigger.queue}-dlq`).properties.MessageRetentionPeriod).toBe(14 * 24 * 3600);
    },
  );

  it.each(consumers)(
    'let $row.entry report failed messages of a batch, with limited concurrency',
    ({ trigger }) => {
      const mapping = production
        .ofType('AWS::Lambda::EventSourceMapping')
        .find(
          ({ properties }) => render(properties.EventSourceArn) === `\${${getQueue(trigger.queue).id}.Arn}`,
        );
      expect(mapping?.properties).toMatchObject({
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        BatchSize: trigger.batchSize,
        ScalingConfig: { MaximumConcurrency: trigger.maxConcurrency },
      });
      // Lambda requires a batching window for batches of more than 10 messages.
      if (trigger.batchSize > 10)
        expect(mapping?.properties.MaximumBatchingWindowInSeconds).toBeGreaterThan(0);
    },
  );

  it('have a consumer if a function sends to them, and only then', () => {
    // SES sends to the queue of its events.
    const queuesSentTo = new Set(['record-mail-events', ...functions.flatMap(({ sends }) => sends ?? [])]);
    expect([...queuesSentTo].sort()).toEqual(consumers.map(({ trigger }) => trigger.queue).sort());
  });
});

describe('secrets', () => {
  const secrets = production.ofType('AWS::SecretsManager::Secret');

  it('are generated without punctuation if they are keys of this service, and created without a value otherwise', () => {
    for (const { properties } of secrets) {
      expect(properties.SecretString).toBeUndefined();
      expect(properties.GenerateSecretString).toEqual(
        /JWT_|CHECK_IN|ORDER_ACCESS|ORIGIN/.test(properties.Name)
          ? { PasswordLength: 64, ExcludePunctuation: true }
          : undefined,
      );
    }
    const names = secrets.map(({ properties }) => properties.Name);
    expect(names).toEqual(
      expect.arrayContaining([
        'boxoffice/production/JWT_ACCESS_SECRET',
        'boxoffice/production/JWT_REFRESH_SECRET',
        'boxoffice/production/MINTER_PRIVATE_KEY',
        'boxoffice/production/CHAIN_137_RPC_URLS',
      ]),
    );
  });

  it('are in one region, except ORIGIN_SECRET, which CloudFront reads in us-east-1', () => {
    const replicated = secrets.filter(({ properties }) => properties.ReplicaRegions);
    expect(replicated.map(({ properties }) => [properties.Name, properties.ReplicaRegions])).toEqual([
      ['boxoffice/production/ORIGIN_SECRET', [{ Region: 'us-east-1' }]],
    ]);
    const stagingSecrets = staging.ofType('AWS::SecretsManager::Secret');
    expect(stagingSecrets.filter(({ properties }) => properties.ReplicaRegions)).toEqual([]);
  });

  it('are retained, unless the deployment that creates them fails', () => {
    for (const { definition } of secrets) expect(definition.DeletionPolicy).toBe('RetainExceptOnCreate');
  });

  it('are not in the functions’ environment variables, which have only their ARNs', () => {
    const secretArns = secrets.map(({ id }) => `\${${id}}`);
    for (const { properties } of production.ofType('AWS::Lambda::Function')) {
      const variables: Record<string, unknown> = properties.Environment.Variables;
      for (const [name, value] of Object.entries(variables)) {
        expect([...secretNames, 'CHAIN_137_RPC_URLS']).not.toContain(name);
        if (name.endsWith('_ARN')) expect(secretArns).toContain(render(value));
      }
    }
  });

  it('are not read by CloudFormation', () => {
    expect(JSON.stringify([...production.templates.values()])).not.toContain('{{resolve:');
  });
});

describe('the mail configuration', () => {
  it('has an identity for the domain of MAIL_FROM, with its DKIM records as outputs', () => {
    const identity = production.getOne('AWS::SES::EmailIdentity');
    expect(identity.properties.EmailIdentity).toBe('mail.boxoffice.test');
    const outputs = Object.values(production.templates.get('boxoffice-production.template.json')?.Outputs);
    const records = outputs.map((output) => render((output as { Value: unknown }).Value));
    for (const number of [1, 2, 3]) {
      expect(records).toContainEqual(expect.stringContaining(`${identity.id}.DkimDNSTokenName${number}`));
    }
  });

  it('suppresses addresses that bounced or complained, has reputation metrics, and is used by the mail worker', () => {
    expect(production.getOne('AWS::SES::ConfigurationSet').properties).toMatchObject({
      Name: 'boxoffice-production',
      SuppressionOptions: { SuppressedReasons: ['BOUNCE', 'COMPLAINT'] },
      ReputationOptions: { ReputationMetricsEnabled: true },
    });
    const worker = production.getOne('AWS::Lambda::Function', {
      FunctionName: deployedFunctionName(
        'production',
        functions.find(({ entry }) => entry === 'workers/send-mail') as never,
      ),
    });
    expect(worker.properties.Environment.Variables).toMatchObject({
      MAIL_CONFIGURATION_SET: 'boxoffice-production',
      MAIL_FROM: 'Boxoffice <tickets@mail.boxoffice.test>',
    });
  });

  it('has outputs for the MAIL FROM domain and a DMARC policy, which mass mail requires', () => {
    expect(production.getOne('AWS::SES::EmailIdentity').properties.MailFromAttributes).toEqual({
      MailFromDomain: 'bounce.mail.boxoffice.test',
    });
    const outputs = Object.entries<{ Value: unknown }>(
      production.templates.get(production.stack.templateFile).Outputs,
    ).map(([name, { Value }]) => `${name.replace(/^Mail|[0-9A-F]{8}$/g, '')}: ${render(Value)}`);
    expect(outputs).toContain('Dmarc: _dmarc.mail.boxoffice.test TXT "v=DMARC1; p=none"');
    expect(outputs).toContain(
      'MailFromMx: bounce.mail.boxoffice.test MX 10 feedback-smtp.eu-west-1.amazonses.com',
    );
  });

  it('reports bounces and complaints of this stage’s mails to the worker that records them', () => {
    const { EventDestination } = production.getOne('AWS::SES::ConfigurationSetEventDestination').properties;
    expect(EventDestination.MatchingEventTypes.map((type: string) => type.toLowerCase())).toEqual([
      'bounce',
      'complaint',
    ]);
    const rule = production
      .ofType('AWS::Events::Rule')
      .find(({ properties }) => properties.EventPattern?.source[0] === 'aws.ses');
    expect(rule?.properties.EventPattern.detail.mail.tags['ses:configuration-set']).toEqual([
      'boxoffice-production',
    ]);
    const [{ Arn, InputTransformer }] = rule?.properties.Targets ?? [];
    expect(render(Arn)).toContain('recordmailevents');
    expect(Object.values(InputTransformer.InputPathsMap)).toEqual([
      '$.detail.mail.tags.mailId[0]',
      '$.detail.mail.tags.requestedAt[0]',
      '$.detail.eventType',
    ]);
    expect(InputTransformer.InputTemplate).toMatch(
      /^\{"type":"record-mail-event","mailId":<.*>,"requestedAt":<.*>,"event":<.*>\}$/,
    );
  });

  it('limits the workers to SES’s quota, of which links have their own part', () => {
    const capacityOf = (worker: string) => {
      const { properties } = getFunction(production, `workers/${worker}`);
      return [
        properties.ReservedConcurrentExecutions,
        Number(properties.Environment.Variables.MAIL_PACE_MILLISECONDS),
      ];
    };
    expect(capacityOf('send-mail')).toEqual([4, 358]);
    expect(capacityOf('send-links')).toEqual([2, 715]);
    for (const mailsPerSecond of [1, 14, 200]) {
      const rates = functions.flatMap((row) => mailRate(row, { mailsPerSecond }) ?? []);
      expect(rates).toHaveLength(2);
      const perSecond = rates.reduce(
        (sum, { concurrency, paceMilliseconds }) => sum + (1_000 * concurrency) / paceMilliseconds,
        0,
      );
      expect(perSecond).toBeLessThanOrEqual(mailsPerSecond);
      expect(perSecond).toBeGreaterThan(0.95 * mailsPerSecond);
    }
  });

  it('is absent in a stage without MAIL_FROM', () => {
    expect(dev.resources.filter(({ type }) => type.startsWith('AWS::SES::'))).toEqual([]);
  });
});
