import { RemovalPolicy } from 'aws-cdk-lib';
import type { StageConfiguration } from '../stages.ts';

/**
 * Returns the policy for resources with data: a stage with `keepData` retains them when they are removed from the stack.
 * With either policy, a failed update deletes the resources that it created, so that the next update can use their names.
 */
export function removalPolicy({ keepData }: StageConfiguration): RemovalPolicy {
  return keepData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
}
