import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { generateOpenApi } from '../../infra/build/docs.ts';
import { Reference } from './reference.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The path of a file with the ids of operations that succeeded as documented, one a line. */
    succeededFile?: string;
  }
}

/**
 * Fails a run in which all tests of the Vitest project pass, but an operation of the API reference never succeeds: that
 * operation was not compared with the reference.
 */
export default function setup(project: TestProject): () => Promise<void> {
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
    if (neverSucceeded.length > 0)
      throw new Error(`These operations never succeeded in a test: ${neverSucceeded.join(', ')}`);
  };
}

/** Returns whether every test file of the project ran and passed. */
async function allPassed(project: TestProject): Promise<boolean> {
  const { testFiles } = await project.globTestFiles();
  const modules = project.vitest.state.getTestModules().filter((module) => module.project === project);
  const { testNamePattern } = project.vitest.config;
  return !testNamePattern && modules.length === testFiles.length && modules.every((module) => module.ok());
}
