import { readFileSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import type { StackDescription } from '../../infra/local/stack.ts';
import { startStack } from './stack.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    stack: StackDescription;
  }
}

/**
 * Starts the one stack that integration tests and journeys share. BOXOFFICE_STACK points them at another: the
 * path of a running stack's stack.json, or the base address of a deployed stage (for tests that need no more).
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const running = process.env.BOXOFFICE_STACK;
  if (running) {
    project.provide('stack', describe(running));
    return undefined;
  }
  const { invoke, sweep, stop, kill, dataDir, ...description } = await startStack();
  project.provide('stack', description);
  return stop;
}

function describe(running: string): StackDescription {
  if (/^https?:/.test(running)) return { apiUrl: running.replace(/\/$/, '') } as StackDescription;
  return JSON.parse(readFileSync(running, 'utf8'));
}
