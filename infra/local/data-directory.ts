import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { StartError } from './services/process.ts';

/** The files of the stack. A start with `--fresh` removes these files and no others. */
const names = {
  table: 'table.sqlite',
  bucket: 'bucket',
  chain: 'chain.json.gz',
  contract: 'contract.json',
  sandbox: 'sandbox.jsonl',
  demoLogins: 'demo-logins.json',
  stack: 'stack.json',
  functions: 'functions',
  storefront: 'storefront',
  functionLog: 'functions.log',
  serviceLog: 'services.log',
} as const;

export type DataFiles = Record<keyof typeof names, string>;

/** Returns the paths of the files in a stack's folder. */
export function dataFiles(directory: string): DataFiles {
  const paths = Object.entries(names).map(([key, name]) => [key, path.join(directory, name)]);
  return Object.fromEntries(paths) as DataFiles;
}

export function removeData(files: DataFiles): void {
  for (const file of Object.values(files)) {
    // The suffixes are those of SQLite's journals.
    for (const suffix of ['', '-wal', '-shm', '-journal'])
      rmSync(file + suffix, { recursive: true, force: true });
  }
}

/**
 * Creates the folder, and locks it by a file with this process's id: one stack at a time can use a folder.
 * @returns a function that unlocks it
 * @throws StartError while another stack uses the folder, or when it can't be written
 */
export function lockDirectory(directory: string): () => void {
  const file = path.join(directory, 'lock');
  try {
    mkdirSync(directory, { recursive: true });
    if (!isRunning(readProcessId(file))) rmSync(file, { force: true });
    writeFileSync(file, `${process.pid}`, { flag: 'wx' });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new StartError(
      code === 'EEXIST'
        ? `Another stack is using ${directory}: process ${readProcessId(file)}, according to ${file}. Stop it, or choose another folder with BOXOFFICE_DATA_DIR.`
        : `The data directory ${directory} can't be written: ${message}.`,
    );
  }
  return () => rmSync(file, { force: true });
}

function readProcessId(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return 0;
  }
}

function isRunning(processId: number): boolean {
  // In a container, the next stack can have the id of the stack that was killed.
  if (!processId || processId === process.pid) return false;
  try {
    process.kill(processId, 0);
    return !isZombie(processId);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Returns whether a process has ended, and only its parent has not read this yet, as in a container without an init. */
function isZombie(processId: number): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${processId}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
