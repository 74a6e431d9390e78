import { type FunctionRow, functionName, type QueueName } from './functions.ts';
import type { StageName } from './stages.ts';

/** Names of the deployed resources. Operators and their commands find resources by these names. */

export const stackName = (stage: StageName) => `boxoffice-${stage}`;
export const deployedFunctionName = (stage: StageName, row: FunctionRow) =>
  `${stackName(stage)}-${functionName(row)}`;
export const queueName = (stage: StageName, queue: QueueName) => `${stackName(stage)}-${queue}`;
export const deadLetterQueueName = (stage: StageName, queue: QueueName) => `${queueName(stage, queue)}-dlq`;
export const secretName = (stage: StageName, name: string) => `boxoffice/${stage}/${name}`;
/** Stages may share an account, so each has a metrics namespace of its own. */
export const metricsNamespace = stackName;
