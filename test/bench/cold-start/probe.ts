import { createRequire } from 'node:module';

/**
 * Loads a built function in a fresh process, primes it and calls it once. Reports how long the load and the call took,
 * without the priming. Discards the function's output.
 */
const [file = '', event = '{}'] = process.argv.slice(2);
const require = createRequire(import.meta.url);
const print = process.stdout.write.bind(process.stdout);
process.stdout.write = () => true;

const startedAt = performance.now();
const { handler, primed } = file.endsWith('.cjs') ? require(file) : await import(file);
const loadedAt = performance.now();
await primed;
const initializedAt = performance.now();
await handler(JSON.parse(event), { getRemainingTimeInMillis: () => 10_000 });
const finishedAt = performance.now();

print(JSON.stringify({ load: loadedAt - startedAt, call: finishedAt - initializedAt }));
process.exit();
