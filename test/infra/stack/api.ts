import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { Stack, Validations } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import { functions } from '../../../infra/functions.ts';
import { Cors } from '../../../infra/local/http/api-gateway.ts';
import { dev, getFunction, optional, production, render, stages, staging } from './synthesized.ts';

describe('the APIs', () => {
  const apisOf = (stack: typeof production) => {
    const find = (name: string) => {
      const api = stack.getOne('AWS::ApiGatewayV2::Api', { Name: name });
      const ofApi = ({ properties }: { properties: { ApiId: object } }) =>
        render(properties.ApiId) === `\${${api.id}}`;
      const [stage] = stack.ofType('AWS::ApiGatewayV2::Stage').filter(ofApi);
      if (!stage) throw new Error(`${name} has no stage`);
      return {
        ...api,
        stage: stage.properties,
        routes: stack.ofType('AWS::ApiGatewayV2::Route').filter(ofApi),
      };
    };
    return { buyers: find(`boxoffice-${stack.stage}`), webhooks: find(`boxoffice-${stack.stage}-webhooks`) };
  };
  const { buyers, webhooks } = apisOf(production);
  const { stage } = buyers;

  it('have the routes of infra/functions.ts, each with its own function; those of webhooks have an API of their own', () => {
    const expected = functions.flatMap(({ trigger }) => ('route' in trigger ? [trigger.route] : []));
    const keysOf = ({ routes }: typeof buyers) => routes.map(({ properties }) => properties.RouteKey).sort();
    const isWebhook = (route: string) => route.includes('/api/webhooks/');
    expect(keysOf(buyers)).toEqual(expected.filter((route) => !isWebhook(route)).sort());
    expect(keysOf(webhooks)).toEqual(expected.filter(isWebhook).sort());
    const targets = [buyers, webhooks].flatMap(({ routes }) =>
      routes.map(({ properties }) => render(properties.Target)),
    );
    expect(new Set(targets).size).toBe(expected.length);
  });

  it('limit the rate of webhooks separately from other routes', () => {
    expect(stage.DefaultRouteSettings).toEqual({
      ThrottlingRateLimit: 2_000,
      ThrottlingBurstLimit: 4_000,
      DetailedMetricsEnabled: true,
    });
    expect(webhooks.stage.DefaultRouteSettings).toEqual({
      ThrottlingRateLimit: 1_000,
      ThrottlingBurstLimit: 2_000,
      DetailedMetricsEnabled: true,
    });
  });

  it('have detailed metrics of buyers’ routes only with canaries, which need them', () => {
    const ofDev = apisOf(dev);
    expect(ofDev.buyers.stage.DefaultRouteSettings.DetailedMetricsEnabled).toBe(false);
    expect(ofDev.webhooks.stage.DefaultRouteSettings.DetailedMetricsEnabled).toBe(true);
  });

  it('have addresses in the outputs: the front’s for the API behind it, and that of the webhooks', () => {
    const root = production.templates.get(production.stack.templateFile);
    const outputOf = (name: string) => root.Outputs[name].Value;
    expect(outputOf('ApiUrl')).toBe('https://tickets.boxoffice.test');
    expect(render(outputOf('WebhookUrl'))).toContain(`\${${webhooks.id}.ApiEndpoint}`);
    expect(apisOf(optional).webhooks.properties.DisableExecuteApiEndpoint).toBe(true);
    expect(
      optional.getOne('AWS::ApiGatewayV2::DomainName', { DomainName: 'hooks.boxoffice.test' }),
    ).toBeDefined();
  });

  it('behind a front demand its secret of everything but webhooks, health, the reference and preflights', () => {
    const variablesOf = (entry: string, stack = production) =>
      getFunction(stack, entry).properties.Environment.Variables;
    const open = functions.filter(
      ({ entry, trigger }) => 'route' in trigger && !variablesOf(entry).REQUIRE_FRONT,
    );
    expect(open.map(({ entry }) => entry.replace(/\/.*/, '')).sort()).toEqual([
      'docs',
      'docs',
      'docs',
      'health',
      'health',
      'health',
      'webhooks',
      'webhooks',
      'webhooks',
    ]);
    expect(variablesOf('events/get-event')).toHaveProperty('ORIGIN_SECRET_ARN');
    expect(variablesOf('events/get-event', dev).REQUIRE_FRONT).toBeUndefined();
  });

  it('reserves concurrency for orders, the door, the sweep, workers and webhooks of configured gateways in production, and none in dev', () => {
    const reservedOf = (entry: string, stack = production) =>
      getFunction(stack, entry).properties.ReservedConcurrentExecutions;
    // The stage has no address of gateway-b and gateway-c.
    const reserved: Record<string, number> = {
      'webhooks/gateway-a': 100,
      'orders/initialize-order': 400,
      'tickets/check-in': 50,
      'workers/sweep': 2,
    };
    for (const { entry, trigger } of functions) {
      const expected = 'queue' in trigger ? trigger.maxConcurrency : reserved[entry];
      expect(reservedOf(entry), entry).toBe(expected);
      expect(reservedOf(entry, dev), entry).toBeUndefined();
    }
  });

  it('logs every request without the caller’s identity', () => {
    const format = JSON.parse(stage.AccessLogSettings.Format);
    expect(format).toMatchObject({
      requestId: '$context.requestId',
      route: '$context.routeKey',
      status: '$context.status',
    });
    expect(JSON.stringify(format)).not.toMatch(/identity|authorizer|\.path|header|domain/i);
    const log = production.resources.find(
      ({ id }) => render(stage.AccessLogSettings.DestinationArn) === `\${${id}.Arn}`,
    );
    expect(log?.properties.RetentionInDays).toBe(90);
  });

  it('allows the configured origins with credentials', () => {
    const { CorsConfiguration: cors } = buyers.properties;
    expect(cors).toMatchObject({ AllowCredentials: true, AllowOrigins: ['https://tickets.boxoffice.test'] });
    expect(JSON.stringify(cors)).not.toContain('*');
  });

  it('has the CORS settings of the local stack', () => {
    const { CorsConfiguration: cors } = buyers.properties;
    const origin = cors.AllowOrigins[0];
    const local = new Cors(origin).headers('OPTIONS', { origin, 'access-control-request-method': 'POST' });
    expect(local).toMatchObject({
      'access-control-allow-methods': cors.AllowMethods.join(),
      'access-control-allow-headers': cors.AllowHeaders.join(),
      'access-control-expose-headers': cors.ExposeHeaders.join(),
      'access-control-max-age': String(cors.MaxAge),
    });
  });

  it('is served only at its custom domain when it has one', () => {
    expect(buyers.properties.DisableExecuteApiEndpoint).toBe(true);
    expect(webhooks.properties.DisableExecuteApiEndpoint).toBe(false);
    expect(production.getOne('AWS::ApiGatewayV2::DomainName').properties).toMatchObject({
      DomainName: 'api.boxoffice.test',
      DomainNameConfigurations: [{ CertificateArn: stages.production.domain?.certificateArn }],
    });
    expect(production.ofType('AWS::ApiGatewayV2::ApiMapping')).toHaveLength(1);
    expect(apisOf(dev).buyers.properties.DisableExecuteApiEndpoint).toBe(false);
    expect(dev.ofType('AWS::ApiGatewayV2::DomainName')).toEqual([]);
  });
});

