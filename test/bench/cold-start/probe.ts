import { createRequire } from 'node:module';

/**
 * Loads a built function in a fresh process, primes it, calls it once, and reports how long each took. Discards the
 * function's output.
 */
const [file = '', event = '{}'] = process.argv.slice(2);
const require = createRequire(import.meta.url);
const say = process.stdout.write.bind(process.stdout);
process.stdout.write = () => true;

const begun = performance.now();
const { handler, primed } = file.endsWith('.cjs') ? require(file) : await import(file);
const loaded = performance.now();
await primed;
const initialized = performance.now();
await handler(JSON.parse(event), { getRemainingTimeInMillis: () => 10_000 });
const called = performance.now();

say(JSON.stringify({ load: loaded - begun, call: called - initialized }));
process.exit();
