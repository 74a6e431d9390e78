import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { openApi } from '../../infra/build/docs.ts';
import { Reference } from './reference.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A file with a line for each operation that succeeded as documented. */
    succeeded?: string;
  }
}

/**
 * Fails a complete, successful run of the project in which an operation of the API reference never succeeded. Without
 * this, an operation that no test calls would not be checked against the reference.
 */
export default function setup(project: TestProject): () => Promise<void> {
  const directory = mkdtempSync(path.join(tmpdir(), 'boxoffice-operations-'));
  const file = path.join(directory, 'succeeded');
  appendFileSync(file, '');
  project.provide('succeeded', file);
  return async () => {
    const succeeded = new Set(readFileSync(file, 'utf8').split('\n'));
    rmSync(directory, { recursive: true });
    if (!(await allPassed(project))) return;
    const { operations } = new Reference(JSON.parse(await openApi()));
    const neverSucceeded = operations.filter((operation) => !succeeded.has(operation));
    if (neverSucceeded.length > 0)
      throw new Error(`No test saw these operations succeed: ${neverSucceeded.join(', ')}`);
  };
}

/** Returns whether every file ran and passed. */
async function allPassed(project: TestProject): Promise<boolean> {
  const { testFiles } = await project.globTestFiles();
  const modules = project.vitest.state.getTestModules().filter((module) => module.project === project);
  const { testNamePattern } = project.vitest.config;
  return !testNamePattern && modules.length === testFiles.length && modules.every((module) => module.ok());
}
