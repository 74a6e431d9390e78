import { describe, expect, it } from 'vitest';
import { type FunctionRow, functions } from '../../../infra/functions.ts';
import { deployedFunctionName } from '../../../infra/names.ts';
import { type SecretName, secretNames } from '../../../shared/runtime/settings.ts';
import { dev, production, type Resource, render, renderList, staging } from './synthesized.ts';

interface Statement {
  effect: string;
  actions: string[];
  resources: string[];
  /** The beginnings of the partition keys that the statement is limited to. */
  prefixes: string[];
}

const getRow = (entry: string) => {
  const row = functions.find((candidate) => candidate.entry === entry);
  if (!row) throw new Error(`No row ${entry}`);
  return row;
};

/** Returns the statements of a role's inline policies. */
function statementsOf(role: Resource): Statement[] {
  return (role.properties.Policies ?? []).flatMap(
    ({ PolicyDocument }: { PolicyDocument: { Statement: object[] } }) =>
      // biome-ignore lint/suspicious/noExplicitAny: statements are not typed
      PolicyDocument.Statement.map((statement: any) => ({
        effect: statement.Effect,
        actions: renderList(statement.Action),
        resources: renderList(statement.Resource),
        prefixes: statement.Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'] ?? [],
      })),
  );
}

function getRole(row: FunctionRow): Resource {
  const { properties } = production.getOne('AWS::Lambda::Function', {
    FunctionName: deployedFunctionName('production', row),
  });
  const role = production.resources.find(({ id }) => `\${${id}.Arn}` === render(properties.Role));
  if (!role) throw new Error(`${row.entry} has no role`);
  return role;
}

/** Returns a function's permissions as `service:Action on resource`, with names in place of the resources' ARNs. */
function permissionsOf(row: FunctionRow): string[] {
  return statementsOf(getRole(row))
    .flatMap(({ actions, resources, prefixes }) => {
      const limit = prefixes.length > 0 ? `: ${prefixes.join(' ')}` : '';
      return actions.flatMap((action) =>
        resources.map((resource) => `${action} on ${withName(resource)}${limit}`),
      );
    })
    .sort();
}

/** What endpoints that admit API keys may write besides: the use of the key, and the number of its requests. */
const keyPermissions = ({ acceptsKeys }: FunctionRow) =>
  acceptsKeys
    ? ['PutItem', 'UpdateItem'].map(
        (action) => `dynamodb:${action} on the table: API_KEY#* ATTEMPTS#API_KEY#*`,
      )
    : [];

const names = new Map(
  production.resources.flatMap(({ id, type, properties }): [string, string][] => {
    if (type === 'AWS::DynamoDB::Table') return [[`\${${id}.Arn}`, 'the table']];
    if (type === 'AWS::SQS::Queue') return [[`\${${id}.Arn}`, properties.QueueName]];
    if (type === 'AWS::SecretsManager::Secret') return [[`\${${id}}`, properties.Name]];
    if (type === 'AWS::Logs::LogGroup') return [[`\${${id}.Arn}`, properties.LogGroupName]];
    return [];
  }),
);
const withName = (resource: string) => {
  const name = [...names.keys()].find((candidate) => resource.startsWith(candidate));
  return name ? resource.replace(name, names.get(name) ?? '') : resource;
};

const logPermissions = (name: string) => [
  `logs:CreateLogStream on /boxoffice/production/${name}`,
  `logs:PutLogEvents on /boxoffice/production/${name}`,
  'xray:PutTelemetryRecords on *',
  'xray:PutTraceSegments on *',
];

/** The permissions that may have a wildcard, since their services support no resources for them. */
const allowedWildcards = [
  // X-Ray has no resources.
  'xray:PutTraceSegments on *',
  'xray:PutTelemetryRecords on *',
  // CodeDeploy describes all alarms.
  'cloudwatch:DescribeAlarms on *',
];

/** The names of objects contain ids, so only their folder can be named. */
const objectsOfFolder =
  /^s3:(Get|Put|Delete)Object on arn:.+:s3:::boxoffice-\w+-pictures-\$\{AWS::AccountId\}\/(uploads|pictures)\/\*$/;

