import { functions } from '../functions.ts';
import type { StageName } from '../stages.ts';
import { consumers } from './consumers.ts';
import { listDashboardDifferences } from './dashboard.ts';
import type { Emulator } from './emulator.ts';
import { listFunctionDifferences } from './functions.ts';
import { listMappingDifferences } from './mappings.ts';
import { listQueueDifferences } from './queues.ts';
import { listTableDifferences } from './table.ts';

/** Compares the deployed resources with infra/functions.ts. @returns the differences, by kind of resource */
export async function compareDeployment(
  emulator: Emulator,
  stage: StageName,
): Promise<Map<string, string[]>> {
  return new Map([
    ['the table', await listTableDifferences(emulator)],
    [`${consumers.length} queues and their dead-letter queues`, await listQueueDifferences(emulator, stage)],
    [`${functions.length} functions`, await listFunctionDifferences(emulator, stage)],
    [`${consumers.length} event source mappings`, await listMappingDifferences(emulator, stage)],
    ['the dashboard', await listDashboardDifferences(emulator, stage)],
  ]);
}
