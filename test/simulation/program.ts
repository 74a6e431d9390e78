// First, since it replaces the clock and the randomness that all others use.
import './core/globals.ts';
import { buildProviders, buildService, type Replacement } from './core/build.ts';
import { faults } from './core/rates.ts';
import type { Program } from './core/simulation.ts';
import { type HistoryOptions, type HistoryResult, runHistory } from './history.ts';
import { createWorld, type World } from './world.ts';

/** Runs histories in this process. It has replaced the process's clock, so it does nothing else. */
export class Runner {
  readonly #program: Program;
  readonly #world: World;

  private constructor(program: Program, world: World) {
    this.#program = program;
    this.#world = world;
  }

  /** Builds the service, if wanted with a bug. @throws Error when a replacement does not match the code */
  static async create(replacements: readonly Replacement[] = []): Promise<Runner> {
    const [service, providers] = await Promise.all([buildService(replacements), buildProviders()]);
    const { names, load, keys } = service(process);
    const definitions = new Map(names.map((name) => [name, load(name).definition]));
    const program = { service, providers, definitions, keys };
    return new Runner(program, await createWorld(program));
  }

  run(options: HistoryOptions): Promise<HistoryResult> {
    return runHistory(this.#program, this.#world, options);
  }

  /**
   * Removes operations and faults from a failing history, as long as the same invariant fails.
   * @returns the shortest history that was found
   */
  async shrink(options: HistoryOptions, failed: HistoryResult): Promise<HistoryOptions> {
    let shortest: HistoryOptions = { ...options, without: new Set(), withoutFaults: new Set() };
    const fails = async (candidate: HistoryOptions) =>
      (await this.run(candidate)).violation === failed.violation;
    const remaining = () => failed.ran.filter((number) => !shortest.without?.has(number));
    for (let size = Math.ceil(remaining().length / 2); size >= 1; size = Math.floor(size / 2)) {
      for (let start = 0; start < remaining().length; ) {
        const removed = remaining().slice(start, start + size);
        const candidate = { ...shortest, without: new Set([...(shortest.without ?? []), ...removed]) };
        if (await fails(candidate)) shortest = candidate;
        else start += size;
      }
    }
    for (const fault of faults) {
      const withoutFaults = new Set([...(shortest.withoutFaults ?? []), fault]);
      if (await fails({ ...shortest, withoutFaults })) shortest = { ...shortest, withoutFaults };
    }
    return shortest;
  }
}
