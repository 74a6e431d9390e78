import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshEmail, openSale, registerUser } from '../support/fixtures.ts';
import { sharedStack } from '../support/stack.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const clientFolder = path.join(root, 'infra', 'client');
let project: string;

/** Runs a program in the project. Returns its standard output. @throws Error with its output when it fails */
async function run(command: string, args: string[], env: Record<string, string> = {}): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, {
    cwd: project,
    env: { ...process.env, ...env },
  });
  return stdout;
}

/** Packs a folder as `npm publish` does. Returns the name of the tarball. */
async function pack(folder: string, ...flags: string[]): Promise<string> {
  const output = await run('npm', ['pack', folder, '--json', '--pack-destination', project, ...flags]);
  return JSON.parse(output.slice(output.indexOf('['))).at(0).filename;
}

/** Compiles a file of the project. @throws Error with the compiler's messages */
async function compile(file: string): Promise<void> {
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
  await run(process.execPath, [tsc, ...options, file, 'globals.d.ts']);
}

beforeAll(async () => {
  project = mkdtempSync(path.join(tmpdir(), 'boxoffice-client-'));
  writeFileSync(path.join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  copyFileSync(path.join(import.meta.dirname, 'client', 'buy.ts'), path.join(project, 'buy.ts'));
  writeFileSync(
    path.join(project, 'globals.d.ts'),
    'declare const process: { env: Record<string, string> };\n',
  );
  // The client's one dependency comes from this repository's own node_modules, so that no registry is needed.
  const runtime = path.join(root, 'node_modules', '@oazapfts', 'runtime');
  const tarballs = [await pack(clientFolder), await pack(runtime, '--ignore-scripts')];
  await run('npm', ['install', '--offline', '--no-audit', ...tarballs.map((name) => `./${name}`)]);
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

test('the client package contains only its code, its types and its README', () => {
  const installedFolder = path.join(project, 'node_modules', 'boxoffice-client');
  expect(readdirSync(installedFolder, { recursive: true }).sort()).toEqual([
    'README.md',
    'dist',
    'dist/api.d.ts',
    'dist/api.js',
    'dist/index.d.ts',
    'dist/index.js',
    'package.json',
  ]);
});

test('the client package buys a ticket when it is installed in an empty project', async () => {
  const { event } = await openSale();
  const { apiUrl, sandboxUrl } = sharedStack();
  const output = await run(process.execPath, ['buy.ts'], {
    API_URL: apiUrl,
    SANDBOX_URL: sandboxUrl,
    EVENT_ID: event.id,
    EMAIL: freshEmail(),
  });
  expect(JSON.parse(output)).toEqual({
    secondRegistration: [409, expect.stringMatching(/^[a-z-]+$/)],
    paymentStatus: 'COMPLETED',
    checkInCodes: 1,
  });
});

test('the README’s example orders tickets as it is printed', async () => {
  const readme = readFileSync(path.join(clientFolder, 'README.md'), 'utf8');
  const [, example = ''] = /```ts\n(.*?)```/s.exec(readme) ?? [];
  const title = `Euro ${freshEmail()}`;
  const [buyer] = await Promise.all([registerUser(), openSale({ title, currency: 'EUR' })]);
  const values: [string, string][] = [
    ['http://localhost:3000', sharedStack().apiUrl],
    ['bea@example.com', buyer.user.email],
    ['bea buys tickets', buyer.password],
    ['stages', title],
  ];
  const program = values.reduce((text, [printed, own]) => text.replace(printed, own), example);
  writeFileSync(path.join(project, 'example.ts'), program);
  await compile('example.ts');
  expect(await run(process.execPath, ['example.ts'])).toMatch(/^Pay at http\S+\/checkout\/\S+\nPENDING\n$/);
  const nothing = program.replace(title, 'nothing has this title');
  writeFileSync(path.join(project, 'nothing.ts'), nothing);
  await expect(run(process.execPath, ['nothing.ts'])).rejects.toThrow('No event was found');
});

test('the client package has types, which refuse a misspelt field', async () => {
  await compile('buy.ts');
  writeFileSync(
    path.join(project, 'wrong.ts'),
    "import { login } from 'boxoffice-client';\nawait login({ email: 'a@example.com', pasword: 'x' });\n",
  );
  await expect(compile('wrong.ts')).rejects.toMatchObject({ stdout: expect.stringContaining('pasword') });
});
