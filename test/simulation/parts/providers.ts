import { createHash } from 'node:crypto';
import type { Instantiate } from '../core/build.ts';
import { type Cause, runAs } from '../core/kernel.ts';
import { Random } from '../core/random.ts';
import type { PartOptions } from '../core/rates.ts';

export const gateways = ['gateway-a', 'gateway-b', 'gateway-c'] as const;
export type GatewayName = (typeof gateways)[number];

interface Reply {
  status?: number;
  json: object;
}
type Route = (call: object) => Reply | Promise<Reply>;

/** Delivers a webhook to the service. @returns the status of the response; 0 without a response */
type Post = (gateway: GatewayName, body: string, headers: object, causeName: string) => Promise<number>;

/** A transfer of a payout as the sandbox stores it. */
export interface Transfer {
  gateway: GatewayName;
  reference: string;
  amount: number;
  status: 'pending' | 'succeeded' | 'failed';
}

interface ProviderOptions extends PartOptions {
  // biome-ignore lint/suspicious/noExplicitAny: the classes are those of infra/sandbox
  instantiate: Instantiate<any>;
  configuration: object;
  post: Post;
}

const maximumDeliveries = 40;

/** The payment providers of the sandbox, in this process. Webhooks arrive late, twice, in any order, until they get a 200. */
export class Providers {
  readonly #options: ProviderOptions;
  readonly #routes: { method: string; pattern: RegExp; handler: Route; key: string | undefined }[] = [];
  // biome-ignore lint/suspicious/noExplicitAny: the classes are those of infra/sandbox
  readonly payments: any;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly actions: any;
  readonly #transfers: { list(): Transfer[] };
  /** The number of webhooks that were not delivered yet. */
  open = 0;

  constructor(options: ProviderOptions) {
    this.#options = options;
    const { configuration } = options;
    const sandbox = options.instantiate(process);
    this.payments = new sandbox.Payments(undefined, { nextRefund: () => 'done' });
    const transfers = new sandbox.Transfers(undefined);
    this.#transfers = transfers;
    const context = {
      payments: this.payments,
      transfers,
      checkoutUrl: ({ code }: { code: string }) => `https://sandbox.test/checkout/${code}`,
      startTransfer: (transfer: Transfer) => this.#startTransfer(transfer),
    };
    const providers = {
      'gateway-a': sandbox.createGatewayA(context, configuration),
      'gateway-b': sandbox.createGatewayB(context, configuration),
      'gateway-c': sandbox.createGatewayC(context, configuration, undefined),
    };
    this.actions = new sandbox.Actions(this.payments, transfers, providers, {
      send: (gateway: GatewayName, event: object, { repeat = 1 } = {}) => {
        for (let copy = 0; copy < repeat; copy++) this.#deliver(gateway, event, providers[gateway]);
        return Promise.resolve([]);
      },
    });
    for (const name of gateways) {
      for (const [route, handler] of Object.entries<Route>(providers[name].routes)) {
        const [method = '', path = ''] = route.split(' ');
        const pattern = new RegExp(`^/${name}${path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`);
        this.#routes.push({ method, pattern, handler, key: providers[name].key });
      }
    }
  }

  transfers(): Transfer[] {
    return this.#transfers.list();
  }

  /** Answers a call of the service to a provider's API. */
  fetch(url: URL, init: RequestInit): { status: number; body: object } {
    const text = String(init.body ?? '');
    for (const { method, pattern, handler, key } of this.#routes) {
      const match = method === (init.method ?? 'GET') && pattern.exec(url.pathname);
      if (!match) continue;
      const headers = Object.fromEntries(new Headers(init.headers));
      if (headers.authorization !== `Bearer ${key}`) return { status: 401, body: { message: 'Invalid key' } };
      const call = {
        params: Object.fromEntries(
          Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
        ),
        query: url.searchParams,
        headers,
        text,
        body: text.startsWith('{') ? JSON.parse(text) : {},
      };
      const random = new Random(
        this.#options.kernel.uniqueName(`${this.#options.seed}/${method} ${url.pathname} ${text}`),
      );
      const reply = this.runAsProvider(random, () => handler(call) as Reply);
      return { status: reply.status ?? 200, body: reply.json };
    }
    return { status: 404, body: { message: `No such route: ${url.pathname}` } };
  }

  #startTransfer(transfer: Transfer): void {
    const random = new Random(`${this.#options.seed}/transfer ${transfer.reference}`);
    const milliseconds = random.chance(this.#options.rates.late)
      ? random.below(1_200_000)
      : 200 + random.below(2_000);
    const outcome = random.chance(this.#options.rates.provider) ? 'failed' : 'succeeded';
    this.open++;
    this.#options.kernel.after(milliseconds, () => {
      this.open--;
      this.runAsProvider(random, () => this.actions.endTransfer(transfer, outcome));
    });
  }

  /** Runs code of the sandbox with randomness of its own. */
  runAsProvider<Result>(random: Random, run: () => Result): Result {
    const cause: Cause = {
      name: 'provider',
      random,
      skew: 0,
      isDead: false,
      requests: 0,
      faults: 0,
      tableFaults: 0,
    };
    return runAs(cause, run);
  }

  #deliver(gateway: GatewayName, event: object, provider: { sign(body: string): object }): void {
    const body = JSON.stringify(event);
    const digest = createHash('md5').update(body).digest('hex').slice(0, 8);
    const name = this.#options.kernel.uniqueName(`webhook ${gateway}~${digest}`);
    const random = new Random(`${this.#options.seed}/${name}`);
    const copies = random.chance(this.#options.rates.double) ? 2 + random.below(3) : 1;
    for (let copy = 1; copy <= copies; copy++) {
      const milliseconds = random.chance(this.#options.rates.late)
        ? random.below(400_000)
        : 20 + random.below(200);
      this.open++;
      this.#options.kernel.after(milliseconds, () =>
        this.#attempt(gateway, body, provider.sign(body), `${name}.${copy}`, 1),
      );
    }
  }

  async #attempt(gateway: GatewayName, body: string, headers: object, name: string, attempt: number) {
    const status = await this.#options.post(
      gateway,
      body,
      headers,
      attempt === 1 ? name : `${name}.${attempt}`,
    );
    if (status === 200 || attempt >= maximumDeliveries) this.open--;
    else {
      const seconds = Math.min(3600, 2 ** (attempt - 1));
      this.#options.kernel.after(1000 * seconds, () =>
        this.#attempt(gateway, body, headers, name, attempt + 1),
      );
    }
  }
}
