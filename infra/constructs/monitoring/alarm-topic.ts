import { Stack } from 'aws-cdk-lib';
import type { AlarmBase } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { stackName } from '../../names.ts';
import type { StageConfiguration } from '../../stages.ts';

/** The SNS topic of the alarms. The stage's `alarmEmail` is subscribed, and others can be added. */
export class AlarmTopic extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, stage: StageConfiguration) {
    super(scope, 'AlarmTopic');
    this.topic = new Topic(this, 'Topic', { topicName: `${stackName(stage.name)}-alarms`, enforceSSL: true });
    // A topic with its own policy loses the default policy, which allows CloudWatch to publish. This statement allows
    // it again, and allows AWS Budgets.
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        principals: ['cloudwatch', 'budgets'].map((name) => new ServicePrincipal(`${name}.amazonaws.com`)),
        actions: ['sns:Publish'],
        resources: [this.topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
    if (stage.alarmEmail) this.topic.addSubscription(new EmailSubscription(stage.alarmEmail));
  }

  /** Notifies the topic when the alarm fires, and when it ends. */
  notifyAbout(alarm: AlarmBase): void {
    const action = new SnsAction(this.topic);
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
  }
}
