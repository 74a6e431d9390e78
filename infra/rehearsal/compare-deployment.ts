import { functions } from '../functions.ts';
import type { StageName } from '../stages.ts';
import { consumers } from './consumers.ts';
import { dashboardDifferences } from './dashboard.ts';
import type { Emulator } from './emulator.ts';
import { functionDifferences } from './functions.ts';
import { mappingDifferences } from './mappings.ts';
import { queueDifferences } from './queues.ts';
import { tableDifferences } from './table.ts';

/** Compares the deployed resources with infra/functions.ts. @returns the differences, by kind of resource */
export async function compareDeployment(
  emulator: Emulator,
  stage: StageName,
): Promise<Map<string, string[]>> {
  return new Map([
    ['the table', await tableDifferences(emulator)],
    [`${consumers.length} queues and their dead-letter queues`, await queueDifferences(emulator, stage)],
    [`${functions.length} functions`, await functionDifferences(emulator, stage)],
    [`${consumers.length} event source mappings`, await mappingDifferences(emulator, stage)],
    ['the dashboard', await dashboardDifferences(emulator, stage)],
  ]);
}
