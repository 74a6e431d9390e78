import { type DeployedFunction, ExecutionEnvironment } from './execution-environment.ts';
import type { FunctionLog } from './function-log.ts';
import type { InvocationResult } from './worker.ts';

/**
 * Invokes a function, once an execution environment is free. A failure of the function is a result, not an exception.
 * @throws Error when there is no such function
 */
export type Invoke = (name: string, event: unknown) => Promise<InvocationResult>;

/** The Lambda service. It creates execution environments when they are needed. */
export class Lambda {
  readonly #functions: Map<string, LambdaFunction>;

  constructor(deployments: DeployedFunction[], log: FunctionLog) {
    this.#functions = new Map(
      deployments.map((deployment) => [deployment.name, new LambdaFunction(deployment, log)]),
    );
  }

  has(name: string): boolean {
    return this.#functions.has(name);
  }

  invoke: Invoke = async (name, event) => {
    const found = this.#functions.get(name);
    if (!found) throw new Error(`There is no function ${name}`);
    return found.invoke(JSON.stringify(event));
  };

  async stop(): Promise<void> {
    await Promise.all([...this.#functions.values()].map((lambdaFunction) => lambdaFunction.stop()));
  }
}

class LambdaFunction {
  readonly #deployment: DeployedFunction;
  readonly #log: FunctionLog;
  readonly #idle: ExecutionEnvironment[] = [];
  readonly #environments = new Set<ExecutionEnvironment>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(deployment: DeployedFunction, log: FunctionLog) {
    this.#deployment = deployment;
    this.#log = log;
  }

  async invoke(event: string): Promise<InvocationResult> {
    await this.#waitForCapacity();
    const environment = this.#acquireEnvironment();
    try {
      const result = await environment.run(event);
      if ('failure' in result) this.#logFailure(result.failure);
      return result;
    } finally {
      if (environment.isDead) this.#environments.delete(environment);
      else this.#idle.push(environment);
      this.#startNext();
    }
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#environments].map((environment) => environment.stop()));
  }

  /** Waits until fewer events than the function's concurrency are running. */
  async #waitForCapacity(): Promise<void> {
    if (this.#running < this.#deployment.concurrency) this.#running++;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Starts the event that has waited longest. */
  #startNext(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#running--;
  }

  #acquireEnvironment(): ExecutionEnvironment {
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      if (!idle.isDead) return idle;
      this.#environments.delete(idle);
    }
    const environment = new ExecutionEnvironment(this.#deployment, this.#log);
    this.#environments.add(environment);
    return environment;
  }

  #logFailure({
    errorType,
    errorMessage,
    stackTrace,
  }: {
    errorType: string;
    errorMessage: string;
    stackTrace?: string[];
  }) {
    const entry = { level: 'ERROR', message: errorType, cause: errorMessage, stack: stackTrace };
    this.#log.write(this.#deployment.name, JSON.stringify(entry));
  }
}
