import { pathToFileURL } from 'node:url';

/**
 * Lambda's runtime in a process of its own: loads the function, then handles the events of the parent process one by one
 * and reports how long each took. Discards the function's output.
 */
const [file = ''] = process.argv.slice(2);
for (const stream of [process.stdout, process.stderr]) stream.write = () => true;

const begun = performance.now();
const { handler } = await import(pathToFileURL(file).href);
process.send?.({ init: performance.now() - begun });

process.on('message', async (event: object) => {
  const called = performance.now();
  const answer = await handler(event, { getRemainingTimeInMillis: () => 10_000 });
  process.send?.({ milliseconds: performance.now() - called, answer });
});
