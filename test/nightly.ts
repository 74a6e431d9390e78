import { spawnSync } from 'node:child_process';

/**
 * `npm run nightly`: runs the long form of the drills one after the other, on a machine that does nothing else.
 * `npm run nightly -- <drill>…` runs only these. CI runs a short form of each, except `mutants`, `contract-mutants` and `bugs`.
 */

const vitest = (project: string, ...files: string[]) => [
  'vitest',
  'run',
  '--project',
  project,
  '--silent=false',
  ...files,
];

const drills: Record<string, { command: string[]; env?: Record<string, string> }> = {
  mutants: { command: ['stryker', 'run', 'test/security/stryker.mjs'] },
  fuzz: { command: vitest('stack', 'test/security/fuzz.test.ts'), env: { FUZZ_CASES: '20000' } },
  contract: {
    command: vitest('contracts', 'test/contracts/properties.test.ts'),
    env: { CONTRACT_SEQUENCES: '300' },
  },
  'contract-mutants': { command: ['node', 'test/contracts/mutants.ts'] },
  // About an hour on two cores, from a seed that no earlier night has used.
  simulation: {
    command: vitest('simulation', 'test/simulation/histories.test.ts'),
    env: { HISTORIES: '12000', FIRST_SEED: `${Math.floor(Date.now() / 86_400_000) * 100_000}` },
  },
  bugs: { command: ['node', 'test/simulation/find-bugs.ts'] },
  'flash-sale': {
    command: vitest('faults', 'test/faults/flash-sale.test.ts'),
    env: { FLASH_BUYERS: '5000' },
  },
  queue: {
    command: vitest('faults', 'test/faults/queue.test.ts'),
    env: { QUEUE_PEOPLE: '5000' },
  },
  'waiting-list': {
    command: vitest('faults', 'test/faults/waiting-list.test.ts'),
    env: { WAITING_PEOPLE: '20000', WAITING_TICKETS: '1000' },
  },
  door: {
    command: vitest('stack', 'test/integration/door-drill.test.ts', '--testTimeout=3600000'),
    env: { DOOR_SEATS: '20000', DOOR_STEPS: '1000' },
  },
  'door-camera': {
    command: vitest('browser', 'test/browser/offline-door.test.ts', '-t', 'killed browser'),
    env: { DOOR_CODES: '200' },
  },
  'power-cuts': {
    command: vitest('faults', 'test/faults/mint/power-cut.test.ts'),
    env: { POWER_CUTS: '10' },
  },
  'mail-kills': {
    command: vitest('faults', 'test/faults/mail.test.ts'),
    env: { MAIL_ORDERS: '1000' },
  },
  webhooks: {
    command: vitest('stack', 'test/integration/webhooks.test.ts', '-t', 'fails in every way'),
    env: { WEBHOOK_ORDERS: '1000' },
  },
  mint: {
    command: vitest('faults', 'test/faults/mint/fault-mix.test.ts'),
    env: { MINT_ORDERS: '1000' },
  },
};

const names = process.argv.slice(2);
const unknown = names.find((name) => !(name in drills));
if (unknown) {
  console.error(`There is no drill "${unknown}". Choose from: ${Object.keys(drills).join(', ')}`);
  process.exit(1);
}
for (const [name, { command, env }] of Object.entries(drills)) {
  if (names.length > 0 && !names.includes(name)) continue;
  console.log(`\n== ${name}`);
  const [program = '', ...args] = command;
  const { status } = spawnSync(program, args, { env: { ...process.env, ...env }, stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