describe('the permissions', () => {
  it('to send mail cover only the stage’s domain and configuration set, and only functions with `mail` in their row have them', () => {
    const identity = production.getOne('AWS::SES::EmailIdentity').id;
    const set = production.getOne('AWS::SES::ConfigurationSet').id;
    const mailResources = [`configuration-set/\${${set}}`, `identity/\${${identity}}`];
    const sends = permissionsOf(getRow('workers/send-mail')).filter((permission) =>
      permission.startsWith('ses:'),
    );
    expect(sends.map((permission) => permission.replace(/arn:.*:(?=identity|configuration)/, ''))).toEqual(
      ['ses:SendEmail', 'ses:SendRawEmail'].flatMap((action) =>
        mailResources.map((resource) => `${action} on ${resource}`),
      ),
    );
    const others = functions.filter(({ mail }) => !mail).flatMap(permissionsOf);
    expect(others.filter((permission) => permission.startsWith('ses:'))).toEqual([]);
  });

  it('of orders/list-orders are those that its row declares, on exactly these resources', () => {
    expect(permissionsOf(getRow('orders/list-orders'))).toEqual(
      [
        ...logPermissions('orders-list-orders'),
        'dynamodb:BatchGetItem on the table',
        'dynamodb:Query on the table/index/byOwner',
        'secretsmanager:GetSecretValue on boxoffice/production/JWT_ACCESS_SECRET',
        // The stage has a front.
        'secretsmanager:GetSecretValue on boxoffice/production/ORIGIN_SECRET',
      ].sort(),
    );
  });

  it('of workers/fulfil-orders for queues are those that its row declares', () => {
    expect(
      permissionsOf(getRow('workers/fulfil-orders')).filter((permission) => permission.startsWith('sqs:')),
    ).toEqual([
      'sqs:ChangeMessageVisibility on boxoffice-production-fulfil-orders',
      'sqs:DeleteMessage on boxoffice-production-fulfil-orders',
      'sqs:GetQueueAttributes on boxoffice-production-fulfil-orders',
      'sqs:ReceiveMessage on boxoffice-production-fulfil-orders',
      'sqs:SendMessage on boxoffice-production-deliver-webhooks',
      'sqs:SendMessage on boxoffice-production-mint-tickets',
      'sqs:SendMessage on boxoffice-production-send-mail',
    ]);
  });

  it('of workers/deliver-webhooks are its queue and the partitions of webhooks, nothing else', () => {
    expect(permissionsOf(getRow('workers/deliver-webhooks'))).toEqual(
      [
        ...logPermissions('workers-deliver-webhooks'),
        ...['GetItem', 'PutItem', 'Query', 'UpdateItem'].map(
          (action) => `dynamodb:${action} on the table: WEBHOOK#*`,
        ),
        ...[
          'ChangeMessageVisibility',
          'DeleteMessage',
          'GetQueueAttributes',
          'ReceiveMessage',
          'SendMessage',
        ].map((action) => `sqs:${action} on boxoffice-production-deliver-webhooks`),
      ].sort(),
    );
  });

  it('for the bucket are those of the functions of pictures', () => {
    const bucket = `arn:aws:s3:::boxoffice-production-pictures-\${AWS::AccountId}`;
    const found = functions.flatMap((row) =>
      permissionsOf(row)
        .filter((permission) => permission.startsWith('s3:'))
        .map((permission) => `${row.entry}: ${permission.replace(bucket, 'the bucket')}`),
    );
    expect(found.sort()).toEqual([
      'events/get-picture: s3:GetObject on the bucket/pictures/*',
      'events/get-picture: s3:ListBucket on the bucket',
      'events/request-picture: s3:PutObject on the bucket/uploads/*',
      'organizers/request-logo: s3:PutObject on the bucket/uploads/*',
      'workers/resize-pictures: s3:DeleteObject on the bucket/pictures/*',
      'workers/resize-pictures: s3:DeleteObject on the bucket/uploads/*',
      'workers/resize-pictures: s3:GetObject on the bucket/pictures/*',
      'workers/resize-pictures: s3:GetObject on the bucket/uploads/*',
      'workers/resize-pictures: s3:ListBucket on the bucket',
      'workers/resize-pictures: s3:PutObject on the bucket/pictures/*',
    ]);
  });

  it.each(functions)('of $entry for the table are those that its row declares', (row) => {
    const tablePermissions = permissionsOf(row).filter((permission) => permission.startsWith('dynamodb:'));
    expect(tablePermissions).toEqual(
      [
        ...row.table.map(
          (action) =>
            `dynamodb:${action} on the table${row.tablePrefixes ? `: ${row.tablePrefixes.map((prefix) => `${prefix}*`).join(' ')}` : ''}`,
        ),
        ...keyPermissions(row),
        ...(row.indexes ?? []).map((index) => `dynamodb:Query on the table/index/${index}`),
      ].sort(),
    );
  });
});

