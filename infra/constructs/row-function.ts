import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { bundleDirectory } from '../build/build.ts';
import { type FunctionRow, functionName } from '../functions.ts';
import { deployedFunctionName } from '../names.ts';
import type { StageConfiguration } from '../stages.ts';
import { environment } from './environment.ts';
import { permissions } from './permissions.ts';
import type { Resources } from './resources.ts';

export const timeoutOf = (row: FunctionRow) => Duration.seconds(row.timeoutSeconds);

/** The Lambda of one row, with a role and a log group of its own. */
export class RowFunction extends Construct {
  readonly row: FunctionRow;
  readonly lambda: LambdaFunction;

  constructor(
    scope: Construct,
    row: FunctionRow,
    stage: StageConfiguration,
    resources: Resources,
    /** Where the build put the bundles. */
    bundles: string,
  ) {
    super(scope, functionName(row));
    this.row = row;
    const logGroup = new LogGroup(this, 'Log', {
      logGroupName: `/boxoffice/${stage.name}/${functionName(row)}`,
      retention: stage.logRetentionDays,
      removalPolicy: stage.keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { row: permissions(row, stage, logGroup, resources) },
    });
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'X-Ray knows no resources: its two actions that write traces can only be allowed on all',
    });
    this.lambda = new LambdaFunction(this, 'Lambda', {
      functionName: deployedFunctionName(stage.name, row),
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: Code.fromAsset(bundleDirectory(row, bundles)),
      // Whatever a construct would like to add to the role has no effect: the row alone decides.
      role: role.withoutPolicyUpdates(),
      memorySize: row.memoryMegabytes,
      timeout: timeoutOf(row),
      environment: environment(row, stage, resources),
      reservedConcurrentExecutions: reservedConcurrency(row, stage),
      tracing: Tracing.ACTIVE,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
    });
  }
}

/**
 * A flood of buyers takes all the concurrency there is; what is reserved stays free for those who confirm
 * payments and for the workers behind them.
 */
function reservedConcurrency({ trigger }: FunctionRow, { webhookConcurrency }: StageConfiguration) {
  if (webhookConcurrency === undefined) return undefined;
  if ('queue' in trigger) return trigger.maxConcurrency;
  return isWebhook(trigger) ? webhookConcurrency : undefined;
}

/** Whether payment providers call this, and not buyers. */
export function isWebhook(trigger: FunctionRow['trigger']): trigger is { route: `POST /${string}` } {
  return 'route' in trigger && trigger.route.startsWith('POST /api/webhooks/');
}
