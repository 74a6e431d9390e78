import { RemovalPolicy } from 'aws-cdk-lib';
import type { StageConfiguration } from '../stages.ts';

/**
 * Returns whether a resource is retained when it is removed from the stack. A failed update deletes the resources that
 * it created: if log groups and secrets remained, the next update could not use their names.
 */
export function removalPolicy({ keepData }: StageConfiguration): RemovalPolicy {
  return keepData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
}
