import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { sourceMapDirectory, sourceMapFile } from '../build/build.ts';

/**
 * Replaces the positions in a deployed bundle by positions in the source, in a stack trace or in log lines that contain
 * one: `/var/task/function.cjs:1:2345` becomes `shared/orders/order.ts:12:3`.
 * @param map the source map of the function
 */
export function traceToSource(trace: string, map: SourceMapPayload): string {
  const sourceMap = new SourceMap(map);
  return trace.replaceAll(/[^\s()"]*function\.cjs:(\d+):(\d+)/g, (position, line, column) => {
    const origin = sourceMap.findOrigin(Number(line), Number(column));
    return 'fileName' in origin ? `${origin.fileName}:${origin.lineNumber}:${origin.columnNumber}` : position;
  });
}

/**
 * Prints a stack trace of a function with the lines of its source. It reads the trace from a file or from the standard
 * input, and the source maps of the build, or those that the pipeline keeps for each release.
 */
export async function printTrace(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      function: { type: 'string' },
      file: { type: 'string' },
      maps: { type: 'string', default: sourceMapDirectory },
    },
  });
  if (!values.function) throw new Error('Pass the name of the function: --function orders-initialize-order');
  const name = values.function.replace(/^boxoffice-(dev|staging|production)-/, '').replaceAll('/', '-');
  const mapFile = sourceMapFile(name, values.maps);
  if (!existsSync(mapFile)) {
    throw new Error(
      `There is no ${mapFile}: check out the release and run npm run build, or pass --maps with the pipeline's artifact.`,
    );
  }
  const trace = values.file ? await readFile(values.file, 'utf8') : await text(process.stdin);
  // A log line has the trace as a JSON string.
  const lines = trace.replaceAll('\\n', '\n');
  process.stdout.write(traceToSource(lines, JSON.parse(readFileSync(mapFile, 'utf8'))));
}
