import { RemovalPolicy } from 'aws-cdk-lib';
import type { StageConfiguration } from '../stages.ts';

/**
 * Returns whether a resource and its data are kept when the resource is removed from the stack. An update that fails
 * still deletes what it created: if log groups and secrets remained, the next one could not use their names.
 */
export function removalPolicy({ keepData }: StageConfiguration): RemovalPolicy {
  return keepData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
}
