import type { Node } from 'constructs';

/** How one deployment is done; everything that lasts is in the stage's configuration. */
export interface Deployment {
  /** The first of its stage: nothing is protected from deletion yet, so that a failure can be cleaned up. */
  first: boolean;
  /** Shifts all traffic to new code at once, also where the stage has canaries. */
  allAtOnce: boolean;
  /** The API refuses every request; queues and the schedule call nothing. */
  paused: boolean;
}

export const ordinaryDeployment: Deployment = { first: false, allAtOnce: false, paused: false };

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
    first: flag('first', 'true'),
    allAtOnce: flag('shift', 'all'),
    paused: flag('paused', 'true'),
  };
}
