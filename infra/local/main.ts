import path from 'node:path';
import { demoLogins } from './demo/logins.ts';
import { Progress } from './progress.ts';
import type { StackDescription } from './stack.ts';
import { StartError } from './start-error.ts';

/** `npm start`: runs the whole service on this machine until Ctrl-C. `-- --fresh` removes earlier data first. */

const { env } = process;
const directory = path.resolve(env.BOXOFFICE_DATA_DIR || '.local');
let stopParts: (() => unknown) | undefined;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => end(0));

// npm does not pass a SIGTERM on to its scripts, so this process ends when npm has ended.
const npm = env.npm_lifecycle_event ? process.ppid : undefined;
setInterval(() => npm && process.ppid !== npm && end(0), 500).unref();

console.log('Starting boxoffice …');
const progress = new Progress();
try {
  const port = readPort(env.PORT);
  // Loaded after the first line, since loading takes most of a second.
  const { startStack } = await import('./stack.ts');
  const { description, stop } = await startStack({
    port,
    directory,
    fresh: process.argv.includes('--fresh'),
    env,
    progress,
    onPartEnded: (part) => {
      console.error(`The ${part} ended unexpectedly, so the stack stops.`);
      end(1);
    },
  });
  stopParts = stop;
  progress.end();
  console.log(`Boxoffice is ready at ${description.apiUrl}`);
  console.log(overview(description));
} catch (error) {
  progress.end();
  console.error(error instanceof StartError ? error.message : error);
  process.exit(1);
}

/** Lists what the person who started the stack may want to open. */
function overview({ apiUrl, mailUrl }: StackDescription): string {
  const logins = demoLogins(directory) ?? ['npm run demo makes an organizer and a buyer'];
  const rows: [name: string, value: string][] = [
    ['shop', apiUrl],
    ['docs', `${apiUrl}/docs`],
    ['mailbox', mailUrl],
    ...logins.map((login, index): [string, string] => [index === 0 ? 'demo logins' : '', login]),
    ['logs', `${file('functions.log')}, ${file('parts.log')}`],
    ['addresses', file('stack.json')],
  ];
  const list = rows.map(([name, value]) => `  ${name.padEnd(13)}${value}`).join('\n');
  return `\n${list}\n\nPress Ctrl-C to stop.`;
}

function file(name: string): string {
  return path.relative('', path.join(directory, name));
}

/** Ends every part, the newest first. A second Ctrl-C does not wait: the parts end with this process. */
function end(code: number): void {
  progress.end();
  Promise.resolve(stopParts?.()).finally(() => process.exit(code));
}

function readPort(text = ''): number {
  const port = Number(text || 3000);
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  throw new StartError(`PORT is ${text}, which is not a port number.`);
}
