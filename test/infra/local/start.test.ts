import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { DescribeTimeToLiveCommand, DynamoDBClient, UpdateTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DataDirectory } from '../../../infra/local/data-directory.ts';
import { credentials, region } from '../../../infra/local/parts/aws.ts';
import { createTable, startDynamoDb } from '../../../infra/local/parts/dynamodb.ts';
import { listen, Ports } from '../../../infra/local/ports.ts';
import { StartError } from '../../../infra/local/start-error.ts';
import { Stops } from '../../../infra/local/stops.ts';
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

  it('is opened by one of two stacks that start together after a stack was killed', async () => {
    const directory = createFolder();
    const openAndDie = `
      const { DataDirectory } = await import(${JSON.stringify(dataDirectoryModule)});
      await DataDirectory.open(${JSON.stringify(directory)}, { fresh: false });
      process.kill(process.pid, 'SIGKILL');`;
    const killed = promisify(execFile)(process.execPath, ['--input-type=module', '-e', openAndDie]);
    await expect(killed).rejects.toMatchObject({ signal: 'SIGKILL' });
    const starts = await Promise.allSettled([open(directory), open(directory)]);
    expect(starts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(open(directory)).rejects.toThrow(/^Another stack is using /);
  });
});

describe('the parts', () => {
  it('are stopped once, and each call to stop them waits for the first', async () => {
    const calls: string[] = [];
    let endSave = () => {};
    const saved = new Promise<void>((resolve) => {
      endSave = resolve;
    });
    const stops = new Stops();
    stops.add(() => calls.push('lock removed'));
    stops.add(() => saved.then(() => calls.push('chain saved')));
    void stops.run();
    const secondRun = stops.run().then(() => calls.push('stopped'));
    endSave();
    await secondRun;
    expect(calls).toEqual(['chain saved', 'lock removed', 'stopped']);
  });

  it('are all stopped although some fail, and the first failure is thrown', async () => {
    const calls: string[] = [];
    const stops = new Stops();
    stops.add(() => calls.push('lock removed'));
    stops.add(() => Promise.reject(new Error('later failure')));
    stops.add(() => {
      throw new Error('first failure');
    });
    await expect(stops.run()).rejects.toThrow('first failure');
    expect(calls).toEqual(['lock removed']);
  });
});

describe('the table', () => {
  it('gets its TTL at the next start when an earlier start ended before setting it', async () => {
    const folder = createFolder();
    const port = await new Ports(path.join(folder, 'ports.json')).reserve('dynamodb');
    const server = await startDynamoDb(port, path.join(folder, 'table.sqlite'), path.join(folder, 'log'));
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
