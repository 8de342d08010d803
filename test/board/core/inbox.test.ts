/** The steps of a walk over failed jobs: its cursors, what is read by whom, and errors that the host tells. */

import { expect, it, vi } from 'vitest';
import type { FailurePart, FailureRange, FailureSource } from '../../../src/board/core/index.ts';
import { readErrors, writeCursor } from '../../../src/board/core/index.ts';

const signal = new AbortController().signal;

const part = (queueName: string, more: Partial<FailurePart> = {}): FailurePart => ({
  queueName,
  reason: 'The gateway does not answer',
  name: null,
  release: null,
  bucket: 0,
  count: 1,
  firstAt: 1,
  lastAt: 1,
  id: '1',
  ...more,
});

/** A walk over queues with so many steps each; tells the positions that it has read. */
function world(steps: Readonly<Record<string, number>>) {
  const read: string[] = [];
  const ranges: FailureRange[] = [];
  const sources = Object.entries(steps).map(([name, count]): FailureSource => ({
    name,
    async step(after) {
      const at = Number(after ?? 0);
      read.push(`${name} ${at}`);
      return { parts: [part(name)], examined: 1, next: at + 1 < count ? String(at + 1) : null };
    },
  }));
  const sourcesOf = (range: FailureRange) => {
    ranges.push(range);
    return sources;
  };
  return { read, ranges, inbox: { sourcesOf, total: null, signal } };
}

const cursorAt = (queue: string, after: string, asked: object = {}) =>
  writeCursor(JSON.stringify(['errors', asked]), { queue, after });

const invalid = { key: 'INVALID_QUERY_PARAM', params: { options: { field: 'cursor' } } };

it('goes on at the position of a cursor, in the queues that the sender sees then', async () => {
  const cursor = cursorAt('b', '5000 1');
  const { inbox, read, ranges } = world({ c: 1, a: 3, b: 3 });
  const answer = await readErrors({ cursor }, inbox);
  expect(read).toEqual(['b 1', 'b 2', 'c 0']);
  expect(ranges).toMatchObject([{ at: 5_000, since: 0 }]);
  expect(answer).toMatchObject({ at: 5_000, examined: 3, nextCursor: null });
  // The queue of the position has gone, or is hidden.
  const others = world({ a: 1, c: 2 });
  await readErrors({ cursor }, others.inbox);
  expect(others.read).toEqual(['c 0', 'c 1']);
});

it('refuses cursors of other requests, and moments that are none', async () => {
  const { inbox, read } = world({ a: 1 });
  for (const [cursor, asked] of [
    ['', {}],
    [cursorAt('a', '1 0').slice(1), {}],
    [cursorAt('a', '1 0', { name: 'x' }), {}],
    [cursorAt('a', '1 0'), { queueName: 'a' }],
    [cursorAt('a', '1 0', { since: 1 }), { since: 2 }],
    [cursorAt('a', ''), {}],
    [cursorAt('a', '-1 0'), {}],
    [cursorAt('a', '1e9 0'), {}],
    [cursorAt('a', '8640000000000001 0'), {}],
    [cursorAt('a', '99999999999999999 0'), {}],
  ] as const) {
    await expect(readErrors({ ...asked, cursor }, inbox)).rejects.toMatchObject(invalid);
  }
  expect(read).toEqual([]);
  await readErrors({ cursor: cursorAt('a', '8640000000000000 0') }, inbox);
  expect(read).toEqual(['a 0']);
});

it('ends an answer with a thousand errors, and goes on behind them', async () => {
  const inbox = () => {
    const read: (string | null)[] = [];
    const source: FailureSource = {
      name: 'a',
      async step(from) {
        read.push(from);
        const at = Number(from ?? 0);
        const told = (index: number) => ({ told: `${at} ${index}`, id: `${at}-${index}` });
        const parts = Array.from({ length: 400 }, (_, index) => part('a', told(index)));
        return { parts, examined: 400, next: at < 3 ? String(at + 1) : null };
      },
    };
    return { read, sourcesOf: () => [source], total: null, signal };
  };
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  const began = inbox();
  const first = await readErrors({}, began);
  expect([began.read, first.errors.length]).toEqual([[null, '1', '2'], 1_200]);
  const cursor = first.nextCursor ?? '';
  const rest = inbox();
  const last = await readErrors({ cursor }, rest);
  clock.mockRestore();
  expect([rest.read, last.errors.length, last.nextCursor]).toEqual([['3'], 400, null]);
});

it('ends an answer when its client has gone, and begins nothing else', async () => {
  const { inbox, read } = world({ a: 2 });
  const gone = AbortSignal.abort();
  const answer = await readErrors({}, { ...inbox, signal: gone });
  expect(read).toEqual([]);
  expect(answer.nextCursor).not.toBeNull();
  expect(answer).not.toHaveProperty('recorder');
});

it('ends an answer with a thousand errors', async () => {
  const { inbox } = world({});
  let step = 0;
  const source: FailureSource = {
    name: 'a',
    async step() {
      step += 1;
      const letter = (at: number) => String.fromCodePoint(0x4e00 + at);
      const parts = Array.from({ length: 600 }, (_, at) =>
        part('a', { reason: `${letter(step)}${letter(at)}` }),
      );
      return { parts, examined: 600, next: String(step) };
    },
  };
  const answer = await readErrors({}, { ...inbox, sourcesOf: () => [source] });
  expect(answer).toMatchObject({ examined: 1_200, errors: { length: 1_200 } });
  expect(answer.nextCursor).not.toBeNull();
});

it('has nothing to search for in an error of which the host counts several messages', async () => {
  const { inbox } = world({});
  const parts = [
    part('a', { told: 'one', reason: 'It has failed' }),
    part('a', { told: 'two', reason: 'It failed 7 times' }),
    part('b', { told: 'one', reason: 'It does not answer' }),
    part('b', { told: 'two', reason: 'It failed 8 times' }),
    part('b', { told: '', reason: 'It has failed' }),
  ];
  const source = { name: 'a', step: async () => ({ parts, examined: 5, next: null }) };
  const { errors } = await readErrors({}, { ...inbox, sourcesOf: () => [source] });
  expect(errors.map(({ count, search }) => [count, search])).toEqual([
    [2, ''],
    [2, 'It failed'],
    [1, 'It has failed'],
  ]);
  expect(new Set(errors.map(({ fingerprint }) => fingerprint)).size).toBe(3);
});

it('keeps half a character out of messages and releases', async () => {
  const { inbox } = world({});
  const reason = `${'x'.repeat(499)}😀`;
  const source = {
    name: 'a',
    step: async () => ({ parts: [part('a', { reason })], examined: 1, next: null }),
  };
  const { errors } = await readErrors({}, { ...inbox, sourcesOf: () => [source] });
  expect(errors[0]?.example?.message).toBe('x'.repeat(499));
});
