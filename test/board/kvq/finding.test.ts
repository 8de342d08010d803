/** Searches for jobs, and the flows of jobs. */

import { expect } from 'vitest';
import type { Answer } from './http-board.ts';
import { keyOf, suiteOf } from './suite.ts';
import type { Suite } from './suite.ts';
import { cells } from './cells.ts';

function findingSuite({ cell, current, world, start, test }: Suite): void {
  test('finds jobs by id, name, data, error, state and time', async () => {
    const { queue, board, path, runJobs } = await start();
    const before = Date.now();
    const ids: string[] = [];
    for (let index = 0; index < 30; index += 1) {
      ids.push(await queue.add(`mail 100%_${index % 3}`, { to: { id: index, name: `u${index}` } }));
    }
    await runJobs(true);
    const late = await queue.add('mail late', {}, { delay: 60_000 });
    const search = async (query: Record<string, string>) => {
      const answer = await board.get(`${path}/search?${new URLSearchParams(query)}`);
      expect(answer.status).toBe(200);
      return answer.body;
    };
    const names = async (query: Record<string, string>): Promise<string[]> =>
      (await search(query)).jobs.map(({ job }: { job: { id: string } }) => job.id).toSorted();
    expect(await search({ id: late })).toMatchObject({
      jobs: [{ queueName: queue.name, status: 'delayed', job: { id: late } }],
      nextCursor: null,
    });
    expect((await search({ id: 'nobody' })).jobs).toEqual([]);
    const third = ids.filter((_id, index) => index % 3 === 2).toSorted();
    expect(await names({ name: '100%_2' })).toEqual(third);
    expect(await names({ path: 'to.id', value: '7' })).toEqual([ids[7]]);
    expect(await names({ path: 'to.name', value: 'u8' })).toEqual([ids[8]]);
    expect(await names({ path: 'to.nothing' })).toEqual([]);
    expect(await names({ path: '__proto__' })).toEqual([]);
    expect(await names({ error: 'broke', limit: '100' })).toEqual(ids.toSorted());
    expect(await names({ status: 'delayed' })).toEqual([late]);
    expect(await names({ to: String(before - 1) })).toEqual([]);
    expect(await names({ from: String(before), name: 'late' })).toEqual([late]);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Answer['body'] = await search({
        name: 'mail 1',
        limit: '7',
        ...(cursor !== null && { cursor }),
      });
      seen.push(...page.jobs.map(({ job }: { job: { id: string } }) => job.id));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(seen.toSorted()).toEqual(ids.toSorted());
    const { nextCursor } = await search({ name: 'mail 1', limit: '7' });
    for (const [query, field] of [
      [{ cursor: nextCursor, name: 'other' }, 'cursor'],
      [{ cursor: 'x' }, 'cursor'],
      [{ value: 'x' }, 'value'],
      [{ limit: '101' }, 'limit'],
      [{ name: 'a\0b' }, 'name'],
      [{ status: 'odd' }, 'status'],
      [{ from: 'NaN' }, 'from'],
      [{ to: 'x' }, 'to'],
    ] as const) {
      const answer = await board.get(`${path}/search?${new URLSearchParams(query)}`);
      expect([query, keyOf(answer)]).toEqual([query, '400 INVALID_QUERY_PARAM']);
      expect(answer.body.error.options?.field).toBe(field);
    }
    const everywhere = await board.get('/api/search?name=late');
    expect(everywhere.body.jobs).toMatchObject([{ queueName: queue.name, job: { id: late } }]);
    expect((await board.get(`/api/search?id=${encodeURIComponent(late)}`)).body.jobs).toHaveLength(
      1,
    );
    if (cell.datastore === 'kv') {
      expect((await search({ name: 'nobody' })).examined).toBe(31);
    }
  });

  test('finds jobs in any case, by parts of their data and by ranges', async () => {
    const { queue, board, path } = await start();
    const data = [
      { name: 'Anger 100%_a', n: 5, day: '2026-01-05' },
      { name: 'anger 100xxa', n: 50, day: '2026-02-01' },
      { name: 'Bote', n: -1.5, day: '2025-12-31' },
      { name: 7, n: '5', day: 20260105 },
      { name: null, day: ['2026-01-05'] },
      { name: 'C:\\Temp_1', n: null },
      { name: 'C:XTemp_1\\', n: null },
    ];
    const ids: string[] = [];
    for (const [index, one] of data.entries()) {
      ids.push(await queue.add(index % 2 ? 'Mail OUT' : 'mail out', one));
    }
    const found = async (query: Record<string, string>): Promise<number[]> => {
      const { status, body } = await board.get(`${path}/search?${new URLSearchParams(query)}`);
      expect([query, status]).toEqual([query, 200]);
      return body.jobs
        .map(({ job }: { job: { id: string } }) => ids.indexOf(job.id))
        .toSorted((a: number, b: number) => a - b);
    };
    const any = { ignoreCase: 'true' };
    expect(await found({ name: 'mail' })).toEqual([0, 2, 4, 6]);
    expect(await found({ name: 'MAIL o', ...any })).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(await found({ path: 'name', contains: 'c:\\tEMP_', ...any })).toEqual([5]);
    expect(await found({ path: 'name', value: 'c:xtemp_1\\', ...any })).toEqual([6]);
    expect(await found({ path: 'name', contains: '100%_' })).toEqual([0]);
    expect(await found({ path: 'name', contains: 'anger' })).toEqual([1]);
    expect(await found({ path: 'name', contains: 'ANGER 100', ...any })).toEqual([0, 1]);
    // PostgreSQL folds letters as the locale of the database says.
    if (cell.datastore === 'kv') {
      const id = await queue.add('Ärger', { name: 'Ärger' });
      ids.push(id);
      expect(await found({ path: 'name', contains: 'ÄRG', ...any })).toEqual([7]);
      expect(await found({ name: 'ärger', ...any })).toEqual([7]);
    }
    expect(await found({ path: 'name', value: 'bote' })).toEqual([]);
    expect(await found({ path: 'name', value: 'bote', ...any })).toEqual([2]);
    expect(await found({ path: 'name', value: 'b%te', ...any })).toEqual([]);
    expect(await found({ path: 'name', contains: '7' })).toEqual([]);
    expect(await found({ path: 'n', min: '5' })).toEqual([0, 1]);
    expect(await found({ path: 'n', min: '-2', max: '5' })).toEqual([0, 2]);
    expect(await found({ path: 'n', max: '4.9e0' })).toEqual([2]);
    expect(await found({ path: 'day', min: '2026-01-01', max: '2026-01-31' })).toEqual([0]);
    expect(await found({ path: 'day', min: '2026-01-05T', ...any })).toEqual([1]);
    for (const [query, field] of [
      [{ contains: 'x' }, 'contains'],
      [{ min: '1' }, 'min'],
      [{ path: 'n', min: '1', max: 'x' }, 'max'],
      [{ path: 'n', min: '1e999' }, 'max'],
      [{ ignoreCase: 'maybe' }, 'ignoreCase'],
    ] as const) {
      const answer = await board.get(`${path}/search?${new URLSearchParams(query)}`);
      expect([query, keyOf(answer)]).toEqual([query, '400 INVALID_QUERY_PARAM']);
      expect(answer.body.error.options?.field).toBe(field);
    }
  });

  test('shows flows', async () => {
    const { queue, board, path } = await start();
    const { flow } = world();
    if (!flow) return;
    const children = Array.from({ length: 5 }, (_, index) => ({ name: `leaf ${index}`, queue }));
    const root = await flow({
      name: 'root',
      queue,
      children: [
        { name: 'middle', queue, children },
        { name: 'other', queue },
      ],
    });
    const whole = (await board.get(`${path}/${root}/flow`)).body;
    expect(whole).toMatchObject({
      nodeId: root,
      isFlowNode: true,
      flowRoot: {
        id: root,
        name: 'root',
        state: 'waiting-children',
        queueName: queue.name,
        dependencies: { processed: 0, unprocessed: 2, ignored: 0, failed: 0 },
      },
    });
    const middle = whole.flowRoot.children.find((node: { name: string }) => node.name === 'middle');
    expect(middle.children).toHaveLength(5);
    const [leaf] = middle.children;
    const fromLeaf = (await board.get(`${path}/${leaf.id}/flow`)).body;
    expect(fromLeaf.nodeId).toBe(leaf.id);
    expect(fromLeaf.flowRoot.id).toBe(root);
    const below = (await board.get(`${path}/${middle.id}/flow?root=node&maxChildren=2`)).body;
    expect(below.flowRoot).toMatchObject({ id: middle.id, truncated: true });
    expect(below.flowRoot.children).toHaveLength(2);
    const shallow = (await board.get(`${path}/${root}/flow?depth=2`)).body.flowRoot;
    expect(shallow.children).toHaveLength(2);
    expect(shallow.children.find((node: { name: string }) => node.name === 'middle')).toMatchObject(
      { children: [], truncated: true },
    );
    const removed = await board.send('PUT', `${path}/${middle.id}/remove-unprocessed-children`);
    expect(removed.body).toEqual({ removed: 5 });
    expect(keyOf(await board.send('PUT', `${path}/${middle.id}/remove-unprocessed-children`))).toBe(
      '409 JOB_HAS_NO_UNPROCESSED_CHILDREN',
    );
  });

  if (!current) {
    test('reports operations that the library does not support', async () => {
      const { queue, board, path } = await start();
      const id = await queue.add('mail', {});
      expect(keyOf(await board.send('PUT', `${path}/${id}/remove-unprocessed-children`))).toBe(
        '400 JOB_UNPROCESSED_CHILDREN_NOT_SUPPORTED',
      );
    });
  }
}

for (const cell of cells) suiteOf(cell, findingSuite);
