import { createServer, type IncomingMessage, request as send } from 'node:http';
import { json } from 'node:stream/consumers';
import { readBody } from '../../../infra/local/http/payload.ts';
import { listen } from '../../../infra/local/services/process.ts';
import { absentPrefix } from '../../../shared/dynamo/prime.ts';

/** One request to the table or to a queue. */
export interface Call {
  service: 'table' | 'queue';
  /** `TransactWriteItems`, `SendMessage`, … */
  operation: string;
  /** The units that the table reports, including those of indexes. It reports none for a failed condition. */
  readUnits: number;
  writeUnits: number;
  status: number;
}

export interface Meter {
  tableUrl: string;
  queueUrl: string;
  /** Returns the requests since the last call of this method. */
  takeCalls(): Call[];
  stop(): void;
}

/**
 * Starts proxies between the functions and the table and queues. They record each request, and make the table report
 * the units that the request consumed.
 */
export async function startMeter(targets: Record<Call['service'], string>): Promise<Meter> {
  let calls: Call[] = [];
  const servers = await Promise.all([serve('table'), serve('queue')]);

  async function serve(service: Call['service']) {
    const server = createServer(async (request, response) => {
      const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
      const body = JSON.parse(String(await readBody(request, 16 * 1024 * 1024)));
      const forwarded = service === 'table' ? { ...body, ReturnConsumedCapacity: 'TOTAL' } : body;
      const answer = await forward(request, targets[service], JSON.stringify(forwarded));
      if (!isPriming(body))
        calls.push({ service, operation, ...consumedUnits(operation, answer.body), status: answer.status });
      response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0' });
      response.end(JSON.stringify(answer.body));
    });
    return { server, url: `http://127.0.0.1:${await listen(server, 0)}` };
  }

  return {
    tableUrl: servers[0].url,
    queueUrl: servers[1].url,
    takeCalls() {
      const taken = calls;
      calls = [];
      return taken;
    },
    stop() {
      for (const { server } of servers) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}

/** Returns whether a function sends the request in its init phase, not for an event: see shared/runtime/prime.ts. */
function isPriming(body: { MessageBody?: string; Entries?: unknown[] }): boolean {
  return body.MessageBody === '' || body.Entries?.length === 0 || JSON.stringify(body).includes(absentPrefix);
}

interface Answer {
  ConsumedCapacity?: Consumed | Consumed[];
}
interface Consumed {
  CapacityUnits: number;
}

function consumedUnits(operation: string, { ConsumedCapacity = [] }: Answer) {
  const consumed = [ConsumedCapacity].flat().reduce((sum, { CapacityUnits }) => sum + CapacityUnits, 0);
  const isRead = /Get|Query|Scan/.test(operation);
  return { readUnits: isRead ? consumed : 0, writeUnits: isRead ? 0 : consumed };
}

/** Forwards a request. Its signature does not match the changed body, but no local server verifies signatures. */
function forward(request: IncomingMessage, url: string, body: string) {
  const { host, 'content-length': length, ...headers } = request.headers;
  return new Promise<{ status: number; body: Answer }>((resolve, reject) => {
    const target = new URL(request.url ?? '/', url);
    send(target, { method: 'POST', headers }, async (answer) => {
      resolve({ status: answer.statusCode ?? 0, body: (await json(answer)) as Answer });
    })
      .once('error', reject)
      .end(body);
  });
}
