import { stackName } from '../names.ts';
import type { StageName } from '../stages.ts';
import type { Emulator } from './emulator.ts';
import { listDifferences } from './list-differences.ts';

/** The titles of widgets that every stage's dashboard has. */
const titles = ['Alarms', 'Requests', 'Latency (ms)'];

/** Lists which of the titles the stage's dashboard in the emulator lacks, in at most one sentence. */
export async function listDashboardDifferences(emulator: Emulator, stage: StageName): Promise<string[]> {
  const name = stackName(stage);
  const { DashboardBody } = (await emulator.call('monitoring', 'GraniteServiceVersion20100801.GetDashboard', {
    DashboardName: name,
  })) as { DashboardBody: string };
  return listDifferences(
    { titles },
    { titles: titles.filter((title) => DashboardBody.includes(`"title":"${title}"`)) },
    `dashboard ${name}`,
  );
}