const variablesOf = (entry: string) => getFunction(production, entry).properties.Environment.Variables;

describe('a row of infra/functions.ts', () => {
  it.each(functions)('$entry is a function on arm64 with its own log group', (row) => {
    const { properties } = getFunction(production, row.entry);
    expect(properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
      Timeout: row.timeoutSeconds,
      MemorySize: row.memoryMegabytes,
      TracingConfig: { Mode: 'Active' },
      LoggingConfig: { LogFormat: 'JSON' },
    });
    // Lambda limits names to 64 characters, and API Gateway limits responses to 30 s.
    expect(properties.FunctionName.length).toBeLessThanOrEqual(64);
    if ('route' in row.trigger) expect(properties.Timeout).toBeLessThan(30);
    const log = production.resources.find(
      ({ id }) => `\${${id}}` === render(properties.LoggingConfig.LogGroup),
    );
    expect(log?.properties.RetentionInDays).toBe(90);
  });

  it('has only the environment variables that it declares', () => {
    expect(variablesOf('health/health')).toEqual({
      METRICS_NAMESPACE: 'boxoffice-production',
    });
    const variables = variablesOf('workers/mint-tickets');
    expect(Object.keys(variables)).toEqual(
      expect.arrayContaining([
        'TABLE_NAME',
        'MINT_TICKETS_QUEUE_URL',
        'STAGE',
        'MINTER_PRIVATE_KEY_ARN',
        'CHAIN_137_RPC_URLS_ARN',
      ]),
    );
    expect(variables).not.toHaveProperty('JWT_ACCESS_SECRET_ARN');
    expect(variables.STAGE).toBe('production');
  });

  it('sets VERIFY_WITH_GATEWAY to true in deployed stages when it declares the setting', () => {
    for (const webhook of functions.filter(({ settings }) => settings?.includes('VERIFY_WITH_GATEWAY'))) {
      expect(variablesOf(webhook.entry).VERIFY_WITH_GATEWAY).toBe('true');
    }
  });
});

