import path from 'node:path';
import { startStack } from './stack.ts';
import { StartError } from './start-error.ts';

/** `npm start`: serves everything on this machine until Ctrl-C. `-- --fresh` begins anew. */

const { env } = process;
const directory = path.resolve(env.BOXOFFICE_DATA_DIR || '.local');
let stopParts: (() => unknown) | undefined;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => end(0));

// npm does not hand a SIGTERM on to what it runs, so when npm is gone, we go too.
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
  console.log(`Boxoffice is ready at ${description.apiUrl}`);
  console.log(`What it is made of is in ${path.join(directory, 'stack.json')}. Ctrl-C stops the stack.`);
} catch (error) {
  console.error(error instanceof StartError ? error.message : error);
  process.exit(1);
}

/** Ends every part, the newest first. A second Ctrl-C no longer waits; parts always end when we are gone. */
function end(code: number): void {
  Promise.resolve(stopParts?.()).finally(() => process.exit(code));
}

function readPort(text = ''): number {
  const port = Number(text || 3000);
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  throw new StartError(`PORT is ${text}, which is no port number.`);
}
