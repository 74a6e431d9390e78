import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Resources, Trigger } from '../shared/runtime/function.ts';

export type { QueueName, TableAction, Trigger } from '../shared/runtime/function.ts';

/** A function of the service: the definition in its file, with the defaults filled in. */
export interface FunctionRow extends Resources {
  /** The file below functions/, without its extension. */
  entry: string;
  trigger: Trigger;
  table: NonNullable<Resources['table']>;
  /** Whether the endpoint admits API keys. */
  acceptsKeys?: boolean;
  timeoutSeconds: number;
  memoryMegabytes: number;
}

/**
 * Reads the definitions of the files in a folder, in a process of its own, since that loads every handler.
 * @throws Error when a file exports no handler with a definition
 */
export function readFunctions(folder: string): FunctionRow[] {
  const program = path.join(import.meta.dirname, 'build', 'print-functions.ts');
  const rows = JSON.parse(execFileSync(process.execPath, [program, folder], { encoding: 'utf8' }));
  return rows.map(completeRow);
}

/** Fills in the defaults of a function. */
export function completeRow(
  definition: Resources & Pick<FunctionRow, 'entry' | 'trigger' | 'acceptsKeys'>,
): FunctionRow {
  return { table: [], timeoutSeconds: 10, memoryMegabytes: 512, ...definition };
}

/** The file of a build with the functions' definitions: reading those of all files takes a second. */
export const definitionsFile = (build: string) => path.join(build, 'definitions.json');

/**
 * The functions of the service: those of the build that BOXOFFICE_FUNCTIONS names, or of the files. The build, the CDK stack,
 * the local stack and the API reference use them.
 */
export const functions: readonly FunctionRow[] = process.env.BOXOFFICE_FUNCTIONS
  ? JSON.parse(readFileSync(definitionsFile(process.env.BOXOFFICE_FUNCTIONS), 'utf8'))
  : readFunctions(path.join(import.meta.dirname, '..', 'functions'));

/**
 * Returns whether a function serves buyers and organizers. With a front, it refuses requests that did not come through it.
 * Health, the reference and the preflights read nothing, and answer everybody.
 */
export function isBehindFront({ entry, trigger }: FunctionRow): boolean {
  return 'route' in trigger && !/^(webhooks|health|docs)\//.test(entry);
}

/** The deployed name of a function, without the stage: `orders-initialize-order`. */
export function functionName(row: Pick<FunctionRow, 'entry'>): string {
  return row.entry.replaceAll('/', '-');
}
