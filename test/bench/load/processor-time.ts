import { readdirSync, readFileSync } from 'node:fs';

/** CPU time in seconds, by the name of the program. Node's is `MainThread`. */
export type ProcessorTime = Record<string, number>;

const ticksPerSecond = 100;

/**
 * Returns the CPU time that a process and its descendants have used. Unlike throughput, it hardly depends on the load
 * of the machine, so it tells slow code from a busy machine. Linux only; empty on other systems.
 */
export function readProcessorTime(pid: number): ProcessorTime {
  const all = processes();
  const members = new Set([pid]);
  // A child's id may be lower than its parent's, so repeat until no descendant is added.
  for (let size = 0; size < members.size; ) {
    size = members.size;
    for (const { id, parent } of all) if (members.has(parent)) members.add(id);
  }
  const times: ProcessorTime = {};
  for (const { id, name, ticks } of all) {
    // The stack's programs run in shell scripts (child-process.ts), which only wait.
    if (members.has(id) && name !== 'sh' && name !== 'cat')
      times[name] = (times[name] ?? 0) + ticks / ticksPerSecond;
  }
  return times;
}

/** Returns the CPU time used between two readings. */
export function subtractTimes(after: ProcessorTime, before: ProcessorTime): ProcessorTime {
  return Object.fromEntries(Object.entries(after).map(([name, time]) => [name, time - (before[name] ?? 0)]));
}

function processes() {
  return numericNames('/proc').flatMap((id) => {
    try {
      const stat = readFileSync(`/proc/${id}/stat`, 'utf8');
      // The name is in brackets and may itself contain blanks and brackets.
      const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      // proc(5): the parent's id, and the ticks in user mode and in the kernel.
      const [parent = 0, userTicks = 0, kernelTicks = 0] = [fields[1], fields[11], fields[12]].map(Number);
      return [{ id, name, parent, ticks: userTicks + kernelTicks }];
    } catch {
      // The process has ended.
      return [];
    }
  });
}

function numericNames(directory: string): number[] {
  try {
    return readdirSync(directory).map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}
