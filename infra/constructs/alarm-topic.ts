import { Stack } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { stackName } from '../names.ts';
import type { StageConfiguration } from '../stages.ts';

/** Where alarms go: by e-mail to the configured address, and to whoever else subscribes. */
export class AlarmTopic extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, stage: StageConfiguration) {
    super(scope, 'AlarmTopic');
    this.topic = new Topic(this, 'Topic', { topicName: `${stackName(stage.name)}-alarms`, enforceSSL: true });
    // A topic with a policy of its own loses the default one, by which CloudWatch may publish.
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [this.topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
    if (stage.alarmEmail) this.topic.addSubscription(new EmailSubscription(stage.alarmEmail));
  }

  /** Tells when the alarm fires, and when it is over. */
  announce(alarm: Alarm): void {
    const action = new SnsAction(this.topic);
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
  }
}
