import { NestedStack } from 'aws-cdk-lib';
import type { LambdaApplication } from 'aws-cdk-lib/aws-codedeploy';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { Deployment } from '../deployment.ts';
import type { FunctionRow } from '../functions.ts';
import type { StageConfiguration } from '../stages.ts';
import { maxConcurrency } from '../stages.ts';
import type { Apis } from './api.ts';
import { createDeployerRole, createLiveAlias, type Deployer } from './canary.ts';
import { DeployedFunction } from './deployed-function.ts';
import { apiMetric } from './monitoring/metrics.ts';
import type { Resources } from './permissions.ts';
import { addQueueTrigger, addRoute, addSchedule } from './triggers.ts';

export interface FunctionStackProps {
  stage: StageConfiguration;
  deployment: Deployment;
  /** The functions of this stack. */
  rows: readonly FunctionRow[];
  resources: Resources;
  apis: Apis;
  /** The output folder of the build. */
  bundles: string;
  /**
   * The CodeDeploy application that shifts traffic to new code. Without it, callers invoke the newest code directly.
   */
  application?: LambdaApplication;
}

/**
 * A nested stack of functions with their triggers. A single template for all functions would exceed CloudFormation's
 * limit of 500 resources.
 */
export class FunctionStack extends NestedStack {
  constructor(scope: Construct, name: string, props: FunctionStackProps) {
    super(scope, name, { description: `boxoffice ${props.stage.name}: functions` });
    const { stage, rows, application, deployment } = props;
    const deployer = application && {
      application,
      role: createDeployerRole(this, stage.name, rows),
      allAtOnce: deployment.shiftsTrafficAtOnce,
      provisionedConcurrency: stage.provisionedConcurrency,
    };
    for (const row of rows) this.#deploy(row, props, deployer);
  }

  #deploy(row: FunctionRow, props: FunctionStackProps, deployer?: Deployer): void {
    const { stage, resources, apis, bundles, deployment } = props;
    const { trigger } = row;
    const deployed = new DeployedFunction(this, row, stage, resources, bundles);
    const serverErrors =
      'route' in trigger && trigger.route !== '$default'
        ? apiMetric(apis.of(trigger).apiId, '5xx', trigger.route)
        : undefined;
    const target: IFunction = deployer ? createLiveAlias(deployed, deployer, serverErrors) : deployed.lambda;
    if ('route' in trigger) {
      addRoute(deployed, apis.of(trigger), trigger, target);
    } else if ('queue' in trigger) {
      const queue = resources.queues.get(trigger.queue);
      const concurrency = maxConcurrency(row, stage) ?? trigger.maxConcurrency;
      addQueueTrigger(deployed, queue, { ...trigger, maxConcurrency: concurrency }, target, deployment);
    } else {
      addSchedule(deployed, trigger, target, resources.queues.failedSchedules, deployment);
    }
  }
}
