import { parseArgs } from 'node:util';
import { parseStageName, readStage } from '../../stages.ts';
import { awsAccount } from './account.ts';
import { preflight } from './checks.ts';

/** Lists everything that would make a deployment of the stage fail. Changes nothing. */
export async function runPreflight(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { stage: { type: 'string', default: 'dev' }, 'stage-file': { type: 'string' } },
  });
  const stage = readStage(parseStageName(values.stage), values['stage-file']);
  for (const { subject, faults, advice } of await preflight(stage, awsAccount(stage.region))) {
    console.log(faults.length === 0 ? `✓ ${subject}` : `✗ ${subject}\n    ${faults.join('\n    ')}`);
    if (advice) console.log(`    ${advice}`);
    if (faults.length > 0) process.exitCode = 1;
  }
}
