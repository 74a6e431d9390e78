import type { Node } from 'constructs';
import type { StageConfiguration } from './stages.ts';

/** How one deployment is done; everything that lasts is in the stage's configuration. */
export interface Deployment {
  /** The first of its stage: it keeps and protects nothing, so that it can be repeated after a failure. */
  isFirst: boolean;
  /** Shifts all traffic to new code at once, also where the stage has canaries. */
  shiftsAllAtOnce: boolean;
  /** The API refuses every request; queues and the schedule call nothing. */
  isPaused: boolean;
}

export const ordinaryDeployment: Deployment = { isFirst: false, shiftsAllAtOnce: false, isPaused: false };

/**
 * Returns the stage as this deployment creates it. A first deployment that fails has to delete all that it created: log
 * groups and secrets that remain would make the next attempt fail, since their names are taken. The deletion policy
 * RetainExceptOnCreate does not suffice, since AWS does not document it for nested stacks: when the root stack rolls
 * back, a nested stack that was complete is deleted by an operation of its own.
 */
export function stageFor(deployment: Deployment, stage: StageConfiguration): StageConfiguration {
  return deployment.isFirst ? { ...stage, keepData: false } : stage;
}

/**
 * What the command line asks for: `-c first=true`, `-c shift=all`, `-c paused=true`.
 * @throws Error for a value that means nothing
 */
export function readDeployment(context: Pick<Node, 'tryGetContext'>): Deployment {
  const flag = (name: string, meaning: string) => {
    const value: unknown = context.tryGetContext(name);
    if (value === undefined) return false;
    if (value === meaning) return true;
    throw new Error(`-c ${name}=${value} means nothing: only ${name}=${meaning} does`);
  };
  return {
    isFirst: flag('first', 'true'),
    shiftsAllAtOnce: flag('shift', 'all'),
    isPaused: flag('paused', 'true'),
  };
}
