import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { FunctionLog } from './function-log.ts';
import { PrimingMonitor, primingMilliseconds, unprimedMessage } from './priming.ts';

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
}

// The worker thread of a Lambda execution environment: loads the bundle, then handles one task at a time. Logs each
// AWS command that the init phase did not prime.
const { file, name, memoryMegabytes, logFile } = workerData as WorkerConfiguration;
const log = new FunctionLog(logFile, process.stderr.write.bind(process.stderr));
for (const stream of [process.stdout, process.stderr]) stream.write = writeToLog;
const primingMonitor = new PrimingMonitor();
const initStart = performance.now();
const { handler } = await import(pathToFileURL(file).href);
// On a slow machine, priming may have ended at its time limit, before all its commands were sent.
if (performance.now() - initStart < primingMilliseconds) {
  primingMonitor.endInit((command) =>
    log.write(name, JSON.stringify({ level: 'WARN', message: unprimedMessage, command })),
  );
}

parentPort?.on('message', async (task: Task) => parentPort?.postMessage(await handleTask(task)));
parentPort?.postMessage('ready');

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