describe('templates', () => {
  it.each([dev, staging, production])(
    'of $stage stay below half of CloudFormation’s limits',
    ({ templates }) => {
      for (const [name, template] of templates) {
        expect(Object.keys(template.Resources).length, name).toBeLessThan(250);
        expect(JSON.stringify(template).length, name).toBeLessThan(500_000);
      }
    },
  );
});

const synthesizedStages = [dev, staging, production];

describe('cdk-nag with the rules AwsSolutions', () => {
  it.each(synthesizedStages)('has no findings in $stage', ({ app }) => {
    expect(new AwsSolutionsChecks(app).validateScope(app).violations).toEqual([]);
  });

  it('has findings for a bucket with default settings', () => {
    const stack = new Stack();
    new Bucket(stack, 'Bucket');
    expect(new AwsSolutionsChecks(stack).validateScope(stack).success).toBe(false);
  });

  it('suppresses only the listed rules, each with a reason', () => {
    const suppressible = [
      /AwsSolutions-APIG4$/,
      /AwsSolutions-IAM5\[Resource::\*\]$/,
      /AwsSolutions-IAM5\[Resource::.*:s3:::boxoffice-\w+-pictures-.*\/(uploads|pictures)\/\*\]$/,
      /AwsSolutions-S1$/,
      /AwsSolutions-SMG4$/,
      /AwsSolutions-SQS3$/,
    ];
    for (const { app } of synthesizedStages) {
      const acknowledged = app.node
        .findAll()
        .flatMap((node) => node.node.metadata)
        .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
        .flatMap(({ data }) => Object.entries(data as Record<string, string>));
      for (const [id, reason] of acknowledged) {
        expect(
          suppressible.some((rule) => rule.test(id)),
          id,
        ).toBe(true);
        expect(String(reason).length).toBeGreaterThan(40);
      }
      expect(acknowledged.length).toBeGreaterThan(0);
    }
  });
});

const isInstalled = spawnSync('cfn-lint', ['--version']).status === 0;

describe(isInstalled ? 'cfn-lint' : 'cfn-lint is not installed: its checks are skipped', () => {
  const timeout = 5 * 60_000;
  // The other stages have a part of its resources.
  it.skipIf(!isInstalled)(
    'accepts the templates of production',
    () => {
      const { directory, templates } = production;
      const files = [...templates.keys()].map((name) => path.join(directory, name));
      // W3005 reports dependencies that the CDK writes although references imply them.
      const { stdout, status } = spawnSync('cfn-lint', ['--ignore-checks', 'W3005', '--', ...files], {
        encoding: 'utf8',
      });
      expect({ stdout, status }).toEqual({ stdout: '', status: 0 });
    },
    timeout,
  );
});
