import { RemovalPolicy } from 'aws-cdk-lib';
import type { StageConfiguration } from '../stages.ts';

/**
 * Whether data survives when its resource leaves the stack. A first deployment that fails takes everything back that
 * it created: otherwise the next attempt would find the names of log groups and secrets taken.
 */
export function removalPolicy({ keepData }: StageConfiguration): RemovalPolicy {
  return keepData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
}
