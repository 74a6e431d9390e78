import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * `npm run guards`: removes one guard (a security check) at a time in a copy of the last commit, and runs the tests that
 * must then fail. Exits with an error when they pass. `-- cursor` runs only the guards with that word in their name.
 */

interface Guard {
  name: string;
  file: string;
  /** The code of the guard. */
  from: string;
  /** The code that replaces it. */
  to: string;
  /** The arguments of Vitest. */
  tests: string[];
}

const guards: Guard[] = [
  {
    name: 'order ownership',
    file: 'shared/accounts/auth/authorize.ts',
    from: 'order.userId === userId',
    to: 'true',
    tests: ['test/security/access.test.ts'],
  },
  {
    name: 'event ownership',
    file: 'shared/accounts/auth/authorize.ts',
    from: 'event.organizerId === userId',
    to: 'true',
    tests: ['test/security/access.test.ts'],
  },
  {
    name: 'gateway-a signature',
    file: 'shared/payments/gateway-a/webhook.ts',
    from: 'if (!isSameSecret(',
    to: 'if (false && !isSameSecret(',
    tests: ['test/unit/payments/webhooks.test.ts'],
  },
  {
    name: 'empty secret',
    file: 'shared/runtime/secrets.ts',
    from: "expectedSecret !== '' &&",
    to: '',
    tests: ['test/unit/payments/webhooks.test.ts'],
  },
  {
    name: 'login rate limit',
    file: 'shared/accounts/auth/login-attempts.ts',
    from: 'maximum: 10,',
    to: 'maximum: 1e9,',
    tests: ['test/integration/auth.test.ts', '-t', 'too many failed logins'],
  },
  {
    name: 'cursor signature',
    file: 'shared/dynamo/query.ts',
    from: 'timingSafeEqual(givenMac, expected)',
    to: 'true',
    tests: ['test/security/cursors.test.ts'],
  },
  {
    name: 'token audience',
    file: 'shared/accounts/auth/tokens.ts',
    from: 'algorithms: [algorithm], issuer, audience }',
    to: 'algorithms: [algorithm], issuer }',
    tests: ['test/unit/accounts/tokens.test.ts'],
  },
  {
    name: 'prototype keys',
    file: 'shared/http/middleware.ts',
    from: "key === '__proto__' || ",
    to: '',
    tests: ['test/unit/http/body.test.ts'],
  },
  {
    name: 'secure cookie',
    file: 'shared/accounts/auth/cookie.ts',
    from: "['Secure']",
    to: '[]',
    tests: ['test/unit/accounts/cookie.test.ts'],
  },
  {
    name: 'redaction',
    file: 'shared/runtime/log.ts',
    from: 'text = text.replace(pattern, replacement)',
    to: 'text = text.replace(pattern, text)',
    tests: ['test/unit/runtime/log.test.ts'],
  },
];

const root = path.resolve(import.meta.dirname, '..', '..');

/** Removes the guard from the copy while the tests run. @returns whether a test failed */
function isRemovalDetected({ file, from, to, tests }: Guard, copy: string): boolean {
  const target = path.join(copy, file);
  const source = readFileSync(target, 'utf8');
  if (source.split(from).length !== 2) throw new Error(`${file} does not have "${from}" once`);
  writeFileSync(target, source.replace(from, to));
  const run = spawnSync('vitest', ['run', ...tests], { cwd: copy, encoding: 'utf8' });
  writeFileSync(target, source);
  // Only a failed test counts, not a run that was aborted.
  return /Tests .*\d+ failed/.test(run.stdout);
}

const namePart = process.argv[2] ?? '';
const copy = mkdtempSync(path.join(tmpdir(), 'boxoffice-guards-'));
try {
  execFileSync('sh', ['-c', `git archive HEAD | tar -x -C ${copy}`], { cwd: root });
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  for (const guard of guards.filter(({ name }) => name.includes(namePart))) {
    const isDetected = isRemovalDetected(guard, copy);
    console.log(`${guard.name}: ${isDetected ? 'detected' : 'NOT DETECTED'}`);
    if (!isDetected) process.exitCode = 1;
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
