import { describe, expect, it } from 'vitest';
import { functions } from '../../../infra/functions.ts';
import { Cors } from '../../../infra/local/http/api-gateway.ts';
import { functionStackName } from '../../../infra/stack.ts';
import { dev, getFunction, production, render, stages } from './synthesized.ts';

describe('the API', () => {
  const { properties: stage, definition } = production.getOne('AWS::ApiGatewayV2::Stage');
  const routes = production.ofType('AWS::ApiGatewayV2::Route');

  it('has the routes of infra/functions.ts, each with its own function', () => {
    const expected = functions.flatMap(({ trigger }) => ('route' in trigger ? [trigger.route] : []));
    expect(routes.map(({ properties }) => properties.RouteKey).sort()).toEqual([...expected].sort());
    const targets = routes.map(({ properties }) => render(properties.Target));
    expect(new Set(targets).size).toBe(expected.length);
  });

  it('limits the rate of each webhook route separately from other routes', () => {
    expect(stage.DefaultRouteSettings).toEqual({
      ThrottlingRateLimit: 2_000,
      ThrottlingBurstLimit: 4_000,
      DetailedMetricsEnabled: true,
    });
    const webhooks = routes
      .map(({ properties }) => properties.RouteKey)
      .filter((key) => key.includes('/webhooks/'));
    expect(Object.keys(stage.RouteSettings).sort()).toEqual(webhooks.sort());
    for (const settings of Object.values(stage.RouteSettings)) {
      expect(settings).toEqual({
        ThrottlingRateLimit: 1_000,
        ThrottlingBurstLimit: 2_000,
        DetailedMetricsEnabled: true,
      });
    }
    // CloudFormation refuses a stage with settings of a route that does not exist yet.
    for (const row of functions.filter(({ entry }) => entry.startsWith('webhooks/')))
      expect(definition.DependsOn.join()).toContain(functionStackName(row));
  });

  it('has detailed metrics of every route only in production, where canaries need them', () => {
    const { DefaultRouteSettings, RouteSettings } = dev.getOne('AWS::ApiGatewayV2::Stage').properties;
    expect(DefaultRouteSettings.DetailedMetricsEnabled).toBe(false);
    for (const settings of Object.values(RouteSettings)) {
      expect(settings).toMatchObject({ DetailedMetricsEnabled: true });
    }
  });

  it('reserves concurrency for webhooks and workers in production, and none in dev', () => {
    const reservedOf = (entry: string, stack = production) =>
      getFunction(stack, entry).properties.ReservedConcurrentExecutions;
    for (const { entry, trigger } of functions) {
      const expected = entry.startsWith('webhooks/')
        ? 100
        : 'queue' in trigger
          ? trigger.maxConcurrency
          : undefined;
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
    const { CorsConfiguration: cors } = production.getOne('AWS::ApiGatewayV2::Api').properties;
    expect(cors).toMatchObject({ AllowCredentials: true, AllowOrigins: ['https://tickets.boxoffice.test'] });
    expect(JSON.stringify(cors)).not.toContain('*');
  });

  it('has the CORS settings of the local stack', () => {
    const { CorsConfiguration: cors } = production.getOne('AWS::ApiGatewayV2::Api').properties;
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
    expect(production.getOne('AWS::ApiGatewayV2::Api').properties.DisableExecuteApiEndpoint).toBe(true);
    expect(production.getOne('AWS::ApiGatewayV2::DomainName').properties).toMatchObject({
      DomainName: 'api.boxoffice.test',
      DomainNameConfigurations: [{ CertificateArn: stages.production.domain?.certificateArn }],
    });
    expect(production.ofType('AWS::ApiGatewayV2::ApiMapping')).toHaveLength(1);
    expect(dev.getOne('AWS::ApiGatewayV2::Api').properties.DisableExecuteApiEndpoint).toBe(false);
    expect(dev.ofType('AWS::ApiGatewayV2::DomainName')).toEqual([]);
  });
});
