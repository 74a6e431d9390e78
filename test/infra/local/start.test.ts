import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DataDirectory } from '../../../infra/local/data-directory.ts';
import { listen, Ports } from '../../../infra/local/ports.ts';
import { StartError } from '../../../infra/local/start-error.ts';

function folder(): string {
  const name = mkdtempSync(path.join(tmpdir(), 'boxoffice-start-'));
  onTestFinished(() => rmSync(name, { recursive: true, force: true }));
  return name;
}

/** Root may write everywhere, so the test switches to another user. */
function asAnotherUser(): void {
  if (process.getuid?.() !== 0) return;
  process.seteuid?.(65534);
  onTestFinished(() => process.seteuid?.(0));
}

describe('a data directory', () => {
  const open = async (directory: string) => {
    const data = await DataDirectory.open(directory, { fresh: false });
    onTestFinished(() => data.close());
  };

  it('that can’t be made is one sentence', async () => {
    const file = path.join(folder(), 'file');
    writeFileSync(file, '');
    await expect(open(path.join(file, 'data'))).rejects.toThrow(StartError);
    await expect(open(path.join(file, 'data'))).rejects.toThrow(
      /^The data directory .*file\/data can't be written: ENOTDIR.*\.$/,
    );
  });

  it.runIf(process.platform === 'linux')('in /proc is one sentence', async () => {
    await expect(open('/proc/boxoffice/data')).rejects.toThrow(/can't be written: ENOENT.*\.$/);
  });

  it('that is read-only is one sentence', async () => {
    const directory = folder();
    chmodSync(directory, 0o555);
    asAnotherUser();
    await expect(open(directory)).rejects.toThrow(StartError);
    await expect(open(directory)).rejects.toThrow(/^The data directory .* can't be written: EACCES.*\.$/);
  });
});

describe('ports', () => {
  it('stay the same, unless another program has taken one, which is reported', async () => {
    const file = path.join(folder(), 'ports.json');
    const first = await new Ports(file).reserve('mail');
    expect(await new Ports(file).reserve('mail')).toBe(first);
    const another = createServer();
    await listen(another, first);
    onTestFinished(() => void another.close());
    const taken: unknown[] = [];
    const next = await new Ports(file, (part, port) => taken.push([part, port])).reserve('mail');
    expect(next).not.toBe(first);
    expect(taken).toEqual([['mail', first]]);
  });
});
