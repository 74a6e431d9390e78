import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';

/** The log's message for a command that a function sent without having primed it. */
export const unprimedMessage = 'Command not primed';

/**
 * Watches the AWS commands of a function. The init phase is to prime every command that the function sends
 * (shared/runtime/prime.ts); a command that is not primed takes several times as long in the first call.
 */
export class Priming {
  readonly #primed = new Set<string>();
  #report: ((command: string) => void) | undefined;

  constructor() {
    subscribe('http.client.request.start', (message) => {
      const { request } = message as { request: ClientRequest };
      const command = request.getHeader('x-amz-target');
      if (typeof command === 'string') this.#onCommand(command);
    });
  }

  /** Ends the init phase. @param report called once for each command that is sent later without having been primed */
  end(report: (command: string) => void): void {
    this.#report = report;
  }

  #onCommand(command: string): void {
    if (this.#primed.has(command)) return;
    this.#primed.add(command);
    this.#report?.(command);
  }
}
