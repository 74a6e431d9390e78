import { deployedFunctionName, queueName } from '../names.ts';
import type { StageName } from '../stages.ts';
import { consumers } from './consumers.ts';
import { accountId, type Emulator, region } from './emulator.ts';
import { listDifferences } from './list-differences.ts';

interface Mapping {
  FunctionArn: string;
  EventSourceArn: string;
  BatchSize: number;
  FunctionResponseTypes: string[];
  ScalingConfig?: { MaximumConcurrency: number };
}

/**
 * Lists how the event source mappings in the emulator differ from the queue triggers in infra/functions.ts, one
 * sentence each.
 */
export async function listMappingDifferences(emulator: Emulator, stage: StageName): Promise<string[]> {
  const { EventSourceMappings } = (await emulator.get('lambda', '/2015-03-31/event-source-mappings/')) as {
    EventSourceMappings: Mapping[];
  };
  return consumers.flatMap(({ row, queue, batchSize, maxConcurrency }) => {
    const source = `arn:aws:sqs:${region}:${accountId}:${queueName(stage, queue)}`;
    const found = EventSourceMappings.find(({ EventSourceArn }) => EventSourceArn === source);
    return listDifferences(
      {
        function: deployedFunctionName(stage, row),
        batch: batchSize,
        concurrency: maxConcurrency,
        responseTypes: ['ReportBatchItemFailures'],
      },
      {
        function: found?.FunctionArn.split(':').at(-1),
        batch: found?.BatchSize,
        concurrency: found?.ScalingConfig?.MaximumConcurrency,
        responseTypes: found?.FunctionResponseTypes,
      },
      queue,
    );
  });
}
