import { Stack } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import {
  Alarm,
  type AlarmBase,
  AlarmRule,
  AlarmState,
  ComparisonOperator,
  CompositeAlarm,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { FilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { metricsNamespace, stackName } from '../../names.ts';
import type { StageConfiguration } from '../../stages.ts';
import { type AlarmSpec, listAlarms } from './alarm-list.ts';
import { burnRates, dashboardLink, listObjectives, type MonitoredStage, type Objective } from './metrics.ts';

/** The alarms of a stage, which notify one of two topics. */
export class Alarms extends Construct {
  readonly all: readonly AlarmBase[];
  /** Receives the alarms that need somebody at once. */
  readonly pages: ITopic;
  /** Receives the alarms that can wait for the next working day. */
  readonly tickets: ITopic;
  readonly #monitored: MonitoredStage;

  constructor(scope: Construct, monitored: MonitoredStage, accessLog: LogGroup) {
    super(scope, 'Alarms');
    this.#monitored = monitored;
    countThrottledRequests(this, metricsNamespace(monitored.stage.name), accessLog);
    const { name, alarmEmail, ticketEmail = alarmEmail } = monitored.stage;
    this.pages = createTopic(this, 'Pages', `${stackName(name)}-alarms`, alarmEmail);
    this.tickets = createTopic(this, 'Tickets', `${stackName(name)}-tickets`, ticketEmail);
    this.all = [
      ...listObjectives(monitored).flatMap((objective) => this.#createBurnRateAlarms(objective)),
      ...listAlarms(monitored).map((spec) => this.#createAlarm(spec)),
    ];
  }

  #createAlarm(spec: AlarmSpec): Alarm {
    const [threshold, comparisonOperator] = thresholdOf(spec);
    const alarm = new Alarm(this, spec.name, {
      alarmName: this.#alarmName(spec.name),
      alarmDescription: this.#describe(spec),
      metric: spec.metric,
      threshold,
      comparisonOperator,
      evaluationPeriods: 1,
      treatMissingData: spec.missingData ?? TreatMissingData.NOT_BREACHING,
    });
    notifyAbout(alarm, spec.pages ? this.pages : this.tickets);
    return alarm;
  }

  #createBurnRateAlarms({ name, description, budgetPercent, failedPercent }: Objective): CompositeAlarm[] {
    return burnRates.map(({ suffix, factor, windows, pages }) => {
      const windowAlarms = windows.map(
        (window) =>
          new Alarm(this, `${name}-${window.toMinutes()}m`, {
            alarmName: this.#alarmName(`${name}-${window.toMinutes()}m`),
            alarmDescription: `A part of ${this.#alarmName(`${name}-${suffix}`)}`,
            metric: failedPercent(window),
            threshold: factor * budgetPercent,
            comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
            evaluationPeriods: 1,
            treatMissingData: TreatMissingData.NOT_BREACHING,
          }),
      );
      const burnRateText = `The error budget is consumed at more than ${factor} times the sustainable rate.`;
      const alarm = new CompositeAlarm(this, `${name}-${suffix}`, {
        compositeAlarmName: this.#alarmName(`${name}-${suffix}`),
        alarmDescription: this.#describe({ name, description: `${description} ${burnRateText}` }),
        alarmRule: AlarmRule.allOf(
          ...windowAlarms.map((part) => AlarmRule.fromAlarm(part, AlarmState.ALARM)),
        ),
      });
      notifyAbout(alarm, pages ? this.pages : this.tickets);
      return alarm;
    });
  }

  #alarmName(name: string): string {
    return `${stackName(this.#monitored.stage.name)}-${name}`;
  }

  /** Returns an alarm's description: its meaning, a link to its runbook, and a link to the console. */
  #describe(spec: Pick<AlarmSpec, 'name' | 'description' | 'runbook' | 'console'>): string {
    const { stage } = this.#monitored;
    const { name, description, runbook = name, console = dashboardLink(stage.name) } = spec;
    return `${description}\nRunbook: ${stage.runbook ?? 'docs/operations.md'}#${runbook}\nConsole: ${console}`;
  }
}

function thresholdOf({ name, reaches, above, below }: AlarmSpec): [number, ComparisonOperator] {
  if (reaches !== undefined) return [reaches, ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD];
  if (above !== undefined) return [above, ComparisonOperator.GREATER_THAN_THRESHOLD];
  if (below !== undefined) return [below, ComparisonOperator.LESS_THAN_THRESHOLD];
  throw new Error(`The alarm ${name} has no threshold`);
}

/**
 * Counts the requests that API Gateway throttles, for which it has no metric. Their log lines have no integration
 * status, since API Gateway throttles before it invokes a function.
 */
function countThrottledRequests(scope: Construct, metricNamespace: string, logGroup: LogGroup): void {
  new MetricFilter(scope, 'Throttled', {
    logGroup,
    metricNamespace,
    metricName: 'RequestsThrottled',
    filterPattern: FilterPattern.all(
      FilterPattern.stringValue('$.status', '=', '429'),
      FilterPattern.stringValue('$.integrationStatus', '=', '-'),
    ),
  });
}

/** Creates an SNS topic for alarms, to which an address is subscribed. Others can be added. */
function createTopic(scope: Construct, id: string, topicName: string, email: string | undefined): Topic {
  const topic = new Topic(scope, id, { topicName, enforceSSL: true });
  // A topic with its own policy loses the default policy, which allows CloudWatch to publish. This statement allows
  // it again, and allows AWS Budgets.
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: ['cloudwatch', 'budgets'].map((name) => new ServicePrincipal(`${name}.amazonaws.com`)),
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
    }),
  );
  if (email) topic.addSubscription(new EmailSubscription(email));
  return topic;
}

/** Notifies the topic when the alarm fires, and when it ends. */
function notifyAbout(alarm: AlarmBase, topic: ITopic): void {
  const action = new SnsAction(topic);
  alarm.addAlarmAction(action);
  alarm.addOkAction(action);
}

/**
 * Creates a budget that notifies the alarm topic when the month's costs exceed 80 % of the stage's monthly budget, and
 * when their forecast exceeds all of it. It includes the resources with the stage's tag, once the tag is activated for
 * cost allocation.
 */
export function createBudget(
  scope: Construct,
  { name, monthlyBudget }: StageConfiguration,
  topic: ITopic,
): void {
  if (monthlyBudget === undefined) return;
  const subscribers = [{ subscriptionType: 'SNS', address: topic.topicArn }];
  const notify = (notificationType: 'ACTUAL' | 'FORECASTED', threshold: number) => ({
    notification: {
      notificationType,
      comparisonOperator: 'GREATER_THAN',
      threshold,
      thresholdType: 'PERCENTAGE',
    },
    subscribers,
  });
  new CfnBudget(scope, 'Budget', {
    budget: {
      budgetName: stackName(name),
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: monthlyBudget, unit: 'USD' },
      costFilters: { TagKeyValue: [`user:boxoffice-stage$${name}`] },
    },
    notificationsWithSubscribers: [notify('ACTUAL', 80), notify('FORECASTED', 100)],
  });
}
