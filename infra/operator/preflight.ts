import { parseArgs } from 'node:util';
import { parseStageName, readStage } from '../stages.ts';
import { awsAccount } from './preflight/account.ts';
import { preflight } from './preflight/checks.ts';

// npm run preflight -- --stage production [--stage-file values.json]
// Lists everything that would make a deployment of the stage fail. Changes nothing.

const { values } = parseArgs({
  options: { stage: { type: 'string', default: 'dev' }, 'stage-file': { type: 'string' } },
});
try {
  const stage = readStage(parseStageName(values.stage), values['stage-file']);
  for (const { subject, faults, advice } of await preflight(stage, awsAccount(stage.region))) {
    console.log(faults.length === 0 ? `✓ ${subject}` : `✗ ${subject}\n    ${faults.join('\n    ')}`);
    if (advice) console.log(`    ${advice}`);
    if (faults.length > 0) process.exitCode = 1;
  }
} catch (error) {
  console.error(error instanceof Error ? error.message || error.name : error);
  process.exitCode = 1;
}
