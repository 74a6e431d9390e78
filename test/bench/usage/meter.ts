import { createServer, type IncomingMessage, request as send } from 'node:http';
import { json } from 'node:stream/consumers';
import { listen } from '../../../infra/local/ports.ts';
import { readBody } from '../../../infra/local/read-body.ts';

/** One request to the table or to a queue. */
export interface Call {
  service: 'table' | 'queue';
  /** `TransactWriteItems`, `SendMessage`, … */
  operation: string;
  /** What the table says it consumed, its indexes included; failed conditions consume too, but say nothing. */
  readUnits: number;
  writeUnits: number;
  status: number;
}

export interface Meter {
  tableUrl: string;
  queueUrl: string;
  /** The requests since the last time it was asked. */
  take(): Call[];
  stop(): void;
}

/**
 * Stands between functions and the real store and queues: counts what passes, and has the store say what each
 * request consumes.
 */
export async function startMeter(targets: Record<Call['service'], string>): Promise<Meter> {
  let calls: Call[] = [];
  const servers = await Promise.all([serve('table'), serve('queue')]);

  async function serve(service: Call['service']) {
    const server = createServer(async (request, response) => {
      const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
      const body = JSON.parse(String(await readBody(request, 16 * 1024 * 1024)));
      const asked = service === 'table' ? { ...body, ReturnConsumedCapacity: 'TOTAL' } : body;
      const answer = await forward(request, targets[service], JSON.stringify(asked));
      calls.push({ service, operation, ...units(operation, answer.body), status: answer.status });
      response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0' });
      response.end(JSON.stringify(answer.body));
    });
    return { server, url: `http://127.0.0.1:${await listen(server, 0)}` };
  }

  return {
    tableUrl: servers[0].url,
    queueUrl: servers[1].url,
    take() {
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

interface Answer {
  ConsumedCapacity?: Consumed | Consumed[];
}
interface Consumed {
  CapacityUnits: number;
}

function units(operation: string, { ConsumedCapacity = [] }: Answer) {
  const consumed = [ConsumedCapacity].flat().reduce((sum, { CapacityUnits }) => sum + CapacityUnits, 0);
  const isRead = /Get|Query|Scan/.test(operation);
  return { readUnits: isRead ? consumed : 0, writeUnits: isRead ? 0 : consumed };
}

/** The signature covers the headers that are passed on and our body no longer fits it; no local part checks it. */
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
