import { describe, expect, it } from 'vitest';
import { type FunctionRow, functions } from '../../../infra/functions.ts';
import { deployedFunctionName } from '../../../infra/names.ts';
import { dev, production, type Resource, rendered, renderedList, staging } from './synthesized.ts';

interface Statement {
  effect: string;
  actions: string[];
  resources: string[];
}

const rowCalled = (entry: string) => {
  const row = functions.find((candidate) => candidate.entry === entry);
  if (!row) throw new Error(`No row ${entry}`);
  return row;
};

/** All permissions of a role. */
function statementsOf(role: Resource): Statement[] {
  return (role.properties.Policies ?? []).flatMap(
    ({ PolicyDocument }: { PolicyDocument: { Statement: object[] } }) =>
      // biome-ignore lint/suspicious/noExplicitAny: a policy as CloudFormation has it
      PolicyDocument.Statement.map((statement: any) => ({
        effect: statement.Effect,
        actions: renderedList(statement.Action),
        resources: renderedList(statement.Resource),
      })),
  );
}

function roleOf(row: FunctionRow): Resource {
  const { properties } = production.one('AWS::Lambda::Function', {
    FunctionName: deployedFunctionName('production', row),
  });
  const role = production.resources.find(({ id }) => `\${${id}.Arn}` === rendered(properties.Role));
  if (!role) throw new Error(`${row.entry} has no role`);
  return role;
}

/** Each pair as `service:Action on resource`, with readable names for shared resources. */
function rightsOf(row: FunctionRow): string[] {
  return statementsOf(roleOf(row))
    .flatMap(({ actions, resources }) =>
      actions.flatMap((action) => resources.map((resource) => `${action} on ${readable(resource)}`)),
    )
    .sort();
}

const names = new Map(
  production.resources.flatMap(({ id, type, properties }): [string, string][] => {
    if (type === 'AWS::DynamoDB::Table') return [[`\${${id}.Arn}`, 'the table']];
    if (type === 'AWS::SQS::Queue') return [[`\${${id}.Arn}`, properties.QueueName]];
    if (type === 'AWS::SecretsManager::Secret') return [[`\${${id}}`, properties.Name]];
    if (type === 'AWS::Logs::LogGroup') return [[`\${${id}.Arn}`, properties.LogGroupName]];
    return [];
  }),
);
const readable = (resource: string) => {
  const name = [...names.keys()].find((candidate) => resource.startsWith(candidate));
  return name ? resource.replace(name, names.get(name) ?? '') : resource;
};

const always = (name: string) => [
  `logs:CreateLogStream on /boxoffice/production/${name}`,
  `logs:PutLogEvents on /boxoffice/production/${name}`,
  'xray:PutTelemetryRecords on *',
  'xray:PutTraceSegments on *',
];

/** The only permissions for all resources, since their services support no others. */
const allowedWildcards = [
  // X-Ray has no resources.
  'xray:PutTraceSegments on *',
  'xray:PutTelemetryRecords on *',
  // A batch has no resources; it returns what GetSecretValue allows.
  'secretsmanager:BatchGetSecretValue on *',
  // CodeDeploy asks for alarms without naming them.
  'cloudwatch:DescribeAlarms on *',
];

describe('a function may do', () => {
  it('what its row names: the worker that sends mail, from the stage’s domain and by its configuration set', () => {
    const identity = production.one('AWS::SES::EmailIdentity').id;
    const set = production.one('AWS::SES::ConfigurationSet').id;
    const own = [`configuration-set/\${${set}}`, `identity/\${${identity}}`];
    const sends = rightsOf(rowCalled('workers/send-mail')).filter((right) => right.startsWith('ses:'));
    expect(sends.map((right) => right.replace(/arn:.*:(?=identity|configuration)/, ''))).toEqual(
      ['ses:SendEmail', 'ses:SendRawEmail'].flatMap((action) =>
        own.map((resource) => `${action} on ${resource}`),
      ),
    );
    const others = functions.filter(({ mail }) => !mail).flatMap(rightsOf);
    expect(others.filter((right) => right.startsWith('ses:'))).toEqual([]);
  });

  it('only write its log and traces when its row names nothing', () => {
    expect(rightsOf(rowCalled('health/health'))).toEqual(always('health-health'));
  });

  it('what its row names, on exactly these resources: a reader', () => {
    expect(rightsOf(rowCalled('orders/list-orders'))).toEqual(
      [
        ...always('orders-list-orders'),
        'dynamodb:BatchGetItem on the table',
        'dynamodb:Query on the table/index/byOwner',
        'secretsmanager:BatchGetSecretValue on *',
        'secretsmanager:GetSecretValue on boxoffice/production/JWT_ACCESS_SECRET',
      ].sort(),
    );
  });

  it('what its row names, on exactly these resources: a worker', () => {
    expect(rightsOf(rowCalled('workers/fulfil-orders')).filter((right) => right.startsWith('sqs:'))).toEqual([
      'sqs:ChangeMessageVisibility on boxoffice-production-fulfil',
      'sqs:DeleteMessage on boxoffice-production-fulfil',
      'sqs:GetQueueAttributes on boxoffice-production-fulfil',
      'sqs:ReceiveMessage on boxoffice-production-fulfil',
      'sqs:SendMessage on boxoffice-production-mail',
      'sqs:SendMessage on boxoffice-production-mint',
    ]);
  });

  it.each(functions)('with the table only what its row says: $entry', (row) => {
    const rights = rightsOf(row).filter((right) => right.startsWith('dynamodb:'));
    expect(rights).toEqual(
      [
        ...row.table.map((action) => `dynamodb:${action} on the table`),
        ...(row.indexes ?? []).map((index) => `dynamodb:Query on the table/index/${index}`),
      ].sort(),
    );
  });
});

