import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runCommand } from './command.ts';

/** Runs a script with this content. */
function runScript(content: string) {
  const folder = mkdtempSync(path.join(tmpdir(), 'boxoffice-command-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const script = path.join(folder, 'script.js');
  writeFileSync(script, content);
  return runCommand(script, [], {});
}

describe('runCommand', () => {
  test('returns the exit code', async () => {
    expect(await runScript('')).toMatchObject({ code: 0 });
    expect(await runScript('process.exit(3)')).toMatchObject({ code: 3 });
  });

  test('throws when a signal ends the script', async () => {
    const run = runScript(`process.kill(process.pid, 'SIGKILL')`);
    await expect(run).rejects.toMatchObject({ signal: 'SIGKILL' });
  });
});
