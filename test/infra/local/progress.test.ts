import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Progress } from '../../../infra/local/progress.ts';

/** Creates a stand-in for the process's standard output that collects its text. */
function createOutput(isTTY: boolean) {
  let written = '';
  const stream = { isTTY, columns: 60, write: (text: string) => (written += text) };
  return { stream: stream as unknown as NodeJS.WriteStream, written: () => written };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Resolves after a number of seconds on the fake clock. */
const waitSeconds = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

describe('progress in a pipe or a file', () => {
  it('prints each ready part with its duration, and the parts still starting after each second without output', async () => {
    const { stream, written } = createOutput(false);
    const progress = new Progress(stream);
    const parts = [progress.track('table', waitSeconds(0.3)), progress.track('functions', waitSeconds(2.5))];
    await vi.advanceTimersByTimeAsync(2600);
    await Promise.all(parts);
    progress.end();
    expect(written().replace(/ +/g, ' ')).toBe(
      ' ✓ table 0.3 s\n functions … 1.3 s\n functions … 2.3 s\n ✓ functions 2.5 s\n',
    );
  });

  it('prints nothing after a failure', async () => {
    const { stream, written } = createOutput(false);
    const progress = new Progress(stream);
    await expect(progress.track('table', Promise.reject(new Error('no')))).rejects.toThrow('no');
    await vi.advanceTimersByTimeAsync(5000);
    progress.end();
    expect(written()).toBe('');
  });
});

describe('progress in a terminal', () => {
  it('redraws one line with the parts that are starting, and at the end shows only the lines of ready parts', async () => {
    const { stream, written } = createOutput(true);
    const progress = new Progress(stream);
    const parts = ['table', 'a part with a name as long as the whole line of the terminal'].map((name) =>
      progress.track(name, waitSeconds(1)),
    );
    await vi.advanceTimersByTimeAsync(950);
    const drawn = written().split('\r\x1b[2K').slice(1);
    expect(drawn).toHaveLength(9);
    for (const line of drawn) {
      expect(line).toMatch(/^ {2}. table, a part/);
      expect(line.length).toBeLessThan(60);
    }
    await vi.advanceTimersByTimeAsync(50);
    await Promise.all(parts);
    progress.end();
    const visibleLines = written()
      .split('\n')
      .map((line) => line.split('\r\x1b[2K').at(-1));
    expect(visibleLines).toEqual([
      expect.stringContaining('table'),
      expect.stringContaining('a part with'),
      '',
    ]);
  });
});