describe('among all functions', () => {
  const holders = (right: string) =>
    functions.filter((row) => rightsOf(row).includes(right)).map(({ entry }) => entry);
  const reads = (secret: string) =>
    holders(`secretsmanager:GetSecretValue on boxoffice/production/${secret}`);

  it('only the minter reads the minting key', () => {
    expect(reads('MINTER_PRIVATE_KEY')).toEqual(['workers/mint-tickets']);
  });

  it.each(['Sign', 'GetPublicKey'])('only the minter may %s with the minting key in KMS', (action) => {
    const key = 'arn:aws:kms:eu-west-1:111122223333:key/0a1b2c3d-aaaa-bbbb-cccc-123456789012';
    expect(holders(`kms:${action} on ${key}`)).toEqual(['workers/mint-tickets']);
    expect(functions.flatMap(rightsOf).filter((right) => right.startsWith('kms:')).length).toBe(2);
  });

  it.each([
    ['GATEWAY_A_SECRET', 'webhooks/gateway-a', ['webhooks/gateway-b', 'webhooks/gateway-c']],
    ['GATEWAY_B_SECRET_HASH', 'webhooks/gateway-b', ['webhooks/gateway-a', 'webhooks/gateway-c']],
    ['GATEWAY_C_WEBHOOK_SECRET', 'webhooks/gateway-c', ['webhooks/gateway-a', 'webhooks/gateway-b']],
  ])('%s is read by %s, and by no other webhook', (secret, own, others) => {
    expect(reads(secret)).toContain(own);
    for (const other of others) expect(reads(secret)).not.toContain(other);
  });

  it('a webhook’s secret is read by no other function', () => {
    expect(reads('GATEWAY_B_SECRET_HASH')).toEqual(['webhooks/gateway-b']);
    expect(reads('GATEWAY_C_WEBHOOK_SECRET')).toEqual(['webhooks/gateway-c']);
  });

  it('refresh keys are read only by the session functions', () => {
    for (const entry of reads('JWT_REFRESH_SECRET')) expect(entry).toMatch(/^auth\//);
  });

  const readOnly = functions.filter(({ trigger }) => 'route' in trigger && trigger.route.startsWith('GET '));
  it.each(readOnly)('one that answers a GET writes nothing: $entry', (row) => {
    const writes =
      /^(dynamodb:(Put|Update|Delete|Batch(?!Get))|sqs:|secretsmanager:(?!(?:Batch)?GetSecretValue))/;
    const counts: Record<string, string[]> = {
      // A request for an event may contain a code, and unknown codes are counted.
      'events/get-event': ['dynamodb:PutItem on the table', 'dynamodb:UpdateItem on the table'],
      // The circuit breaker of the provider counts failures.
      'payouts/list-banks': ['dynamodb:UpdateItem on the table', 'dynamodb:DeleteItem on the table'],
    };
    const found = rightsOf(row).filter((right) => writes.test(right));
    expect(found.sort()).toEqual((counts[row.entry] ?? []).sort());
  });

  it('no function scans or changes the table itself', () => {
    const items = [
      'GetItem',
      'BatchGetItem',
      'BatchWriteItem',
      'Query',
      'PutItem',
      'UpdateItem',
      'DeleteItem',
      'ConditionCheckItem',
    ];
    const used = functions.flatMap(rightsOf).flatMap((right) => /^dynamodb:(\w+)/.exec(right)?.[1] ?? []);
    expect(used.filter((action) => !items.includes(action))).toEqual([]);
  });
});

describe.each([dev, staging, production])('in $stage', ({ ofType }) => {
  const roles = ofType('AWS::IAM::Role');

  it('only the listed permissions have a wildcard', () => {
    const wild = roles
      .flatMap(statementsOf)
      .flatMap(({ actions, resources }) =>
        actions.flatMap((action) => resources.map((resource) => `${action} on ${resource}`)),
      )
      .filter((right) => right.includes('*'));
    expect([...new Set(wild)].filter((right) => !allowedWildcards.includes(right))).toEqual([]);
    expect(wild.length).toBeGreaterThan(0);
  });

  it('every role has inline policies only', () => {
    for (const role of roles) {
      expect(role.properties.ManagedPolicyArns).toBeUndefined();
      expect(role.properties.Policies).toHaveLength(1);
    }
    expect(ofType('AWS::IAM::Policy')).toEqual([]);
    expect(ofType('AWS::IAM::ManagedPolicy')).toEqual([]);
  });

  it('every function has a role of its own', () => {
    const used = ofType('AWS::Lambda::Function').map(({ properties }) => rendered(properties.Role));
    expect(new Set(used).size).toBe(functions.length);
  });

  it('functions are invoked only by the API’s routes and the schedule', () => {
    for (const { properties } of ofType('AWS::Lambda::Permission')) {
      expect(['apigateway.amazonaws.com', 'events.amazonaws.com']).toContain(properties.Principal);
      expect(properties.SourceArn).toBeDefined();
    }
  });

  it('statements for every principal only deny', () => {
    const policies = [...ofType('AWS::SQS::QueuePolicy'), ...ofType('AWS::SNS::TopicPolicy')];
    const open = policies
      .flatMap(({ properties }) => properties.PolicyDocument.Statement)
      .filter(({ Effect, Principal }) => Effect === 'Allow' && JSON.stringify(Principal).includes('*'));
    expect(policies.length).toBeGreaterThan(0);
    expect(open).toEqual([]);
  });
});
