import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import { functions } from '../../../infra/functions.ts';
import { functionStackName } from '../../../infra/stack.ts';
import { dev, getFunction, optional, production, render, stages, synthesize } from './synthesized.ts';

interface Metrics {
  Metrics: {
    Id: string;
    Expression?: string;
    MetricStat?: { Metric: { Dimensions: { Name: string }[] } };
  }[];
}

describe('a deployment', () => {
  const groups = production.ofType('AWS::CodeDeploy::DeploymentGroup');
  const first = synthesize(stages.production, { isFirst: true });
  const hotfix = synthesize(stages.production, { shiftsTrafficAtOnce: true, isPaused: true });

  it('in production shifts a tenth of the traffic first, and rolls back on an alarm', () => {
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

  it('shifts the traffic of routes, queues and the schedule, which all invoke the alias', () => {
    const aliases = production.ofType('AWS::Lambda::Alias').map(({ id }) => id);
    const invoked = [
      ...production
        .ofType('AWS::ApiGatewayV2::Integration')
        .map(({ properties }) => properties.IntegrationUri),
      ...production.ofType('AWS::Lambda::Permission').map(({ properties }) => properties.FunctionName),
      ...production
        .ofType('AWS::Lambda::EventSourceMapping')
        .map(({ properties }) => properties.FunctionName),
      ...production
        .ofType('AWS::Events::Rule')
        .filter(({ id, properties }) => properties.ScheduleExpression && !id.startsWith('MinterBalances'))
        .flatMap(({ properties }) => properties.Targets.map((target: { Arn: object }) => target.Arn)),
    ];
    expect(invoked.length).toBeGreaterThan(functions.length);
    for (const target of invoked.map(render)) {
      expect(
        aliases.filter((id) => target.includes(id)),
        target,
      ).toHaveLength(1);
    }
  });

  it('watches 5xx responses, which Lambda does not count as errors', () => {
    const watched = JSON.stringify(
      production.ofType('AWS::CloudWatch::Alarm').filter(({ id }) => /Failing/.test(id)),
    );
    expect(watched).toContain('"Value":"/api/orders/initialize"');
    expect(watched).toContain('5xx');
  });

  it('computes the error rates of the new version and of the old version separately', () => {
    const { properties } = production
      .ofType('AWS::CloudWatch::Alarm')
      .find(({ id }) => /^ordersinitializeorder.*Failing/.test(id)) as { properties: Metrics };
    const versions = properties.Metrics.filter(({ MetricStat }) =>
      MetricStat?.Metric.Dimensions.some(({ Name }) => Name === 'ExecutedVersion'),
    );
    expect(versions.map(({ Id }) => Id).sort()).toEqual(['newCalls', 'newErrors']);
    const { Expression } = properties.Metrics.find(({ Id }) => Id.startsWith('expr')) ?? {};
    expect(Expression).toContain('(FILL(errors, 0) - FILL(newErrors, 0))');
    expect(Expression).toContain('100 * FILL(newErrors, 0) / FILL(newCalls, 0)');
  });

  it('of a hotfix shifts all traffic at once', () => {
    for (const { properties } of hotfix.ofType('AWS::CodeDeploy::DeploymentGroup')) {
      expect(properties.DeploymentConfigName).toBe('CodeDeployDefault.LambdaAllAtOnce');
      expect(properties.AlarmConfiguration.Enabled).toBe(true);
    }
  });

  it('can pause a stage: the API throttles every request, and queues and the schedule invoke no function', () => {
    const apiStages = hotfix.ofType('AWS::ApiGatewayV2::Stage');
    expect(apiStages).toHaveLength(2);
    for (const { properties } of apiStages) {
      expect(properties.DefaultRouteSettings).toMatchObject({
        ThrottlingRateLimit: 0,
        ThrottlingBurstLimit: 0,
      });
    }
    const enabledStates = (stack: typeof production) => [
      ...stack.ofType('AWS::Lambda::EventSourceMapping').map(({ properties }) => properties.Enabled),
      ...stack
        .ofType('AWS::Events::Rule')
        .filter(({ properties }) => properties.ScheduleExpression)
        .map(({ properties }) => properties.State === 'ENABLED'),
    ];
    expect(enabledStates(hotfix).every((state) => state === false)).toBe(true);
    expect(enabledStates(production).every((state) => state === true)).toBe(true);
  });

  /** Returns the most nested stacks, and the most functions, that CloudFormation may deploy at the same time. */
  const countConcurrent = ({ ofType }: typeof production) => {
    const dependencies = new Map(
      ofType('AWS::CloudFormation::Stack').map(({ id, definition }): [string, string[]] => [
        id,
        [definition.DependsOn ?? []].flat().filter((name: string) => /NestedStack/.test(name)),
      ]),
    );
    const waitsFor = (id: string): string[] =>
      (dependencies.get(id) ?? []).flatMap((name) => [name, ...waitsFor(name)]);
    const sizeOf = (id: string) =>
      functions.filter((row) => id.startsWith(`${functionStackName(row)}NestedStack`)).length;
    const areIndependent = (one: string, other: string) =>
      !waitsFor(one).includes(other) && !waitsFor(other).includes(one);
    const sets: string[][] = [[]];
    for (const id of dependencies.keys()) {
      const others = sets.filter((set) => set.every((other) => areIndependent(id, other)));
      sets.push(...others.map((set) => [...set, id]));
    }
    return {
      stacks: Math.max(...sets.map((set) => set.length)),
      functions: Math.max(...sets.map((set) => set.reduce((sum, id) => sum + sizeOf(id), 0))),
    };
  };

  it.each([
    ['of dev', dev],
    ['for the first time', first],
    ['of a hotfix', hotfix],
  ])('%s creates one nested stack after another, within the request rate of API Gateway', (_, stack) => {
    expect(countConcurrent(stack).stacks).toBe(1);
  });

  it('starts the canaries of at most 32 functions at once, within the request rate of Lambda', () => {
    const { stacks: concurrentStacks, functions: concurrentFunctions } = countConcurrent(production);
    expect(concurrentStacks).toBe(2);
    expect(concurrentFunctions).toBeGreaterThan(15);
    expect(concurrentFunctions).toBeLessThanOrEqual(32);
  });

  it('protects production from deletion, except in a first deployment, so that a failed one can be repeated', () => {
    const protection = (stack: typeof production) => [
      stack.stack.terminationProtection,
      stack.getOne('AWS::DynamoDB::Table').properties.DeletionProtectionEnabled,
    ];
    expect(protection(first)).toEqual([false, false]);
    expect(protection(production)).toEqual([true, true]);
    const namedResources = production.resources.filter(
      ({ type }) => type === 'AWS::Logs::LogGroup' || type === 'AWS::SecretsManager::Secret',
    );
    expect(namedResources.length).toBeGreaterThan(functions.length);
    for (const { definition, id } of namedResources) {
      expect(definition.DeletionPolicy, id).toBe('RetainExceptOnCreate');
    }
  });

  it('retains no resource of a failed first deployment, so that the names can be used again', () => {
    for (const { definition, id } of first.resources) {
      expect([undefined, 'Delete'], id).toContain(definition.DeletionPolicy);
    }
    const idsOf = ({ resources }: typeof production) =>
      resources.map(({ id, type }) => `${type} ${id}`).sort();
    // The second deployment creates and removes no resource: it only turns on the protections.
    expect(idsOf(first)).toEqual(idsOf(production));
  });

  it('warms the table only after the first one, since AWS charges for each new table', () => {
    const warmOf = (stack: typeof production) =>
      stack.getOne('AWS::DynamoDB::Table').properties.WarmThroughput;
    expect(warmOf(first)).toBeUndefined();
    expect(warmOf(production)).toBeDefined();
  });

  it('provisions concurrency for the configured functions, always or between two times', () => {
    const provisioned = optional
      .ofType('AWS::Lambda::Alias')
      .filter(({ properties }) => properties.ProvisionedConcurrencyConfig);
    expect(provisioned.map(({ id }) => id.replace(/Live.*/, ''))).toEqual([
      'eventsgetevent',
      'ordersinitializeorder',
    ]);
    for (const { properties } of provisioned) {
      expect(properties.ProvisionedConcurrencyConfig.ProvisionedConcurrentExecutions).toBe(50);
    }
    const sale = { from: '2026-12-01T09:30:00Z', until: '2026-12-01T12:00:00Z' };
    const [scheduled] = synthesize({
      ...stages.production,
      provisionedConcurrency: { entries: ['events/get-event'], executions: 50, ...sale },
    }).ofType('AWS::ApplicationAutoScaling::ScalableTarget');
    expect(scheduled?.properties).toMatchObject({
      MinCapacity: 0,
      ScheduledActions: [
        { Schedule: 'at(2026-12-01T09:30:00)', ScalableTargetAction: { MinCapacity: 50, MaxCapacity: 50 } },
        { Schedule: 'at(2026-12-01T12:00:00)', ScalableTargetAction: { MinCapacity: 0, MaxCapacity: 0 } },
      ],
    });
    expect(production.ofType('AWS::ApplicationAutoScaling::ScalableTarget')).toEqual([]);
  });

  it('does not retry failed calls of the schedule, since the next call follows within a minute', () => {
    const sweep = getFunction(production, 'workers/sweep');
    const { properties } = production.getOne('AWS::Lambda::EventInvokeConfig');
    expect(properties).toMatchObject({ MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 });
    expect(render(properties.FunctionName)).toContain(sweep.id);
    expect(dev.ofType('AWS::Lambda::EventInvokeConfig')).toHaveLength(1);
  });

  it('sends failed calls of the schedule to a queue, which has an alarm', () => {
    const queue = production.getOne('AWS::SQS::Queue', {
      QueueName: 'boxoffice-production-failed-schedules',
    });
    const { DestinationConfig } = production.getOne('AWS::Lambda::EventInvokeConfig').properties;
    expect(render(DestinationConfig.OnFailure.Destination)).toContain(queue.id);
    expect(
      production.getOne('AWS::CloudWatch::Alarm', { AlarmName: 'boxoffice-production-failed-schedules' })
        .properties.Dimensions,
    ).toEqual([{ Name: 'QueueName', Value: 'boxoffice-production-failed-schedules' }]);
  });

  it('asks the minting worker for the balances on each chain every five minutes, also before the first mint', () => {
    const { properties } = production.getOne('AWS::Events::Rule', { ScheduleExpression: 'rate(5 minutes)' });
    const queue = production.getOne('AWS::SQS::Queue', { QueueName: 'boxoffice-production-mint-tickets' });
    expect(properties.Targets).toEqual([
      expect.objectContaining({
        Arn: { 'Fn::GetAtt': [queue.id, 'Arn'] },
        Input: '{"type":"report-balances","chainId":137}',
      }),
    ]);
  });

  it('backs the table up daily into a locked vault, where the stage wants it', () => {
    expect(production.ofType('AWS::Backup::BackupVault')).toEqual([]);
    expect(optional.getOne('AWS::Backup::BackupVault').properties.LockConfiguration).toEqual({
      MinRetentionDays: 90,
      ChangeableForDays: 7,
    });
    const [rule] = optional.getOne('AWS::Backup::BackupPlan').properties.BackupPlan.BackupPlanRule;
    expect(rule).toMatchObject({
      Lifecycle: { DeleteAfterDays: 90 },
      ScheduleExpression: 'cron(0 3 * * ? *)',
    });
    const [backedUp] = optional.getOne('AWS::Backup::BackupSelection').properties.BackupSelection.Resources;
    expect(JSON.stringify(backedUp)).toContain(optional.getOne('AWS::DynamoDB::Table').id);
  });

  it('buys a ticket every five minutes with a function without permissions, where the stage wants it', () => {
    const name = 'boxoffice-production-synthetic-purchase';
    const buyer = optional.getOne('AWS::Lambda::Function', { FunctionName: name });
    expect(buyer.properties.Environment.Variables).toEqual({ API_URL: 'https://tickets.boxoffice.test' });
    const role = optional.resources.find(({ id }) => `\${${id}.Arn}` === render(buyer.properties.Role));
    expect(JSON.stringify(role?.properties.Policies)).not.toMatch(/dynamodb|sqs|secrets/);
    expect(optional.getOne('AWS::CloudWatch::Alarm', { AlarmName: name }).properties.AlarmActions).toEqual([
      { Ref: optional.getOne('AWS::SNS::Topic', { TopicName: 'boxoffice-production-alarms' }).id },
    ]);
    expect(production.ofType('AWS::Lambda::Function')).toHaveLength(functions.length);
  });

  it('traces calls of the table and of providers, where the stage wants it', () => {
    const traces = (stack: typeof production) =>
      getFunction(stack, 'orders/initialize-order').properties.Environment.Variables.TRACE_CALLS;
    expect([traces(optional), traces(production)]).toEqual(['true', undefined]);
  });

  it('has no cdk-nag findings with the optional parts', () => {
    expect(new AwsSolutionsChecks(optional.app).validateScope(optional.app).violations).toEqual([]);
  });

  it('disables Lambda’s recursive loop detection only for workers that send to their own queue', () => {
    for (const row of functions) {
      const sendsToOwnQueue = 'queue' in row.trigger && row.sends?.includes(row.trigger.queue);
      expect(getFunction(production, row.entry).properties.RecursiveLoop, row.entry).toBe(
        sendsToOwnQueue ? 'Allow' : 'Terminate',
      );
    }
  });

  it('in dev shifts all traffic immediately', () => {
    expect(dev.ofType('AWS::Lambda::Alias')).toEqual([]);
    expect(dev.resources.filter(({ type }) => type.startsWith('AWS::CodeDeploy'))).toEqual([]);
  });
});
