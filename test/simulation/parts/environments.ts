import type { Handler, Instantiate } from '../core/build.ts';
import { type Cause, runAs } from '../core/kernel.ts';
import { Random } from '../core/random.ts';
import type { PartOptions } from '../core/rates.ts';

type Service = { load(name: string): Handler; names: string[] };
export type InstantiateService = Instantiate<Service>;

export type InvocationResult =
  | { value: unknown; cause: Cause }
  /** The function threw, timed out, or its environment was killed. */
  | { failure: string; cause: Cause };

interface Environment {
  number: number;
  service: Service;
  skew: number;
  busy: Set<string>;
  /** Ends each invocation that runs in the environment. */
  running: Map<Cause, (result: InvocationResult) => void>;
  isDead: boolean;
}

interface EnvironmentOptions extends PartOptions {
  instantiate: InstantiateService;
  variables: Record<string, string>;
}

/** The largest number of environments that live at the same time, unless all are busy with the same function. */
const maximumEnvironments = 3;

/**
 * The execution environments of all functions: each has its own modules that remember anything. Unlike on Lambda, one
 * environment holds several functions, since loading takes time; each handles one event of a function at a time.
 */
export class Environments {
  readonly #options: EnvironmentOptions;
  #environments: Environment[] = [];
  #count = 0;
  /** Sees every line that the service logs. */
  onLog: (line: string, cause: Cause) => void = () => {};

  constructor(options: EnvironmentOptions) {
    this.#options = options;
  }

  get isIdle(): boolean {
    return this.#environments.every(({ running }) => running.size === 0);
  }

  /** Invokes a function. Never throws. */
  invoke(name: string, event: object, causeName: string, timeoutSeconds: number): Promise<InvocationResult> {
    const random = new Random(`${this.#options.seed}/${causeName}`);
    const environment = this.#choose(name, random);
    const cause: Cause = {
      name: causeName,
      random,
      skew: environment.skew,
      isDead: false,
      requests: 0,
      faults: 0,
      tableFaults: 0,
      onLog: (line) => this.onLog(line, cause),
    };
    if (random.chance(this.#options.rates.kill)) this.#planKill(environment, cause);
    return new Promise((resolve) => {
      const end = (result: InvocationResult) => {
        timeout.isCancelled = true;
        environment.running.delete(cause);
        environment.busy.delete(name);
        resolve(result);
      };
      environment.running.set(cause, end);
      environment.busy.add(name);
      const timeout = this.#options.kernel.after(timeoutSeconds * 1000, () => {
        cause.faults++;
        this.#options.tell(`${causeName}: timed out`);
        this.#kill(environment);
      });
      const context = {
        awsRequestId: causeName,
        functionName: name,
        getRemainingTimeInMillis: () => Math.max(0, timeout.time - this.#options.kernel.now),
      };
      const handle = async () => environment.service.load(name)(event, context);
      runAs(cause, handle).then(
        (value) => cause.isDead || end({ value, cause }),
        (error) => {
          if (cause.isDead) return;
          this.onLog(String(error?.stack ?? error), cause);
          end({ failure: String(error), cause });
        },
      );
    });
  }

  #choose(name: string, random: Random): Environment {
    const free = this.#environments.filter(({ busy }) => !busy.has(name));
    if (free.length > 0 && (this.#environments.length >= maximumEnvironments || random.chance(0.9))) {
      return random.pick(free);
    }
    const environment = {
      number: ++this.#count,
      service: this.#options.instantiate(
        Object.create(process, { env: { value: this.#options.variables, enumerable: true } }),
      ),
      skew: Math.round((random.fraction() - 0.5) * this.#options.rates.skew),
      busy: new Set<string>(),
      running: new Map(),
      isDead: false,
    };
    this.#environments.push(environment);
    return environment;
  }

  /** Kills the environment before one of the invocation's first requests, or after its effect. */
  #planKill(environment: Environment, cause: Cause): void {
    const target = 1 + cause.random.below(10);
    const isAfterEffect = cause.random.chance(0.6);
    cause.onRequest = (number) => {
      if (number !== target) return;
      if (isAfterEffect) this.#options.kernel.after(12, () => this.#killFor(environment, cause, number));
      else this.#killFor(environment, cause, number);
    };
  }

  #killFor(environment: Environment, cause: Cause, number: number): void {
    if (!environment.running.has(cause)) return;
    this.#options.tell(`${cause.name}: killed at request ${number}`);
    this.#kill(environment);
  }

  #kill(environment: Environment): void {
    environment.isDead = true;
    this.#environments = this.#environments.filter((candidate) => candidate !== environment);
    for (const [cause, end] of [...environment.running]) {
      cause.isDead = true;
      cause.faults++;
      end({ failure: 'killed', cause });
    }
  }
}
