import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { metricsNamespace, stackName } from '../names.ts';
import { type AlarmSpec, alarmList, type Watched } from './alarm-list.ts';
import { AlarmTopic } from './alarm-topic.ts';

/** Makes the alarms of the list, and lets them be known. */
export class Alarms extends Construct {
  readonly all: readonly Alarm[];

  constructor(scope: Construct, watched: Watched, accessLog: LogGroup) {
    super(scope, 'Alarms');
    const { name } = watched.stage;
    countTurnedAway(this, metricsNamespace(name), accessLog);
    const topic = new AlarmTopic(this, watched.stage);
    this.all = alarmList(watched).map((spec) => {
      const alarm = createAlarm(this, stackName(name), spec);
      topic.announce(alarm);
      return alarm;
    });
  }
}

function createAlarm(scope: Construct, prefix: string, spec: AlarmSpec): Alarm {
  const [threshold, comparisonOperator] = limit(spec);
  return new Alarm(scope, spec.name, {
    alarmName: `${prefix}-${spec.name}`,
    alarmDescription: spec.description,
    metric: spec.metric,
    threshold,
    comparisonOperator,
    evaluationPeriods: 1,
    treatMissingData: spec.missing ?? TreatMissingData.NOT_BREACHING,
  });
}

function limit({ name, reaches, above, below }: AlarmSpec): [number, ComparisonOperator] {
  if (reaches !== undefined) return [reaches, ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD];
  if (above !== undefined) return [above, ComparisonOperator.GREATER_THAN_THRESHOLD];
  if (below !== undefined) return [below, ComparisonOperator.LESS_THAN_THRESHOLD];
  throw new Error(`The alarm ${name} has no limit`);
}

/** API Gateway has no metric for what it throttles. It answers that itself, so no function's status is logged. */
function countTurnedAway(scope: Construct, metricNamespace: string, logGroup: LogGroup): void {
  new MetricFilter(scope, 'TurnedAway', {
    logGroup,
    metricNamespace,
    metricName: 'RequestsThrottled',
    filterPattern: FilterPattern.all(
      FilterPattern.stringValue('$.status', '=', '429'),
      FilterPattern.stringValue('$.integrationStatus', '=', '-'),
    ),
  });
}
