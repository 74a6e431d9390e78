import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DataDirectory } from '../../../infra/local/data-directory.ts';
import { listen, Ports } from '../../../infra/local/ports.ts';
import { StartError } from '../../../infra/local/start-error.ts';

function createFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'boxoffice-start-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Switches from root to another user for the test, since root may write everywhere. */
function switchFromRoot(): void {
  if (process.getuid?.() !== 0) return;
  process.seteuid?.(65534);
  onTestFinished(() => process.seteuid?.(0));
}

describe('a data directory', () => {
  const open = async (directory: string) => {
    const data = await DataDirectory.open(directory, { fresh: false });
    onTestFinished(() => data.close());
  };

  it('that can’t be created causes an error of one sentence', async () => {
    const file = path.join(createFolder(), 'file');
    writeFileSync(file, '');
    await expect(open(path.join(file, 'data'))).rejects.toThrow(StartError);
    await expect(open(path.join(file, 'data'))).rejects.toThrow(
      /^The data directory .*file\/data can't be written: ENOTDIR.*\.$/,
    );
  });

  it.runIf(process.platform === 'linux')('in /proc causes an error of one sentence', async () => {
    await expect(open('/proc/boxoffice/data')).rejects.toThrow(/can't be written: ENOENT.*\.$/);
  });

  it('that is read-only causes an error of one sentence', async () => {
    const directory = createFolder();
    chmodSync(directory, 0o555);
    switchFromRoot();
    await expect(open(directory)).rejects.toThrow(StartError);
    await expect(open(directory)).rejects.toThrow(/^The data directory .* can't be written: EACCES.*\.$/);
  });
});

describe('ports', () => {
  it('are the same at the next start, unless another program uses one: then it is replaced and reported', async () => {
    const file = path.join(createFolder(), 'ports.json');
    const first = await new Ports(file).reserve('mail');
    expect(await new Ports(file).reserve('mail')).toBe(first);
    const otherProgram = createServer();
    await listen(otherProgram, first);
    onTestFinished(() => void otherProgram.close());
    const replaced: unknown[] = [];
    const next = await new Ports(file, (part, port) => replaced.push([part, port])).reserve('mail');
    expect(next).not.toBe(first);
    expect(replaced).toEqual([['mail', first]]);
  });
});
