import type { WebhookRequest } from '../core/network.ts';
import { Random } from '../core/random.ts';
import type { PartOptions } from '../core/rates.ts';

/** The address at which the receivers are. */
const publicAddress = '93.184.215.14';
const failures = ['fails', 'fails', 'hangs', 'hangs', 'redirects', 'is gone'] as const;
const statuses = { fails: 500, hangs: undefined, redirects: 302, 'is gone': 410 };

/** The systems of organizers that receive webhooks. They fail, hang, redirect, or are gone, until the faults end. */
export class Receivers {
  readonly #options: PartOptions;
  /** What was answered with a status from 200 to 299: the address with the `webhook-id`. */
  readonly accepted = new Set<string>();
  /** Sees each request that arrives. */
  onReceive: (request: WebhookRequest) => void = () => {};

  constructor(options: PartOptions) {
    this.#options = options;
  }

  /** Names resolve to the public address. Sometimes the owner of a name adds one of this network, which is never reached. */
  resolve(name: string): string[] {
    const random = this.#draw(`resolve ${name}`);
    return random.chance(this.#options.rates.provider / 4) ? [publicAddress, '10.0.0.1'] : [publicAddress];
  }

  /** @returns the status of the answer; undefined when there is none */
  receive(request: WebhookRequest): number | undefined {
    if (request.address !== publicAddress) throw new Error(`Connected to ${request.address}`);
    this.onReceive(request);
    const id = `${request.url} ${request.headers['webhook-id']}`;
    const random = this.#draw(`receive ${id}`);
    if (random.chance(this.#options.rates.provider)) {
      const failure = random.pick(failures);
      this.#options.tell(`${id}: the receiver ${failure}`);
      return statuses[failure];
    }
    this.accepted.add(id);
    return 204;
  }

  #draw(name: string): Random {
    return new Random(this.#options.kernel.uniqueName(`${this.#options.seed}/${name}`));
  }
}
