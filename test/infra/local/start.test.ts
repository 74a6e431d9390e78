import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DescribeTimeToLiveCommand, DynamoDBClient, UpdateTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lockDirectory } from '../../../infra/local/data-directory.ts';
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
