/** Columns that a request names: any field of the job as it is shown, in lists and searches. */

import { expect } from 'vitest';
import { serveBoard } from './http-board.ts';
import { suiteOf } from './suite.ts';
import type { Suite } from './suite.ts';
import { cells } from './cells.ts';

const data = {
  customer: { id: 42, name: 'Ada' },
  lines: [{ sku: 'a-1' }, { sku: 'b-2' }],
  nothing: null,
  long: `${'x'.repeat(198)}😀`,
};

function columnsSuite({ start, test }: Suite): void {
  test('has the values of columns in the order of the request', async () => {
    const { queue, board, path, runJobs } = await start();
    await queue.add('order', data, { priority: 3 });
    await runJobs(false);
    const asked = ['data.customer.id', 'name', 'data.lines.-1.sku', 'data.lines', 'opts.priority'];
    const absent = ['data.nothing', 'data.none.at.all', 'data.toString', '__proto__', 'none'];
    for (const list of ['jobs', 'search']) {
      const columnsOf = async (columns: readonly string[], more = '') => {
        const { status, body } = await board.get(`${path}/${list}?columns=${columns}${more}`);
        expect([list, status]).toEqual([list, 200]);
        return body.jobs.map((job: { columns?: unknown }) => job.columns);
      };
      expect(await columnsOf(asked)).toEqual([
        ['42', '"order"', '"b-2"', '[{"sku":"a-1"},{"sku":"b-2"}]', '3'],
      ]);
      expect(await columnsOf(absent)).toEqual([absent.map(() => null)]);
      const [[text]] = await columnsOf(['data.long']);
      expect(text).toBe(`"${'x'.repeat(198)}`);
      const result = await columnsOf(['result', 'returnValue']);
      expect(result[0][0]).toBe(result[0][1]);
      for (const wrong of ['data..x', 'a,b,c,d,e,f,g,h,i', '%00']) {
        const refused = await board.get(`${path}/${list}?columns=${wrong}`);
        expect([wrong, refused.status]).toEqual([wrong, 400]);
      }
      expect(JSON.stringify((await board.get(`${path}/${list}`)).body)).not.toContain('"columns"');
    }
    const brief = await board.get(`${path}/jobs?fields=name&columns=data.customer.name`);
    expect(brief.body.jobs).toMatchObject([{ name: 'order', columns: ['"Ada"'] }]);
    expect(brief.body.jobs[0]).not.toHaveProperty('data');
  });

  test('shows of a part that a formatter replaces what the formatter shows', async () => {
    const { queue, path } = await start();
    await queue.add('order', data);
    const formatted = queue
      .boardQueue()
      .setFormatter('data', () => ({ customer: { id: '(hidden)' } }))
      .setFormatter('name', () => 'shown');
    const board = await serveBoard([formatted]);
    for (const list of ['jobs', 'search']) {
      const asked = 'data.customer.id,data.customer.name,data.lines,name';
      const { body } = await board.get(`${path}/${list}?columns=${asked}`);
      expect(body.jobs).toMatchObject([{ columns: ['"(hidden)"', null, null, '"shown"'] }]);
      expect(
        JSON.stringify(body.jobs.map((job: { columns: unknown }) => job.columns)),
      ).not.toContain('Ada');
    }
    await board.close();
  });

  test('goes on to the next page with other columns', async () => {
    const { queue, board, path } = await start();
    for (let n = 0; n < 3; n += 1) await queue.add('order', { n });
    for (const list of ['jobs?status=waiting', 'search?status=waiting']) {
      const first = await board.get(`${path}/${list}&limit=2&columns=data.n`);
      const after = `cursor=${encodeURIComponent(first.body.nextCursor)}`;
      const next = await board.get(`${path}/${list}&limit=2&columns=name&${after}`);
      expect([next.status, next.body.jobs]).toMatchObject([200, [{ columns: ['"order"'] }]]);
    }
  });
}

for (const cell of cells) suiteOf(cell, columnsSuite);
