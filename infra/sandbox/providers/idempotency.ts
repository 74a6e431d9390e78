import type { Call, Handler, Reply } from '../router.ts';
import { Journal } from './journal.ts';

interface StoredReply {
  request: string;
  reply: Reply;
}

/**
 * Stripe's idempotency: returns the first reply to an Idempotency-Key again, and refuses another request with the same
 * key.
 */
export class Idempotency {
  readonly #journal: Journal<StoredReply>;
  readonly #refuse: (status: number, message: string) => Reply;

  constructor(file: string, refuse: (status: number, message: string) => Reply) {
    this.#journal = new Journal(file);
    this.#refuse = refuse;
  }

  /** Makes a handler idempotent. */
  wrap(handler: (call: Call) => Reply): Handler {
    return (call) => {
      const key = call.headers['idempotency-key']?.toString();
      if (!key) return handler(call);
      const stored = this.#journal.get(key);
      if (stored && stored.request !== call.text) {
        return this.#refuse(400, 'Keys for idempotent requests can only be used with the same parameters');
      }
      const reply = stored?.reply ?? handler(call);
      if (!stored) this.#journal.set(key, { request: call.text, reply });
      return reply;
    };
  }
}
