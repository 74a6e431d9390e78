import { stackName } from '../names.ts';
import type { StageName } from '../stages.ts';
import { listDifferences } from './compare.ts';
import type { Emulator } from './emulator.ts';

/** The widgets that every stage has, by title. */
const titles = ['Alarms', 'Requests', 'Latency (ms)'];

export async function dashboardDifferences(emulator: Emulator, stage: StageName): Promise<string[]> {
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
