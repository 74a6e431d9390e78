import type { Node } from 'constructs';
import type { StageConfiguration } from './stages.ts';

/** The options of a single deployment. Lasting options are in the stage's configuration. */
export interface Deployment {
  /**
   * Whether this is the first deployment of its stage. It retains and protects no resource, so that it can be repeated
   * after a failure.
   */
  isFirst: boolean;
  /** Whether all traffic shifts to new code at once, even on a stage with canaries. */
  shiftsTrafficAtOnce: boolean;
  /** Whether the API refuses every request, and neither queues nor the schedule invoke functions. */
  isPaused: boolean;
}

export const defaultDeployment: Deployment = { isFirst: false, shiftsTrafficAtOnce: false, isPaused: false };

/**
 * Returns the stage's configuration for this deployment: a first deployment retains no data. If it fails,
 * CloudFormation must delete all that it created, since remaining log groups and secrets would block their names in the
 * next attempt. The deletion policy RetainExceptOnCreate does not suffice: AWS does not document it for nested stacks,
 * and the rollback of the root stack deletes each nested stack in a separate operation. It also has no warm throughput,
 * for which AWS would charge again after each failure. The second deployment adds it.
 */
export function applyDeployment(deployment: Deployment, stage: StageConfiguration): StageConfiguration {
  return deployment.isFirst ? { ...stage, keepData: false, warmThroughput: undefined } : stage;
}

/**
 * Reads the options from the command line: `-c first=true`, `-c shift=all`, `-c paused=true`.
 * @throws Error for any other value
 */
export function readDeployment(context: Pick<Node, 'tryGetContext'>): Deployment {
  const flag = (name: string, expected: string) => {
    const value: unknown = context.tryGetContext(name);
    if (value === undefined) return false;
    if (value === expected) return true;
    throw new Error(`-c ${name}=${value} is not valid: the only value is ${name}=${expected}`);
  };
  return {
    isFirst: flag('first', 'true'),
    shiftsTrafficAtOnce: flag('shift', 'all'),
    isPaused: flag('paused', 'true'),
  };
}
