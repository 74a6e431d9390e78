import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { compareDeployment } from './compare-deployment.ts';
import { accountId, type Emulator, findEmulator, region, startEmulator } from './emulator.ts';
import { removeUnsupported } from './remove-unsupported.ts';

// npm run rehearse: bootstraps and deploys the dev stage to an AWS emulator, and compares the deployed resources with
// infra/functions.ts.

const cdkProgram = createRequire(import.meta.url).resolve('aws-cdk/bin/cdk');
const program = findEmulator();
if (program) await rehearse(program);
else console.log('The rehearsal is skipped: it needs moto_server (pip install "moto[server]") on the PATH.');

async function rehearse(program: string): Promise<void> {
  const directory = mkdtempSync(path.join(tmpdir(), 'boxoffice-rehearsal-'));
  const assembly = path.join(directory, 'cdk.out');
  let emulator: Emulator | undefined;
  try {
    runCdk({}, 'synth', '--quiet', '--output', assembly, '-c', 'stage=dev');
    const removedTypes = removeUnsupported(assembly, 'dev');
    emulator = await startEmulator(program, path.join(directory, 'emulator.log'));
    runCdk(emulator.environment, 'bootstrap', `aws://${accountId}/${region}`);
    runCdk(
      emulator.environment,
      'deploy',
      '--app',
      assembly,
      '--require-approval',
      'never',
      '--progress',
      'events',
    );
    report(await compareDeployment(emulator, 'dev'), removedTypes);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  } finally {
    await emulator?.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Runs a CDK command. @throws Error with its output when it fails */
function runCdk(environment: Record<string, string>, ...command: string[]): void {
  console.log(`cdk ${command[0]} …`);
  const env = { ...process.env, ...environment };
  const { status, stdout, stderr } = spawnSync(process.execPath, [cdkProgram, ...command], {
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`cdk ${command[0]} failed:\n${stdout}${stderr}`);
}

function report(differencesByKind: Map<string, string[]>, removedTypes: string[]): void {
  for (const [resourceKind, differences] of differencesByKind) {
    console.log(
      differences.length === 0 ? `✓ ${resourceKind}` : `✗ ${resourceKind}\n    ${differences.join('\n    ')}`,
    );
    if (differences.length > 0) process.exitCode = 1;
  }
  console.log(`Not emulated, so not deployed here: ${removedTypes.join(', ')}.`);
  console.log(
    'Not checked: permissions, the schedule, and the table’s time to live and point-in-time recovery. No function was invoked.',
  );
}