describe('among all functions', () => {
  const functionsWith = (permission: string) =>
    functions.filter((row) => permissionsOf(row).includes(permission)).map(({ entry }) => entry);
  const readersOf = (secret: string) =>
    functionsWith(`secretsmanager:GetSecretValue on boxoffice/production/${secret}`);

  it('only the minter can read the minting key', () => {
    expect(readersOf('MINTER_PRIVATE_KEY')).toEqual(['workers/mint-tickets']);
  });

  it.each(['Sign', 'GetPublicKey'])('only the minter has kms:%s on the minting keys', (action) => {
    const keys = ['0a1b2c3d-aaaa-bbbb-cccc-123456789012', '4e5f6a7b-aaaa-bbbb-cccc-123456789012'];
    for (const key of keys) {
      const permission = `kms:${action} on arn:aws:kms:eu-west-1:111122223333:key/${key}`;
      expect(functionsWith(permission)).toEqual(['workers/mint-tickets']);
    }
    expect(
      functions.flatMap(permissionsOf).filter((permission) => permission.startsWith('kms:')).length,
    ).toBe(4);
  });

  it('a webhook’s secret can be read by no other webhook', () => {
    const webhooks = readersOf('GATEWAY_A_SECRET').filter((entry) => entry.startsWith('webhooks/'));
    expect(webhooks).toEqual(['webhooks/gateway-a']);
    const rowsWith = (name: SecretName) =>
      functions.filter(({ secrets }) => secrets?.includes(name)).map(({ entry }) => entry);
    expect(rowsWith('GATEWAY_B_SECRET_HASH')).toEqual(['webhooks/gateway-b']);
    expect(rowsWith('GATEWAY_C_WEBHOOK_SECRET')).toEqual(['webhooks/gateway-c']);
  });

  it('no function reads a secret of a gateway without an address on this stage', () => {
    const unused = secretNames.filter((name) => /^GATEWAY_[BC]_/.test(name));
    expect(unused.flatMap(readersOf)).toEqual([]);
    const variables = production
      .ofType('AWS::Lambda::Function')
      .flatMap(({ properties }) => Object.keys(properties.Environment.Variables));
    expect(variables.filter((name) => /^GATEWAY_[BC]_.*_ARN$/.test(name))).toEqual([]);
  });

  it('the refresh key can be read only by functions in auth/', () => {
    for (const entry of readersOf('JWT_REFRESH_SECRET')) expect(entry).toMatch(/^auth\//);
  });

  const readOnly = functions.filter(({ trigger }) => 'route' in trigger && trigger.route.startsWith('GET '));
  it.each(readOnly)('$entry, which answers GET, has no permissions to write', (row) => {
    const writes =
      /^(dynamodb:(Put|Update|Delete|Batch(?!Get))|s3:(Put|Delete)|sqs:|secretsmanager:(?!(?:Batch)?GetSecretValue))/;
    const exceptions: Record<string, string[]> = {
      // The request may contain a discount code, and unknown codes are counted.
      'events/get-event': ['dynamodb:PutItem on the table', 'dynamodb:UpdateItem on the table'],
      // The provider's circuit breaker counts failures.
      'payouts/list-banks': ['dynamodb:UpdateItem on the table', 'dynamodb:DeleteItem on the table'],
    };
    const found = permissionsOf(row).filter((permission) => writes.test(permission));
    expect(found.sort()).toEqual([...(exceptions[row.entry] ?? []), ...keyPermissions(row)].sort());
  });

  it('no function can scan, change or delete the table', () => {
    const itemActions = [
      'GetItem',
      'BatchGetItem',
      'BatchWriteItem',
      'Query',
      'PutItem',
      'UpdateItem',
      'DeleteItem',
      'ConditionCheckItem',
    ];
    const actions = functions
      .flatMap(permissionsOf)
      .flatMap((permission) => /^dynamodb:(\w+)/.exec(permission)?.[1] ?? []);
    expect(actions.filter((action) => !itemActions.includes(action))).toEqual([]);
  });
});

describe.each([dev, staging, production])('in $stage', ({ ofType }) => {
  const roles = ofType('AWS::IAM::Role');

  it('only the permissions in allowedWildcards have a wildcard', () => {
    const wildcards = roles
      .flatMap(statementsOf)
      .flatMap(({ actions, resources }) =>
        actions.flatMap((action) => resources.map((resource) => `${action} on ${resource}`)),
      )
      .filter((permission) => permission.includes('*'));
    const isAllowed = (permission: string) =>
      allowedWildcards.includes(permission) || objectsOfFolder.test(permission);
    expect([...new Set(wildcards)].filter((permission) => !isAllowed(permission))).toEqual([]);
    expect(wildcards.length).toBeGreaterThan(0);
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
    const roleArns = ofType('AWS::Lambda::Function').map(({ properties }) => render(properties.Role));
    expect(new Set(roleArns).size).toBe(functions.length);
  });

  it('functions are invoked only by the API’s routes and the schedule', () => {
    for (const { properties } of ofType('AWS::Lambda::Permission')) {
      expect(['apigateway.amazonaws.com', 'events.amazonaws.com']).toContain(properties.Principal);
      expect(properties.SourceArn).toBeDefined();
    }
  });

  it('queue and topic policies grant nothing to all principals', () => {
    const policies = [...ofType('AWS::SQS::QueuePolicy'), ...ofType('AWS::SNS::TopicPolicy')];
    const allowingAll = policies
      .flatMap(({ properties }) => properties.PolicyDocument.Statement)
      .filter(({ Effect, Principal }) => Effect === 'Allow' && JSON.stringify(Principal).includes('*'));
    expect(policies.length).toBeGreaterThan(0);
    expect(allowingAll).toEqual([]);
  });
});
