import path from 'node:path';
import { startStack } from './stack.ts';
import { StartError } from './start-error.ts';

/** `npm start`: runs the whole service on this machine until Ctrl-C. `-- --fresh` removes earlier data first. */

const { env } = process;
const directory = path.resolve(env.BOXOFFICE_DATA_DIR || '.local');
let stopParts: (() => unknown) | undefined;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => end(0));

// npm does not pass a SIGTERM on to its scripts, so this process ends when npm has ended.
const npm = env.npm_lifecycle_event ? process.ppid : undefined;
setInterval(() => npm && process.ppid !== npm && end(0), 500).unref();

try {
  const { description, stop } = await startStack({
    port: readPort(env.PORT),
    directory,
    fresh: process.argv.includes('--fresh'),
    env,
    onPartEnded: (part) => {
      console.error(`The ${part} ended unexpectedly, so the stack stops.`);
      end(1);
    },
  });
  stopParts = stop;
  console.log(`Mails arrive at ${description.mailUrl}`);
  console.log(`Boxoffice is ready at ${description.apiUrl}`);
  console.log(`Addresses of all parts: ${path.join(directory, 'stack.json')}. Press Ctrl-C to stop.`);
} catch (error) {
  console.error(error instanceof StartError ? error.message : error);
  process.exit(1);
}

/** Ends every part, the newest first. A second Ctrl-C does not wait: the parts end with this process. */
function end(code: number): void {
  Promise.resolve(stopParts?.()).finally(() => process.exit(code));
}

function readPort(text = ''): number {
  const port = Number(text || 3000);
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  throw new StartError(`PORT is ${text}, which is not a port number.`);
}
