import { Duration, Stack, Validations } from 'aws-cdk-lib';
import { EventField, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { BlockPublicAccess, Bucket, BucketEncryption, type CfnBucket, HttpMethods } from 'aws-cdk-lib/aws-s3';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { bucketName } from '../names.ts';
import type { StageConfiguration } from '../stages.ts';
import { removalPolicy } from './retention.ts';

/**
 * The private bucket of pictures: uploads by browsers below `uploads/`, which end after a day, and the pictures that the worker
 * makes of them below `pictures/`.
 */
export class Pictures extends Construct {
  readonly bucketName: string;
  /** Made of the name: a reference to the bucket would have another name in each nested stack. */
  readonly arn: string;

  /** @param uploads receives a message about each upload */
  constructor(scope: Construct, stage: StageConfiguration, uploads: IQueue) {
    super(scope, 'Pictures');
    const { front, allowedOrigins } = stage;
    const origins = [...new Set([...(front ? [`https://${front.name}`] : []), ...allowedOrigins])];
    this.bucketName = bucketName(stage.name, Stack.of(this).account);
    this.arn = Stack.of(this).formatArn({
      service: 's3',
      region: '',
      account: '',
      resource: this.bucketName,
    });
    const bucket = new Bucket(this, 'Bucket', {
      bucketName: this.bucketName,
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      // S3 requires an origin in a rule.
      ...(origins.length > 0 && {
        cors: [
          { allowedMethods: [HttpMethods.POST], allowedOrigins: origins, allowedHeaders: ['*'], maxAge: 600 },
        ],
      }),
      lifecycleRules: [{ prefix: 'uploads/', expiration: Duration.days(1) }],
      removalPolicy: removalPolicy(stage),
    });
    // The `eventBridgeEnabled` of the construct adds a function that sets this.
    (bucket.node.defaultChild as CfnBucket).notificationConfiguration = {
      eventBridgeConfiguration: { eventBridgeEnabled: true },
    };
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'Access logs would repeat what the log of the API has: its functions are the only readers',
    });
    new Rule(this, 'Forward', {
      eventPattern: {
        source: ['aws.s3'],
        detailType: ['Object Created'],
        detail: { bucket: { name: [this.bucketName] }, object: { key: [{ prefix: 'uploads/' }] } },
      },
      targets: [
        new SqsQueue(uploads, {
          message: RuleTargetInput.fromObject({
            type: 'resize-picture',
            key: EventField.fromPath('$.detail.object.key'),
          }),
        }),
      ],
    });
  }
}
