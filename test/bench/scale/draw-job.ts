import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { drawPages } from '../../../shared/catalog/queue/draw.ts';
import { putDrawPages, readDrawnPlaces } from '../../../shared/catalog/queue/store.ts';
import { queuePartitions } from '../../../shared/dynamo/keys.ts';

/** The job that draws a queue, in a process with the heap of its function, against a table of generated places. */

const eventId = 'cmassive0000000000000000';

export interface DrawJobResult {
  places: number;
  seconds: number;
  processorSeconds: number;
  /** The largest resident memory, MB. */
  memoryMegabytes: number;
  reads: number;
  writes: number;
}

/** @param heapMegabytes the limit of V8's heap */
export async function runDrawJob(places: number, heapMegabytes: number): Promise<DrawJobResult> {
  const counts = { reads: 0, writes: 0 };
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request));
    response.setHeader('content-type', 'application/x-amz-json-1.0');
    response.end(answer(request, body, places, counts));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${Math.floor(heapMegabytes)}`, import.meta.filename, String(places)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${port}`,
        AWS_REGION: 'eu-central-1',
        AWS_ACCESS_KEY_ID: 'local',
        AWS_SECRET_ACCESS_KEY: 'local',
        TABLE_NAME: 'boxoffice',
      },
    },
  );
  const output = await text(child.stdout);
  server.close();
  if (child.exitCode) throw new Error(`The draw of ${places} places ended with status ${child.exitCode}`);
  return { ...JSON.parse(output), ...counts };
}

/** Answers as the table does: pages of places, and nothing for writes. */
function answer(
  { headers }: IncomingMessage,
  // biome-ignore lint/suspicious/noExplicitAny: the protocol of the table
  body: any,
  places: number,
  counts: { reads: number; writes: number },
): string {
  if (!String(headers['x-amz-target']).endsWith('.Query')) {
    counts.writes++;
    return '{"UnprocessedItems":{}}';
  }
  counts.reads++;
  const partition: string = body.ExpressionAttributeValues[':pk'].S;
  const partitions = queuePartitions(eventId);
  const own = Math.floor((places + partitions.indexOf(partition)) / partitions.length);
  const start = Number(body.ExclusiveStartKey?.sk.S.slice(-8) ?? 0);
  const end = Math.min(own, start + 9_000);
  const prefix = `PLACE#${String(partitions.indexOf(partition)).padStart(14, 'x')}`;
  const Items = Array.from({ length: end - start }, (_, index) => ({
    sk: { S: `${prefix}${String(start + index + 1).padStart(8, '0')}` },
  }));
  return JSON.stringify({ Items, ...(end < own && { LastEvaluatedKey: Items.at(-1) }) });
}

if (import.meta.main) {
  const startedAt = performance.now();
  const placeIds = await readDrawnPlaces(eventId);
  if (placeIds.length !== Number(process.argv[2])) throw new Error(`${placeIds.length} places were read`);
  const pages = drawPages(placeIds, { seed: 'ab'.repeat(32), publicValue: 'cd'.repeat(32) });
  await putDrawPages(
    { id: eventId, queue: { opensAt: '', drawAt: '', until: '2030-01-01T00:00:00Z' } },
    pages,
  );
  const { user, system } = process.cpuUsage();
  console.log(
    JSON.stringify({
      places: placeIds.length,
      seconds: (performance.now() - startedAt) / 1_000,
      processorSeconds: (user + system) / 1_000_000,
      memoryMegabytes: process.resourceUsage().maxRSS / 1_024,
    }),
  );
}
