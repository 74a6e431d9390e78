import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { functionName, functions } from '../../../infra/functions.ts';
import { configuration } from '../../../infra/local/defaults.ts';
import { toDeployedFunctions } from '../../../infra/local/lambda/deployments.ts';
import type { LoadResult } from './run-load.ts';
import type { Sale } from './shop.ts';
import type { Stack } from './stack.ts';

/** A process that places and pays orders in a loop, on the table, the queues and the sandbox of the stack. */
export class Loop {
  readonly #process: ChildProcess;

  private constructor(file: string, parameters: string[], env: NodeJS.ProcessEnv) {
    this.#process = fork(path.join(import.meta.dirname, file), parameters, { env });
  }

  /** The floor: an order's requests without the service's code. */
  static startFloor(stack: Stack): Loop {
    const endpoints = { AWS_ENDPOINT_URL_SQS: stack.sqsUrl, AWS_ENDPOINT_URL_SESV2: stack.mailUrl };
    return new Loop('floor-loop.ts', [], { ...process.env, ...settingsOf(stack), ...endpoints });
  }

  /** The service's built functions, without the servers and threads of the local stack. */
  static startFunctions(stack: Stack, sale: Sale): Loop {
    const names = [
      'orders-initialize-order',
      'webhooks-gateway-a',
      'workers-fulfil-orders',
      'workers-send-mail',
    ];
    const rows = functions.filter((row) => names.includes(functionName(row)));
    const deployed = toDeployedFunctions(rows, {
      configuration: settingsOf(stack),
      functions: path.join(stack.directory, 'functions'),
      tableName: stack.tableName,
      dynamodbUrl: stack.dynamodbUrl,
      sqsUrl: stack.sqsUrl,
      sesUrl: stack.mailUrl,
      queueUrl: (name) => stack.queueUrls[name] ?? '',
    });
    const files = names.map((name) => deployed.find((one) => one.name === name)?.file ?? '');
    const environments = deployed.map(({ environment }) => environment);
    return new Loop('functions-loop.ts', [JSON.stringify(sale), ...files], {
      ...process.env,
      ...Object.assign({}, ...environments),
    });
  }

  /** Processes orders for the given seconds, `concurrency` at a time. */
  async run(load: { concurrency: number; seconds: number }): Promise<LoadResult> {
    this.#process.send(load);
    const [result] = await once(this.#process, 'message');
    return result;
  }

  stop(): void {
    this.#process.kill();
  }
}

const settingsOf = ({ apiUrl, sandboxUrl, chainRpcUrl }: Stack) =>
  configuration({ apiUrl, sandboxUrl, chainRpcUrl }, {});
