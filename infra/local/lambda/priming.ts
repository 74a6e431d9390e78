import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';

/** The log message for a command that a function sends without having primed it. */
export const unprimedMessage = 'Command not primed';

/** The time limit of priming (shared/runtime/prime.ts), in milliseconds. */
export const primingMilliseconds = 2_000;

/**
 * Monitors the AWS commands of a function. The init phase must prime every command that the function sends
 * (shared/runtime/prime.ts), since the first call of an unprimed command takes several times as long.
 */
export class PrimingMonitor {
  readonly #seenCommands = new Set<string>();
  #report: ((command: string) => void) | undefined;

  constructor() {
    subscribe('http.client.request.start', (message) => {
      const { request } = message as { request: ClientRequest };
      const command = request.getHeader('x-amz-target');
      if (typeof command === 'string') this.#onCommand(command);
    });
  }

  /** Ends the init phase. @param report called once for each unprimed command that is sent later */
  endInit(report: (command: string) => void): void {
    this.#report = report;
  }

  #onCommand(command: string): void {
    if (this.#seenCommands.has(command)) return;
    this.#seenCommands.add(command);
    this.#report?.(command);
  }
}
