import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshEmail } from '../support/people.ts';
import { openSale } from '../support/sales.ts';
import { sharedStack } from '../support/stack.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const client = path.join(root, 'infra', 'client');
let project: string;

/** Runs a program in the project. @returns what it prints. @throws Error with what it printed when it fails */
async function run(command: string, args: string[], env: Record<string, string> = {}): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, {
    cwd: project,
    env: { ...process.env, ...env },
  });
  return stdout;
}

/** @returns the tarball's name */
async function pack(folder: string, ...flags: string[]): Promise<string> {
  const printed = await run('npm', ['pack', folder, '--json', '--pack-destination', project, ...flags]);
  return JSON.parse(printed.slice(printed.indexOf('['))).at(0).filename;
}

beforeAll(async () => {
  project = mkdtempSync(path.join(tmpdir(), 'boxoffice-client-'));
  writeFileSync(path.join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  copyFileSync(path.join(import.meta.dirname, 'client', 'buy.ts'), path.join(project, 'buy.ts'));
  // The one dependency comes from this repository's own node_modules, so that no registry is needed.
  const runtime = path.join(root, 'node_modules', '@oazapfts', 'runtime');
  const tarballs = [await pack(client), await pack(runtime, '--ignore-scripts')];
  await run('npm', ['install', '--offline', '--no-audit', ...tarballs.map((name) => `./${name}`)]);
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

test('the package has its code, its types and its README, and nothing else', () => {
  const installed = path.join(project, 'node_modules', 'boxoffice-client');
  expect(readdirSync(installed, { recursive: true }).sort()).toEqual([
    'README.md',
    'dist',
    'dist/api.d.ts',
    'dist/api.js',
    'dist/index.d.ts',
    'dist/index.js',
    'package.json',
  ]);
});

test('in an empty project, a ticket is bought with it', async () => {
  const { event } = await openSale();
  const { apiUrl, sandboxUrl } = sharedStack();
  const printed = await run(process.execPath, ['buy.ts'], {
    API_URL: apiUrl,
    SANDBOX_URL: sandboxUrl,
    EVENT_ID: event.id,
    EMAIL: freshEmail(),
  });
  expect(JSON.parse(printed)).toEqual({
    refused: [409, expect.stringMatching(/^[a-z-]+$/)],
    paymentStatus: 'COMPLETED',
    codes: 1,
  });
});

test('in an empty project, the compiler knows its types', async () => {
  const tsc = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const options = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--lib',
    'es2022,dom',
  ];
  writeFileSync(
    path.join(project, 'globals.d.ts'),
    'declare const process: { env: Record<string, string> };\n',
  );
  const check = (file: string) => run(process.execPath, [tsc, ...options, file, 'globals.d.ts']);
  await check('buy.ts');
  writeFileSync(
    path.join(project, 'wrong.ts'),
    "import { login } from 'boxoffice-client';\nawait login({ email: 'a@example.com', pasword: 'x' });\n",
  );
  await expect(check('wrong.ts')).rejects.toMatchObject({ stdout: expect.stringContaining('pasword') });
});
