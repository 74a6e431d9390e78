import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, type TestContext, test } from 'vitest';
import { sharedStack } from '../support/stack.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const shellBlocks = ['README.md', 'infra/client/README.md', 'infra/storefront/README.md'].flatMap((name) => {
  const readme = readFileSync(path.join(root, name), 'utf8');
  return [...readme.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);
});
const purchaseScript = shellBlocks.find((block) => block.includes('/api/orders/initialize')) ?? '';

/** Creates a folder with the file that `npm start` writes, for the shared stack. */
function createFolder({ onTestFinished }: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'boxoffice-readme-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(path.join(folder, '.local'));
  writeFileSync(path.join(folder, '.local', 'stack.json'), JSON.stringify(sharedStack()));
  return folder;
}

test('the READMEs’ commands contain no comments, apostrophes or exclamation marks, so that they can be pasted into zsh', () => {
  expect(shellBlocks).toContain('npm ci && npm start\n');
  expect(shellBlocks).toContain('npm ci && npm test\n');
  for (const line of shellBlocks.join('').split('\n')) expect(line).not.toMatch(/(^|\s)#|\w'\w|’|!/);
});

test.concurrent('the README’s purchase sells two tickets, and two more when it is repeated', async (context) => {
  // Minting takes longer on the shared stack, which also mints for other tests.
  const script = purchaseScript
    .replace('http://localhost:3000', sharedStack().apiUrl)
    .replace('{1..60}', '{1..400}')
    // Other tests register these addresses, too.
    .replaceAll('@example.com', `.${randomUUID()}@example.com`);
  const cwd = createFolder(context);
  for (const _ of ['first run', 'second run']) {
    const { stdout, stderr } = await promisify(execFile)(
      'bash',
      ['--norc', '-euo', 'pipefail', '-c', script],
      { cwd },
    );
    expect(stderr).toBe('');
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/^http:.*\/checkout\//),
      '200',
      expect.stringMatching(/^"tokenId":"\d+"$/),
      expect.stringMatching(/^"tokenId":"\d+"$/),
      'COMPLETED',
      'You bought 2 tickets to Night of the Lambdas.',
      '',
    ]);
  }
}, 900_000);

test.concurrent('the demo sells two tickets, and prints the same two logins when it is repeated', async (context) => {
  const cwd = createFolder(context);
  const run = async () => {
    const command = [path.join(root, 'infra', 'local', 'demo.ts')];
    const env = { ...process.env, BOXOFFICE_DATA_DIR: path.join(cwd, '.local') };
    return (await promisify(execFile)(process.execPath, command, { cwd, env })).stdout;
  };
  const parseLogins = (text: string) =>
    [...text.matchAll(/(\w+) +(\S+@example\.com) +password: (.*)/g)].map(([, role, email, password]) => ({
      role,
      email,
      password,
    }));
  const loginsOfRuns = [await run(), await run()].map(parseLogins);
  expect(loginsOfRuns[1]).toEqual(loginsOfRuns[0]);
  expect(loginsOfRuns[0]).toMatchObject([{ role: 'organizer' }, { role: 'buyer' }]);
  for (const { email, password } of loginsOfRuns[0] ?? []) {
    const response = await fetch(`${sharedStack().apiUrl}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    expect(response.status).toBe(200);
  }
}, 900_000);

test('the storefront builds outside of the repository with the commands of its README', async ({
  onTestFinished,
}) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'boxoffice-storefront-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const shop = path.join(folder, 'shop');
  const block = shellBlocks.find((each) => each.includes('infra/storefront ../shop')) ?? '';
  const commands = block
    .split('\n')
    .filter((line) => line !== 'npm ci')
    // The packages come from this repository's own node_modules, so that no registry is needed.
    .map((line) => line.replace(/^npm install (.*)$/, (_, names) => linkPackages(names.split(' '))))
    .join('\n')
    .replaceAll('../shop', shop);
  await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', commands], { cwd: root });
  expect(readdirSync(path.join(shop, 'dist')).sort()).toEqual(
    [
      '404.html',
      'assets',
      'config.json',
      'embed.html',
      'embed.js',
      'favicon.svg',
      'index.html',
      'manifest.webmanifest',
      'service-worker.js',
    ].sort(),
  );
}, 300_000);

/** Returns the commands that install packages without a registry: only those that are named, and what the client needs. */
function linkPackages(names: string[]): string {
  const modules = path.join(root, 'node_modules');
  const commands = names.flatMap((name) => {
    if (name.startsWith('--')) return [];
    if (name.endsWith('.tgz')) {
      return [
        `mkdir -p node_modules/.bin node_modules/boxoffice-client`,
        `tar -xzf ${name} -C node_modules/boxoffice-client --strip-components 1`,
        ...linkPackages(['@oazapfts/runtime']).split('\n'),
      ];
    }
    return [`mkdir -p $(dirname node_modules/${name})`, `ln -s ${modules}/${name} node_modules/${name}`];
  });
  const programs = { vite: 'vite', typescript: 'tsc' } as Record<string, string | undefined>;
  const bins = names.flatMap((name) => programs[name] ?? []);
  return [...commands, ...bins.map((bin) => `ln -s ${modules}/.bin/${bin} node_modules/.bin/${bin}`)].join(
    '\n',
  );
}
