import { readdirSync, readFileSync } from 'node:fs';

const ticksPerSecond = 100;

/**
 * Returns the CPU time, in seconds, that a process and its descendants have used, by the name of the program. Unlike
 * throughput, it hardly depends on the load of the machine. Linux only.
 */
export function readProcessorTime(pid: number): Record<string, number> {
  const all = readdirSync('/proc')
    .map(Number)
    .filter(Number.isInteger)
    .flatMap((id) => readProcess(id) ?? []);
  const members = new Set([pid]);
  // A child's id may be lower than its parent's, so repeat until no descendant is added.
  for (let size = 0; size < members.size; ) {
    size = members.size;
    for (const { id, parent } of all) if (members.has(parent)) members.add(id);
  }
  const times: Record<string, number> = {};
  for (const { id, name, ticks } of all) {
    if (members.has(id)) times[name] = (times[name] ?? 0) + ticks / ticksPerSecond;
  }
  return times;
}

function readProcess(id: number) {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'utf8');
    // The name is in brackets and may itself contain blanks and brackets.
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // proc(5): the parent's id, and the ticks in user mode and in the kernel.
    const [parent = 0, userTicks = 0, kernelTicks = 0] = [fields[1], fields[11], fields[12]].map(Number);
    return { id, name, parent, ticks: userTicks + kernelTicks };
  } catch {
    // The process has ended.
    return undefined;
  }
}
