import { describe, expect, it } from 'vitest';
import { functions } from '../../../infra/functions.ts';
import { dev, production, rendered } from './synthesized.ts';

describe('a deployment', () => {
  const groups = production.ofType('AWS::CodeDeploy::DeploymentGroup');

  it('in production shifts a tenth of the traffic first, and rolls back on alarm', () => {
    expect(groups).toHaveLength(functions.length);
    for (const { properties } of groups) {
      expect(properties.DeploymentConfigName).toBe('CodeDeployDefault.LambdaCanary10Percent5Minutes');
      expect(properties.AlarmConfiguration.Enabled).toBe(true);
      expect(properties.AlarmConfiguration.Alarms).toHaveLength(1);
      expect(properties.AutoRollbackConfiguration.Events).toContain('DEPLOYMENT_STOP_ON_ALARM');
    }
    const aliases = production.ofType('AWS::Lambda::Alias');
    expect(aliases).toHaveLength(functions.length);
    for (const { definition } of aliases)
      expect(definition.UpdatePolicy).toHaveProperty('CodeDeployLambdaAliasUpdate');
  });

  it('shifts all traffic: routes, queues and the schedule invoke the alias', () => {
    const aliases = production.ofType('AWS::Lambda::Alias').map(({ id }) => id);
    const called = [
      ...production
        .ofType('AWS::ApiGatewayV2::Integration')
        .map(({ properties }) => properties.IntegrationUri),
      ...production.ofType('AWS::Lambda::Permission').map(({ properties }) => properties.FunctionName),
      ...production
        .ofType('AWS::Lambda::EventSourceMapping')
        .map(({ properties }) => properties.FunctionName),
      ...production
        .ofType('AWS::Events::Rule')
        .flatMap(({ properties }) => properties.Targets.map((target: { Arn: object }) => target.Arn)),
    ];
    expect(called.length).toBeGreaterThan(functions.length);
    for (const target of called.map(rendered)) {
      expect(
        aliases.filter((id) => target.includes(id)),
        target,
      ).toHaveLength(1);
    }
  });

  it('watches 5xx answers, which Lambda counts as successes', () => {
    const watched = JSON.stringify(
      production.ofType('AWS::CloudWatch::Alarm').filter(({ id }) => /Failing/.test(id)),
    );
    expect(watched).toContain('"Value":"/api/orders/initialize"');
    expect(watched).toContain('5xx');
  });

  it('in dev shifts all traffic immediately', () => {
    expect(dev.ofType('AWS::Lambda::Alias')).toEqual([]);
    expect(dev.resources.filter(({ type }) => type.startsWith('AWS::CodeDeploy'))).toEqual([]);
  });
});
