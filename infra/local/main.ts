import path from 'node:path';
import { readLogins } from './demo/steps.ts';
import { Progress } from './progress.ts';
import { StartError } from './services/process.ts';
import type { StackDescription } from './stack.ts';

/**
 * `npm start`: runs the whole service on this machine until Ctrl-C. `npm start -- --fresh` removes earlier data first.
 */

const { env } = process;
const directory = path.resolve(env.BOXOFFICE_DATA_DIR || '.local');
let stopping: Promise<void> | undefined;
let stopServices: (() => Promise<void>) | undefined;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => end(0));

// npm does not forward a SIGTERM to its scripts, so this process ends when npm has ended.
const npmProcessId = env.npm_lifecycle_event ? process.ppid : undefined;
setInterval(() => npmProcessId && process.ppid !== npmProcessId && end(0), 500).unref();

console.log('Starting boxoffice …');
const progress = new Progress();
try {
  const port = readPort(env.PORT);
  // Imported after the first line is printed, since the import takes most of a second.
  const { startStack } = await import('./stack.ts');
  const { description, stop } = await startStack({
    port,
    directory,
    fresh: process.argv.includes('--fresh'),
    env,
    progress,
    onServiceEnded: (service) => {
      console.error(`The ${service} ended unexpectedly, so the stack stops.`);
      end(1);
    },
  });
  stopServices = stop;
  progress.end();
  console.log(`Boxoffice is ready at ${description.apiUrl}`);
  console.log(formatOverview(description));
} catch (error) {
  progress.end();
  console.error(error instanceof StartError ? error.message : error);
  process.exit(1);
}

/** Lists the addresses, logins and log files for the person who started the stack. */
function formatOverview({ apiUrl, mailUrl }: StackDescription): string {
  const logins = readLogins(directory) ?? ['npm run demo creates an organizer and a buyer'];
  const rows: [name: string, value: string][] = [
    ['shop', apiUrl],
    ['docs', `${apiUrl}/docs`],
    ['mailbox', mailUrl],
    ...logins.map((login, index): [string, string] => [index === 0 ? 'demo logins' : '', login]),
    ['logs', `${formatPath('functions.log')}, ${formatPath('services.log')}`],
    ['addresses', formatPath('stack.json')],
  ];
  const list = rows.map(([name, value]) => `  ${name.padEnd(13)}${value}`).join('\n');
  return `\n${list}\n\nPress Ctrl-C to stop.`;
}

/** Returns the path of a data file, relative to the working directory. */
function formatPath(name: string): string {
  return path.relative('', path.join(directory, name));
}

/** Stops every service, the newest first, then exits. A second Ctrl-C exits at once, which also ends the services. */
function end(code: number): void {
  progress.end();
  stopping ??= Promise.resolve(stopServices?.());
  stopping.finally(() => process.exit(code));
}

function readPort(text = ''): number {
  const port = Number(text || 3000);
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  throw new StartError(`PORT is ${text}, which is not a port number.`);
}
