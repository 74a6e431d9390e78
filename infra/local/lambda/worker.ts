import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { FunctionLog } from './function-log.ts';
import { Priming, unprimedMessage } from './priming.ts';

/**
 * One Lambda execution environment: loads the built file, then handles one event at a time. Events and answers are
 * passed as JSON text, so that only values pass that also pass on Lambda.
 */
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
export type Answer = { payload: string } | { failure: FunctionFailure };

/** Lambda's limit for the answer to a synchronous call, in bytes. */
const payloadLimit = 6 * 1024 * 1024 + 100;
const tooLarge: Answer = {
  failure: {
    errorType: 'Function.ResponseSizeTooLarge',
    errorMessage: `Response payload size exceeded maximum allowed payload size (${payloadLimit} bytes).`,
  },
};

/** A worker's configuration. */
export interface Environment {
  file: string;
  name: string;
  memoryMegabytes: number;
  logFile: string;
}

const { file, name, memoryMegabytes, logFile } = workerData as Environment;
const log = new FunctionLog(logFile, process.stderr.write.bind(process.stderr));
for (const stream of [process.stdout, process.stderr]) stream.write = writeToLog;
const priming = new Priming();
const { handler } = await import(pathToFileURL(file).href);
priming.end((command) =>
  log.write(name, JSON.stringify({ level: 'WARN', message: unprimedMessage, command })),
);

parentPort?.on('message', async (task: Task) => parentPort?.postMessage(await answer(task)));
parentPort?.postMessage('ready');

async function answer({ requestId, event, deadline }: Task): Promise<Answer> {
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

/** Writes directly to the log: a stream that the main thread reads would cost several messages for each line. */
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
