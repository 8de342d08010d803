/** Deadlines that share one timer. */

import { describe, expect, it } from 'vitest';
import { addDeadline, dropDeadline } from '../../../src/lib/index.ts';

describe('deadlines', () => {
  it('come in the order of their times, and not where they were dropped', async () => {
    const called: string[] = [];
    const now = performance.now();
    await new Promise<void>((resolve) => {
      addDeadline(now + 60, () => resolve(void called.push('third')));
      const dropped = addDeadline(now + 20, () => called.push('dropped'));
      addDeadline(now + 40, () => called.push('second'));
      addDeadline(now + 10, () => called.push('first'));
      addDeadline(Infinity, () => called.push('never'));
      dropDeadline(dropped);
    });
    expect(called).toEqual(['first', 'second', 'third']);
    expect(performance.now()).toBeGreaterThanOrEqual(now + 60);
  });

  it('are kept where a later one adds another while it is called', async () => {
    const now = performance.now();
    const times: number[] = [];
    await new Promise<void>((resolve) => {
      addDeadline(now + 10, () => {
        times.push(performance.now());
        addDeadline(performance.now() + 10, () => {
          times.push(performance.now());
          resolve();
        });
      });
    });
    expect(times[0]).toBeGreaterThanOrEqual(now + 10);
    expect(times[1]).toBeGreaterThanOrEqual((times[0] ?? 0) + 10);
  });
});
