import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DescribeTimeToLiveCommand, DynamoDBClient, UpdateTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { lockDirectory } from '../../../infra/local/data-directory.ts';
import { Progress } from '../../../infra/local/progress.ts';
import { createTable, credentials, region, startDynamoDb } from '../../../infra/local/services/aws.ts';
import { freePort, listen, StartError } from '../../../infra/local/services/process.ts';
import { table } from '../../../shared/dynamo/keys.ts';

const dataDirectoryModule = new URL('../../../infra/local/data-directory.ts', import.meta.url).href;

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
  it('that can’t be created causes an error of one sentence', () => {
    const file = path.join(createFolder(), 'file');
    writeFileSync(file, '');
    expect(() => lockDirectory(path.join(file, 'data'))).toThrow(StartError);
    expect(() => lockDirectory(path.join(file, 'data'))).toThrow(
      /^The data directory .*file\/data can't be written: ENOTDIR.*\.$/,
    );
  });

  it('that is read-only causes an error of one sentence', () => {
    const directory = createFolder();
    chmodSync(directory, 0o555);
    switchFromRoot();
    expect(() => lockDirectory(directory)).toThrow(/^The data directory .* can't be written: EACCES.*\.$/);
  });

  it('is refused while another stack uses it, and usable after that stack was killed', async () => {
    const directory = createFolder();
    const program = `
      const { lockDirectory } = await import(${JSON.stringify(dataDirectoryModule)});
      lockDirectory(${JSON.stringify(directory)});
      console.log('locked');
      setInterval(() => {}, 1000);`;
    const other = spawn(process.execPath, ['--input-type=module', '-e', program]);
    await once(other.stdout, 'data');
    expect(() => lockDirectory(directory)).toThrow(
      `Another stack is using ${directory}: process ${other.pid}`,
    );
    other.kill('SIGKILL');
    await once(other, 'exit');
    const unlock = lockDirectory(directory);
    expect(existsSync(path.join(directory, 'lock'))).toBe(true);
    unlock();
    expect(existsSync(path.join(directory, 'lock'))).toBe(false);
  });
});

describe('the table', () => {
  it('gets its TTL at the next start when an earlier start ended before setting it', async () => {
    const folder = createFolder();
    const server = await startDynamoDb(path.join(folder, 'table.sqlite'), path.join(folder, 'log'));
    onTestFinished(() => server.stop());
    const client = new DynamoDBClient({ endpoint: server.url, region, credentials });
    onTestFinished(() => client.destroy());
    const TableName = 'local';
    const TimeToLiveSpecification = { AttributeName: table.timeToLive, Enabled: false };
    await createTable(server.url, TableName, { dropExisting: false });
    await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));

    for (const start of ['next', 'later']) {
      await createTable(server.url, TableName, { dropExisting: false });
      const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
      expect(TimeToLiveDescription, start).toEqual({ AttributeName: 'ttl', TimeToLiveStatus: 'ENABLED' });
    }
  });
});

it('a preferred port is used if it is free, and otherwise another one', async () => {
  const port = await freePort();
  expect(await freePort(port)).toBe(port);
  const otherProgram = createServer();
  await listen(otherProgram, port);
  onTestFinished(() => void otherProgram.close());
  expect(await freePort(port)).not.toBe(port);
});

/** Creates a stand-in for the process's standard output that collects its text. */
function createOutput(isTTY: boolean) {
  let written = '';
  const stream = { isTTY, columns: 60, write: (text: string) => (written += text) };
  return { stream: stream as unknown as NodeJS.WriteStream, written: () => written };
}

/** Fakes the clock for a group of tests. Other tests of this file wait for servers. */
function useFakeClock(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'setInterval', 'clearInterval'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}

/** Resolves after a number of seconds on the fake clock. */
const waitSeconds = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

describe('progress in a pipe or a file', () => {
  useFakeClock();

  it('prints each ready service with its duration, and those still starting after each second without output', async () => {
    const { stream, written } = createOutput(false);
    const progress = new Progress(stream);
    const services = [
      progress.track('table', waitSeconds(0.3)),
      progress.track('functions', waitSeconds(2.5)),
    ];
    await vi.advanceTimersByTimeAsync(2600);
    await Promise.all(services);
    progress.end();
    expect(written().replace(/ +/g, ' ')).toBe(
      ' ✓ table 0.3 s\n functions … 1.3 s\n functions … 2.3 s\n ✓ functions 2.5 s\n',
    );
  });

  it('prints nothing after a failure', async () => {
    const { stream, written } = createOutput(false);
    const progress = new Progress(stream);
    await expect(progress.track('table', Promise.reject(new Error('no')))).rejects.toThrow('no');
    await vi.advanceTimersByTimeAsync(5000);
    progress.end();
    expect(written()).toBe('');
  });
});

describe('progress in a terminal', () => {
  useFakeClock();

  it('redraws one line with the services that are starting, and at the end shows only the lines of ready ones', async () => {
    const { stream, written } = createOutput(true);
    const progress = new Progress(stream);
    const services = ['table', 'a service with a name as long as the whole line of the terminal'].map(
      (name) => progress.track(name, waitSeconds(1)),
    );
    await vi.advanceTimersByTimeAsync(950);
    const drawn = written().split('\r\x1b[2K').slice(1);
    expect(drawn).toHaveLength(9);
    for (const line of drawn) {
      expect(line).toMatch(/^ {2}. table, a serv/);
      expect(line.length).toBeLessThan(60);
    }
    await vi.advanceTimersByTimeAsync(50);
    await Promise.all(services);
    progress.end();
    const visibleLines = written()
      .split('\n')
      .map((line) => line.split('\r\x1b[2K').at(-1));
    expect(visibleLines).toEqual([
      expect.stringContaining('table'),
      expect.stringContaining('a service with'),
      '',
    ]);
  });
});
