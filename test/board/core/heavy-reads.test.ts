/** Reads that were large wait for each other before they begin, and rest after their end. */

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { HeavyReads } from '../../../src/board/core/index.ts';

it('reads no more than two at a time of what was large before', async () => {
  const heavy = new HeavyReads();
  const text = 'x'.repeat(400_000);
  let [running, most] = [0, 0];
  const open: (() => void)[] = [];
  const send = async (): Promise<string> => {
    running += 1;
    most = Math.max(most, running);
    await new Promise<void>((resolve) => open.push(resolve));
    running -= 1;
    return text;
  };
  const read = () => heavy.run((one) => one.single('job', send));
  /** Lets requests go on, one at a time, until so many reads have ended. */
  const endOf = async (reads: readonly Promise<unknown>[]): Promise<void> => {
    let ended = 0;
    for (const one of reads) void one.then(() => (ended += 1));
    await expect
      .poll(() => {
        open.shift()?.();
        return ended;
      })
      .toBe(reads.length);
  };
  await endOf([read()]);
  const six = Array.from({ length: 6 }, read);
  // The place of the first is held for some time after its end.
  await expect.poll(() => running).toBe(2);
  await endOf(six);
  expect(most).toBe(2);
});

it('holds the place of a large read for some time after its end', async () => {
  const heavy = new HeavyReads();
  const text = 'x'.repeat(400_000);
  const [first, after]: { began: number; ended: number }[][] = [[], []];
  const read = (into: typeof first, work: number) =>
    heavy.run(async (one) => {
      await one.admitted();
      const began = performance.now();
      await one.request(async () => {
        await sleep(work);
        return text;
      });
      into?.push({ began, ended: performance.now() });
    });
  // Two at a time, and two that wait for their places.
  await Promise.all([read(first, 40), read(first, 40), read(after, 0), read(after, 0)]);
  const ended = Math.min(...(first ?? []).map((each) => each.ended));
  for (const { began } of after ?? []) expect(began - ended).toBeGreaterThan(80);
});

/** A reply that makes a read large. */
const large = 'x'.repeat(400_000);

it('gives the place of a large read back when it has failed', async () => {
  const heavy = new HeavyReads();
  const failing = heavy.run(async (one) => {
    await one.request(async () => large);
    throw new Error('away');
  });
  await expect(failing).rejects.toThrow('away');
  // As many as there are places; the last one waits for the rest of the first.
  const again = Array.from({ length: 2 }, () =>
    heavy.run(async (one) => {
      await one.request(async () => large);
      throw new Error('away');
    }),
  );
  for (const each of again) await expect(each).rejects.toThrow('away');
  await expect(heavy.run((one) => one.request(async () => large))).resolves.toBeDefined();
});

it('reads on for those who have joined when the first client has gone, and stops with the last', async () => {
  const heavy = new HeavyReads();
  let goOn = (): void => undefined;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  let requests = 0;
  const clients = Array.from({ length: 3 }, () => new AbortController());
  const join = (key: string, { signal }: AbortController) =>
    heavy.shared(
      key,
      async (one) => {
        await held;
        return one.request(async () => (requests += 1));
      },
      signal,
    );
  const [first, second, third] = clients as [AbortController, AbortController, AbortController];
  const joined = [join('read', first), join('read', second)];
  const left = join('left', third).catch((error: unknown) => error);
  first.abort();
  third.abort();
  goOn();
  expect(await Promise.all(joined)).toEqual([1, 1]);
  expect(await left).toHaveProperty('message', 'READ_LIMIT');
  expect(requests).toBe(1);
});
