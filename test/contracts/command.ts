import { execFile } from 'node:child_process';
import path from 'node:path';

export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

/**
 * Runs a script (path from the project's root) with the given environment only.
 * @throws the error of a script that did not start, or that a signal ended
 */
export function runCommand(script: string, args: string[], env: NodeJS.ProcessEnv): Promise<CommandResult> {
  const command = path.resolve(import.meta.dirname, '..', '..', script);
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [command, ...args], { env }, (error, stdout, stderr) => {
      const code = error ? error.code : 0;
      if (typeof code === 'number') resolve({ code, stdout, stderr });
      else reject(error);
    });
  });
}
