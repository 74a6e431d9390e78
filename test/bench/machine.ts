import { availableParallelism, cpus, loadavg } from 'node:os';
import type { Machine } from './measured.ts';

export function describeMachine(): Machine {
  return {
    date: new Date().toISOString(),
    cores: availableParallelism(),
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    node: process.versions.node,
    loadBefore: loadavg()[0] ?? Number.NaN,
  };
}
