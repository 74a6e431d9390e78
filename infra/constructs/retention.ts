import { RemovalPolicy } from 'aws-cdk-lib';
import type { StageConfiguration } from '../stages.ts';

/**
 * Returns whether a resource is retained when it is removed from the stack. With either policy, a failed update deletes
 * the resources that it created, so that the next update can use their names.
 */
export function removalPolicy({ keepData }: StageConfiguration): RemovalPolicy {
  return keepData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
}
