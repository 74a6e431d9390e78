import { pathToFileURL } from 'node:url';

/**
 * Stands in for Lambda's runtime in a child process: loads the function, calls it with each event from the parent
 * process, and reports the durations. Discards the function's output.
 */
const [file = ''] = process.argv.slice(2);
for (const stream of [process.stdout, process.stderr]) stream.write = () => true;

const startedAt = performance.now();
const { handler } = await import(pathToFileURL(file).href);
process.send?.({ init: performance.now() - startedAt });

process.on('message', async (event: object) => {
  const calledAt = performance.now();
  const answer = await handler(event, { getRemainingTimeInMillis: () => 10_000 });
  process.send?.({ milliseconds: performance.now() - calledAt, answer });
});
