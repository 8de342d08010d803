import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Row } from '../../../src/index.ts';
import { countedRows } from '../../../src/rules/read/counted-rows.ts';
import type { PageRows, PreparedRead } from '../../../src/rules/index.ts';

/** A read over `total` rows whose statements take their time, with a log of what ran when. */
class Read implements PreparedRead {
  readonly log: string[] = [];
  readonly concurrent: boolean;
  readonly countKey: string;
  readonly #total: number;
  readonly #window: { readonly offset: number; readonly perPage: number };
  readonly #rowsMs: number;
  readonly #failing: 'rows' | 'count' | null;

  constructor(
    window: { readonly offset: number; readonly perPage: number },
    total: number,
    more: {
      readonly concurrent?: boolean;
      readonly countKey?: string;
      readonly rowsMs?: number;
      readonly failing?: 'rows' | 'count';
    } = {},
  ) {
    this.#window = window;
    this.#total = total;
    this.concurrent = more.concurrent ?? true;
    this.countKey = more.countKey ?? 'all';
    this.#rowsMs = more.rowsMs ?? 0;
    this.#failing = more.failing ?? null;
  }

  async rows(): Promise<PageRows> {
    this.log.push('rows');
    await wait(this.#rowsMs);
    if (this.#failing === 'rows') throw new Error('rows failed');
    const { offset, perPage } = this.#window;
    const left = Math.max(0, Math.min(perPage, this.#total - offset));
    const rows = Array.from({ length: left }, (): Row => ({}));
    this.log.push('rows end');
    return { rows, hasMore: false };
  }

  async count(): Promise<number> {
    this.log.push('count');
    await wait(1);
    if (this.#failing === 'count') throw new Error('count failed');
    return this.#total;
  }
}

const page = (number: number, perPage = 10) => ({
  mode: 'offset' as const,
  page: number,
  perPage,
  offset: (number - 1) * perPage,
});

describe('countedRows', () => {
  it('counts nothing where the page shows the total', async () => {
    for (const [number, total] of [
      [1, 0],
      [1, 7],
      [2, 17],
      [3, 21],
    ] as const) {
      const read = new Read(page(number), total);
      const result = await countedRows({}, read, page(number));
      expect(result.total).toBe(total);
      expect(read.log).toEqual(['rows', 'rows end']);
    }
  });

  it('counts where the page is full, or past the end', async () => {
    for (const [number, total] of [
      [1, 10],
      [1, 57],
      [2, 20],
      [9, 57],
      [2, 10],
      [2, 0],
    ] as const) {
      const read = new Read(page(number), total);
      const { total: counted, page: rows } = await countedRows({}, read, page(number));
      expect(counted).toBe(total);
      expect(rows.rows).toHaveLength(Math.max(0, Math.min(10, total - (number - 1) * 10)));
      expect(read.log).toEqual(['rows', 'rows end', 'count']);
    }
  });

  it('counts beside the rows when the predicate filled the page last time', async () => {
    const owner = {};
    await countedRows(owner, new Read(page(1), 57), page(1));
    const again = new Read(page(2), 57);
    expect((await countedRows(owner, again, page(2))).total).toBe(57);
    expect(again.log).toEqual(['rows', 'count', 'rows end']);
  });

  it('never takes the total of last time for an answer', async () => {
    const owner = {};
    await countedRows(owner, new Read(page(1), 57), page(1));
    expect((await countedRows(owner, new Read(page(1), 31), page(1))).total).toBe(31);
    expect((await countedRows(owner, new Read(page(1), 4), page(1))).total).toBe(4);
    expect((await countedRows(owner, new Read(page(2), 40), page(2))).total).toBe(40);
  });

  it('waits for a page that was the last one last time', async () => {
    const owner = {};
    await countedRows(owner, new Read(page(3), 25), page(3));
    const again = new Read(page(3), 25, { rowsMs: 60 });
    await countedRows(owner, again, page(3));
    expect(again.log).toEqual(['rows', 'rows end']);
  });

  it('forecasts by predicate and endpoint', async () => {
    const owner = {};
    await countedRows(owner, new Read(page(1), 57), page(1));
    const otherPredicate = new Read(page(1), 57, { countKey: 'other' });
    await countedRows(owner, otherPredicate, page(1));
    expect(otherPredicate.log).toEqual(['rows', 'rows end', 'count']);
    const otherEndpoint = new Read(page(1), 57);
    await countedRows({}, otherEndpoint, page(1));
    expect(otherEndpoint.log).toEqual(['rows', 'rows end', 'count']);
  });

  it('starts the count beside rows that keep it waiting', async () => {
    const slow = new Read(page(1), 57, { rowsMs: 120 });
    await countedRows({}, slow, page(1));
    expect(slow.log).toEqual(['rows', 'count', 'rows end']);
  });

  it('runs in turn where the source cannot do both at once', async () => {
    const owner = {};
    for (let round = 0; round < 2; round += 1) {
      const read = new Read(page(1), 57, { concurrent: false, rowsMs: 40 });
      expect((await countedRows(owner, read, page(1))).total).toBe(57);
      expect(read.log).toEqual(['rows', 'rows end', 'count']);
    }
  });

  it('fails as the statement that failed, with nothing left behind', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', note);
    const owner = {};
    await countedRows(owner, new Read(page(1), 57), page(1));
    const rows = new Read(page(1), 57, { failing: 'rows' });
    await expect(countedRows(owner, rows, page(1))).rejects.toThrow('rows failed');
    const count = new Read(page(1), 57, { failing: 'count', rowsMs: 5 });
    await expect(countedRows(owner, count, page(1))).rejects.toThrow('count failed');
    const unneeded = new Read(page(1), 3, { failing: 'count', rowsMs: 5 });
    await expect(countedRows(owner, unneeded, page(1))).resolves.toMatchObject({ total: 3 });
    await wait(10);
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });
});
