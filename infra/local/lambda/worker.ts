import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { enableCompileCache } from 'node:module';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { FunctionLog, unprimedMessage } from './log.ts';

/** An invocation of the function. The event and the result are JSON, as on Lambda. */
export interface Task {
  requestId: string;
  event: string;
  /** Epoch milliseconds. */
  deadline: number;
}
export interface FunctionFailure {
  errorType: string;
  errorMessage: string;
  stackTrace?: string[];
}
export type InvocationResult = { payload: string } | { failure: FunctionFailure };

/** Lambda's limit for the result of a synchronous call, in bytes. */
const payloadLimit = 6 * 1024 * 1024 + 100;
const tooLarge: InvocationResult = {
  failure: {
    errorType: 'Function.ResponseSizeTooLarge',
    errorMessage: `Response payload size exceeded maximum allowed payload size (${payloadLimit} bytes).`,
  },
};

/** The function that the worker thread runs. */
export interface WorkerConfiguration {
  file: string;
  name: string;
  memoryMegabytes: number;
  logFile: string;
  /** The folder of Node's compile cache; undefined without one. */
  compileCache: string | undefined;
}

/** The time limit of priming (shared/runtime/prime.ts), in milliseconds. */
const primingMilliseconds = 2_000;

// The worker thread of a Lambda execution environment: loads the bundle, then handles one task at a time.
const { file, name, memoryMegabytes, logFile, compileCache } = workerData as WorkerConfiguration;
// A bundle is compiled once for all environments.
if (compileCache) enableCompileCache(compileCache);
const log = new FunctionLog(logFile, process.stderr.write.bind(process.stderr));
for (const stream of [process.stdout, process.stderr]) stream.write = writeToLog;
const initStart = performance.now();
let isPrimed = false;
const sentCommands = new Set<string>();
subscribe('http.client.request.start', checkPriming);
const { handler } = await import(pathToFileURL(file).href);
// On a slow machine, priming may have ended at its time limit, before all its commands were sent.
if (performance.now() - initStart < primingMilliseconds) isPrimed = true;

parentPort?.on('message', async (task: Task) => parentPort?.postMessage(await handleTask(task)));
parentPort?.postMessage('ready');

/**
 * Logs each AWS command that the init phase did not send. The init phase must prime every command of the function
 * (shared/runtime/prime.ts), since the first call of an unprimed command takes several times as long.
 */
function checkPriming(message: unknown): void {
  const { request } = message as { request: ClientRequest };
  const command = request.getHeader('x-amz-target');
  if (typeof command !== 'string' || sentCommands.has(command)) return;
  sentCommands.add(command);
  if (isPrimed) log.write(name, JSON.stringify({ level: 'WARN', message: unprimedMessage, command }));
}

async function handleTask({ requestId, event, deadline }: Task): Promise<InvocationResult> {
  const context = {
    awsRequestId: requestId,
    functionName: name,
    functionVersion: '$LATEST',
    memoryLimitInMB: `${memoryMegabytes}`,
    callbackWaitsForEmptyEventLoop: false,
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  };
  try {
    const payload = JSON.stringify(await handler(JSON.parse(event), context)) ?? 'null';
    return Buffer.byteLength(payload) > payloadLimit ? tooLarge : { payload };
  } catch (error) {
    return { failure: toFailure(error) };
  }
}

/** Writes directly to the log, since output through the main thread would cost several messages per line. */
function writeToLog(text: string | Uint8Array): boolean {
  for (const line of text.toString().split('\n')) if (line) log.write(name, line);
  return true;
}

function toFailure(error: unknown): FunctionFailure {
  if (!(error instanceof Error)) return { errorType: 'Error', errorMessage: String(error) };
  return {
    errorType: error.name,
    errorMessage: error.message,
    stackTrace: error.stack?.split('\n').slice(1),
  };
}
