/** A job is added once, however often the request is repeated, and the response tells whether it was added. */

import { expect } from 'vitest';
import type { Answer } from './http-board.ts';
import { keyOf, until, suiteOf } from './suite.ts';
import type { Suite } from './suite.ts';
import { cells } from './cells.ts';

async function addWith(url: string, key: string, body: object): Promise<Answer> {
  const response = await fetch(`${url}/add`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(body),
  });
  const { status, headers } = response;
  return { status, headers, body: JSON.parse(await response.text()) };
}

function onceSuite({ cell, current, start, test }: Suite): void {
  test('tells whether a job was added', async () => {
    const { board, path } = await start();
    const deduplication = { id: 'same', ttl: 600_000 };
    const same = current ? { deduplication } : { debounce: deduplication };
    for (const options of [{ jobId: 'chosen' }, same]) {
      const add = { name: 'mail', data: { a: 1 }, options };
      const [first, second] = [
        await board.send('POST', `${path}/add`, add),
        await board.send('POST', `${path}/add`, add),
      ];
      expect([first.body.added, second.body.added]).toEqual([true, false]);
      expect(second.body.job.id).toBe(first.body.job.id);
    }
    expect((await board.send('POST', `${path}/add`, { name: 'plain' })).body.added).toBe(true);
  });

  test('adds one job per idempotency key', async () => {
    const { queue, board, path, runJobs } = await start();
    const add = (key: string, options: object = {}) =>
      addWith(`${board.url}${path}`, key, { name: 'once', options });
    const answers = await Promise.all(Array.from({ length: 8 }, () => add('k-1')));
    expect(answers.filter(({ body }) => body.added)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.job.id)).size).toBe(1);
    expect((await add('k-2')).body.added).toBe(true);
    await runJobs(false);
    expect((await add('k-1')).body).toMatchObject({ added: false, status: 'completed' });
    expect((await queue.counts())['completed']).toBe(2);
    expect(keyOf(await add('two words'))).toBe('400 INVALID_REQUEST_BODY');
    const both = current ? { deduplication: { id: 'x' } } : { debounce: { id: 'x', ttl: 5 } };
    expect(keyOf(await add('k-3', both))).toBe('400 INVALID_REQUEST_BODY');
  });

  test('refuses another body under one key, also after the job, and takes equal ones as one', async () => {
    const { queue, board, path, runJobs } = await start();
    const url = `${board.url}${path}`;
    const body = { name: 'pay', data: { sum: 5, to: ['a'] }, options: { removeOnComplete: true } };
    const first = await addWith(url, 'order-1', body);
    expect(first.body.added).toBe(true);
    // Who sees the job does not learn the key, with which bodies could be tried.
    expect(JSON.stringify((await board.get(`${path}/${first.body.job.id}`)).body)).not.toContain(
      'order-1',
    );
    const others = [
      { ...body, data: { sum: 6, to: ['a'] } },
      { ...body, name: 'refund' },
      { ...body, options: {} },
    ];
    const same = { options: body.options, data: { to: ['a'], sum: 5 }, name: 'pay' };
    const check = async () => {
      for (const other of others) {
        const answer = await addWith(url, 'order-1', other);
        expect([keyOf(answer), answer.body.code]).toEqual([
          '422 IDEMPOTENCY_KEY_REUSED',
          'IDEMPOTENCY_KEY_REUSED',
        ]);
      }
      expect((await addWith(url, 'order-1', same)).body.job.id).toBe(first.body.job.id);
    };
    await check();
    await runJobs(false);
    const job = `${path}/${first.body.job.id}`;
    await until(async () => (await board.get(job)).status === 404);
    await check();
    expect(Object.values(await queue.counts()).reduce((sum, count) => sum + count, 0)).toBe(0);
    // Of many bodies at once, one wins.
    const answers = await Promise.all(
      [1, 2, 3, 1, 2, 3].map((n) => addWith(url, 'order-2', { name: 'pay', data: { n } })),
    );
    expect(answers.filter(({ body: { added } }) => added)).toHaveLength(1);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 422, 422, 422, 422]);
    // A body that is refused does not use up its key.
    const byLibrary = current ? { sizeLimit: 1 } : { repeat: { cron: 'never' } };
    for (const options of [{ attempts: -1 }, byLibrary]) {
      const refused = { name: 'pay', data: { n: 1 }, options };
      expect((await addWith(url, 'order-3', refused)).status).toBe(400);
    }
    expect((await addWith(url, 'order-3', { name: 'pay' })).body.added).toBe(true);
  });

  if (cell.datastore === 'kv') {
    test('forgets the body of a key when the key may stand for another one', async () => {
      const { queue, board, path } = await start();
      await addWith(`${board.url}${path}`, 'k-1', { name: 'once' });
      const { client, key } = queue.redis ?? {};
      const [note = ''] = (await client?.keys(`${key?.('sluice-once:')}*`)) ?? [];
      const left = Number(await client?.pttl(note));
      expect(left).toBeGreaterThan(0);
      // A day, and the minute that an addition may take.
      expect(left).toBeLessThanOrEqual(24 * 3_600_000 + 60_000);
    });
  }

  test('refuses to repeat a job where the library would ignore it', async () => {
    const { board, path } = await start();
    const repeat = { every: 60_000 };
    const answer = await board.send('POST', `${path}/add`, { name: 'tick', options: { repeat } });
    const ignores = current && cell.name !== 'BullMQ 5 on Redis';
    expect(keyOf(answer)).toBe(ignores ? '400 INVALID_REQUEST_BODY' : '200 undefined');
    if (ignores) expect(answer.body.error.options).toEqual({ field: 'options.repeat' });
  });

  test('refuses parameters that it does not know, where they could be taken for a filter', async () => {
    const { queue, board, path } = await start();
    await queue.add('mail', {}, { timestamp: Date.now() - 60_000 });
    const requests: readonly [string, string][] = [
      ['GET', '/api/queues?statsu=failed'],
      ['GET', '/api/search?nmae=mail'],
      ['GET', `${path}/search?nmae=mail`],
      ['GET', '/api/job-schedulers?queue=x'],
      ['PUT', `${path}/clean/wait?name=other`],
      ['PUT', `${path}/empty?status=failed`],
      ['PUT', `${path}/promote?name=other`],
      ['PUT', `${path}/retry/failed?name=other`],
      ['PUT', `${path}/obliterate?force=true`],
    ];
    for (const [method, route] of requests) {
      expect([route, keyOf(await board.send(method, route))]).toEqual([
        route,
        '400 INVALID_QUERY_PARAM',
      ]);
    }
    expect((await queue.counts())['waiting']).toBe(1);
  });

  test('refuses an empty form', async () => {
    const { queue, board, path } = await start();
    for (const type of ['application/x-www-form-urlencoded', 'text/plain']) {
      const headers = { 'content-type': type };
      const { status } = await fetch(`${board.url}${path}/add`, { method: 'POST', headers });
      expect([type, status]).toEqual([type, 415]);
    }
    expect((await queue.counts())['waiting']).toBe(0);
  });
}

for (const cell of cells) suiteOf(cell, onceSuite);
