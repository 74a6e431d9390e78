import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Progress } from '../../../infra/local/progress.ts';

/** Collects what is written, as the process's standard output would get it. */
function output(isTTY: boolean) {
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

/** Resolves after seconds of the test's clock. */
const takes = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

describe('in a pipe or a file', () => {
  it('prints a line for each part that is up, with its time, and a line a second while none is', async () => {
    const { stream, written } = output(false);
    const progress = new Progress(stream);
    const parts = [progress.part('table', takes(0.3)), progress.part('functions', takes(2.5))];
    await vi.advanceTimersByTimeAsync(2600);
    await Promise.all(parts);
    progress.end();
    expect(written().replace(/ +/g, ' ')).toBe(
      ' ✓ table 0.3 s\n functions … 1.3 s\n functions … 2.3 s\n ✓ functions 2.5 s\n',
    );
  });

  it('prints nothing after a failure', async () => {
    const { stream, written } = output(false);
    const progress = new Progress(stream);
    await expect(progress.part('table', Promise.reject(new Error('no')))).rejects.toThrow('no');
    await vi.advanceTimersByTimeAsync(5000);
    progress.end();
    expect(written()).toBe('');
  });
});

describe('in a terminal', () => {
  it('redraws a line of what is starting, within its width, and leaves only the parts', async () => {
    const { stream, written } = output(true);
    const progress = new Progress(stream);
    const parts = ['table', 'a part with a name as long as the whole line of the terminal'].map((name) =>
      progress.part(name, takes(1)),
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
    const left = written()
      .split('\n')
      .map((line) => line.split('\r\x1b[2K').at(-1));
    expect(left).toEqual([expect.stringContaining('table'), expect.stringContaining('a part with'), '']);
  });
});
