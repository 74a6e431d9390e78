import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { generateOpenApi } from '../../infra/build/assets.ts';
import { unprimedMessage } from '../../infra/local/lambda/log.ts';
import type { StackDescription } from '../../infra/local/stack.ts';
import { Reference } from './http.ts';
import { findLeaks, runOps, startStack } from './stack.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    stack: StackDescription;
    /** The path of the functions' log; undefined for a stack that this run did not start. */
    functionLog?: string;
    /** The path of a file with the ids of operations that succeeded as documented, one a line. */
    succeededFile?: string;
    /** The WebSocket address of the shared browser; undefined without Chromium. */
    browser?: string;
  }
}

/** The path of Chromium: CHROMIUM, or by default the path of Debian's package. */
export const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** Chromium without a user interface takes half the processor time, but has no camera. Its package is Debian's too. */
const headlessPath = '/usr/bin/chromium-headless-shell';
export const flags =
  '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'.split(
    ' ',
  );

/** Starts what the tests of a Vitest project share: a stack, and for the project `browser` a browser. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const checks =
    project.name === 'browser'
      ? [await startBrowser(project), await shareStack(project)]
      : [await shareStack(project), recordOperations(project)];
  return async () => {
    for (const finish of checks) await finish();
  };
}

/**
 * Starts the stack. After the tests, reconciles its inventory, ledger and promo codes, and searches its log for secrets
 * and personal data. BOXOFFICE_STACK selects another stack: the path of a running stack's stack.json, or the base URL of a
 * deployed stage (for tests that need only the API).
 */
async function shareStack(project: TestProject): Promise<() => Promise<void>> {
  const location = process.env.BOXOFFICE_STACK;
  if (location) {
    project.provide('stack', describeStack(location));
    return async () => {};
  }
  const { invoke, sweep, stop, kill, dataDir, ...description } = await startStack();
  const functionLog = path.join(dataDir, 'functions.log');
  project.provide('stack', description);
  project.provide('functionLog', functionLog);
  return async () => {
    const commands = ['reconcile-inventory', 'reconcile-ledger', 'reconcile-promo-codes'];
    const differences: string[] = [];
    for (const command of commands)
      await runOps([command], description).catch(({ stdout, stderr }) =>
        differences.push(`${command}: ${stdout}${stderr}`),
      );
    const log = readFileSync(functionLog, 'utf8');
    await stop();
    throwIfAny('These reconciliations found differences', differences);
    throwIfAny(
      'The init phase did not prime these AWS commands',
      log.split('\n').filter((line) => line.includes(unprimedMessage)),
    );
    throwIfAny('The functions logged secrets or personal data', findLeaks(log));
  };
}

function describeStack(location: string): StackDescription {
  if (/^https?:/.test(location)) return { apiUrl: location.replace(/\/$/, '') } as StackDescription;
  return JSON.parse(readFileSync(location, 'utf8'));
}

/**
 * Fails a run in which all tests of the Vitest project pass, but an operation of the API reference never succeeds: that
 * operation was not compared with the reference.
 */
function recordOperations(project: TestProject): () => Promise<void> {
  const directory = mkdtempSync(path.join(tmpdir(), 'boxoffice-operations-'));
  const file = path.join(directory, 'succeeded');
  appendFileSync(file, '');
  project.provide('succeededFile', file);
  return async () => {
    const succeeded = new Set(readFileSync(file, 'utf8').split('\n'));
    rmSync(directory, { recursive: true });
    if (!(await allPassed(project))) return;
    const { operations } = new Reference(JSON.parse(await generateOpenApi()));
    const neverSucceeded = operations.filter((operation) => !succeeded.has(operation));
    throwIfAny('These operations never succeeded in a test', neverSucceeded);
  };
}

/** Returns whether every test file of the project ran and passed. */
async function allPassed(project: TestProject): Promise<boolean> {
  const { testFiles } = await project.globTestFiles();
  const modules = project.vitest.state.getTestModules().filter((module) => module.project === project);
  const { testNamePattern } = project.vitest.config;
  return !testNamePattern && modules.length === testFiles.length && modules.every((module) => module.ok());
}

/** Starts the browser that all browser tests share. Each test opens its own contexts. */
async function startBrowser(project: TestProject): Promise<() => Promise<void>> {
  if (!existsSync(executablePath)) {
    console.error(
      `The browser tests are skipped, since there is no Chromium at ${executablePath}: install it, or set CHROMIUM to where it is.`,
    );
    return async () => {};
  }
  const isHeadlessInstalled = !process.env.CHROMIUM && existsSync(headlessPath);
  const server = await chromium.launchServer({
    executablePath: isHeadlessInstalled ? headlessPath : executablePath,
    args: flags,
  });
  project.provide('browser', server.wsEndpoint());
  return () => server.close();
}

function throwIfAny(problem: string, lines: string[]): void {
  if (lines.length > 0) throw new Error(`${problem}:\n${lines.join('\n')}`);
}
