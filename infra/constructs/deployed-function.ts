import { Duration, Validations } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { bundleDirectory } from '../build/build.ts';
import { type FunctionRow, functionName } from '../functions.ts';
import { deployedFunctionName, logGroupName } from '../names.ts';
import type { StageConfiguration } from '../stages.ts';
import { reservedConcurrency } from '../stages.ts';
import { environment } from './environment.ts';
import type { Resources } from './permissions.ts';
import { permissions } from './permissions.ts';
import { removalPolicy } from './retention.ts';

/** The Lambda function of one row in infra/functions.ts, with its own role and log group. */
export class DeployedFunction extends Construct {
  readonly row: FunctionRow;
  readonly lambda: LambdaFunction;

  constructor(
    scope: Construct,
    row: FunctionRow,
    stage: StageConfiguration,
    resources: Resources,
    /** The output folder of the build. */
    bundles: string,
  ) {
    super(scope, functionName(row));
    this.row = row;
    const logGroup = new LogGroup(this, 'Log', {
      logGroupName: logGroupName(stage.name, row),
      retention: stage.logRetentionDays,
      removalPolicy: removalPolicy(stage),
    });
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { row: permissions(row, stage, logGroup, resources) },
    });
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'X-Ray has no resource types, so its permissions can only name all resources',
    });
    for (const folder of Object.keys(row.objects ?? {})) {
      // cdk-nag names the account and the partition in its own form.
      Validations.of(role).acknowledge({
        id: `AwsSolutions-IAM5[Resource::${resources.pictures.arn}/${folder}/*]`.replace(
          /\$\{Token\[(AWS\.\w+)[^\]]*\]\}/g,
          (_, name) => `<${name.replace('.', '::')}>`,
        ),
        reason:
          'The names of objects contain the ids of events and uploads, which only the folder has in common',
      });
    }
    this.lambda = new LambdaFunction(this, 'Lambda', {
      functionName: deployedFunctionName(stage.name, row),
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: Code.fromAsset(bundleDirectory(row, bundles)),
      // Constructs can't add permissions to the role, so the row alone determines them.
      role: role.withoutPolicyUpdates(),
      memorySize: row.memoryMegabytes,
      timeout: Duration.seconds(row.timeoutSeconds),
      environment: environment(row, stage, resources),
      reservedConcurrentExecutions: reservedConcurrency(row, stage),
      tracing: Tracing.ACTIVE,
      recursiveLoop: requeues(row) ? RecursiveLoop.ALLOW : RecursiveLoop.TERMINATE,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
    });
  }
}

/**
 * Returns whether a worker sends messages to its own queue. By default Lambda detects this as a recursive loop and
 * drops the message after about 16 rounds. The workers limit the number of rounds themselves.
 */
function requeues({ trigger, sends }: FunctionRow): boolean {
  return 'queue' in trigger && (sends?.includes(trigger.queue) ?? false);
}
