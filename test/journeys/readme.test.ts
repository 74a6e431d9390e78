import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, type TestContext, test } from 'vitest';
import { sharedStack } from '../support/stack.ts';

const root = path.resolve(import.meta.dirname, '..', '..');
const blocks = ['README.md', 'infra/client/README.md', 'infra/storefront/README.md'].flatMap((name) => {
  const readme = readFileSync(path.join(root, name), 'utf8');
  return [...readme.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);
});
const purchase = blocks.find((block) => block.includes('/api/orders/initialize')) ?? '';

/** A folder as the repository's is after `npm start`, with the addresses of the shared stack. */
function folder({ onTestFinished }: TestContext): string {
  const name = mkdtempSync(path.join(tmpdir(), 'boxoffice-readme-'));
  onTestFinished(() => rmSync(name, { recursive: true, force: true }));
  mkdirSync(path.join(name, '.local'));
  writeFileSync(path.join(name, '.local', 'stack.json'), JSON.stringify(sharedStack()));
  return name;
}

test('the READMEs’ commands contain no comments or apostrophes, so that they can be pasted into zsh', () => {
  expect(blocks).toContain('npm ci && npm start\n');
  expect(blocks).toContain('npm ci && npm test\n');
  for (const line of blocks.join('').split('\n')) expect(line).not.toMatch(/(^|\s)#|\w'\w|’|!/);
});

test.concurrent('the README’s purchase sells two tickets, and two more when it is repeated', async (context) => {
  // On the shared stack, the mints of other tests come first.
  const shell = purchase
    .replace('http://localhost:3000', sharedStack().apiUrl)
    .replace('{1..60}', '{1..400}')
    // The reference's examples register people with these addresses as well.
    .replaceAll('@example.com', `.${randomUUID()}@example.com`);
  const cwd = folder(context);
  for (const _ of ['a first run', 'a second']) {
    const { stdout, stderr } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', shell], { cwd });
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

test.concurrent('the demo sells two tickets, and leaves the same two logins when it is repeated', async (context) => {
  const cwd = folder(context);
  const run = async () => {
    const command = [path.join(root, 'infra', 'local', 'demo.ts')];
    const env = { ...process.env, BOXOFFICE_DATA_DIR: path.join(cwd, '.local') };
    return (await promisify(execFile)(process.execPath, command, { cwd, env })).stdout;
  };
  const logins = (text: string) =>
    [...text.matchAll(/(\w+) +(\S+@example\.com) +password: (.*)/g)].map(([, role, email, password]) => ({
      role,
      email,
      password,
    }));
  const printed = [await run(), await run()].map(logins);
  expect(printed[1]).toEqual(printed[0]);
  expect(printed[0]).toMatchObject([{ role: 'organizer' }, { role: 'buyer' }]);
  for (const { email, password } of printed[0] ?? []) {
    const response = await fetch(`${sharedStack().apiUrl}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    expect(response.status).toBe(200);
  }
});
