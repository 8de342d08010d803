/** Numbers that JavaScript cannot hold: shown with all digits on request, and never written back rounded. */

import { expect } from 'vitest';
import { parseExact, rounding } from '../../../src/board/core/index.ts';
import { keyOf, suiteOf } from './suite.ts';
import type { Suite } from './suite.ts';
import { cells } from './cells.ts';

const digits = '12345678901234567890';
const fraction = '0.1000000000000000055511';
const text = `{"id":${digits},"list":[1,{"f":${fraction}}],"name":"a"}`;

/** The text without the spaces that PostgreSQL writes, and with its members in one order. */
const tidy = (raw: unknown): string => {
  const value = parseExact(String(raw)) as object;
  return JSON.stringify(
    Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  );
};

function exactSuite({ cell, current, start, test }: Suite): void {
  test('shows every digit of a number with raw, and the rounded number without', async () => {
    const { queue, board, path } = await start();
    const id = await queue.add('big', parseExact(text), { attempts: 3 });
    const plain = (await board.get(`${path}/${id}`)).body.job;
    expect(plain).not.toHaveProperty('raw');
    expect(plain.data).toEqual(JSON.parse(text));
    const { job } = (await board.get(`${path}/${id}?raw=1`)).body;
    expect(job.data).toEqual(plain.data);
    expect(tidy(job.raw.data)).toBe(text);
    expect(JSON.parse(job.raw.opts)).toMatchObject({ attempts: 3 });
    expect(keyOf(await board.get(`${path}/${id}?raw=yes`))).toBe('400 INVALID_QUERY_PARAM');
  });

  test('shows results and progress with every digit', async () => {
    const { queue, board, path } = await start();
    const id = await queue.add('big', {});
    const stop = await queue.work(async (job) => {
      await job.progress(parseExact(`{"at":${digits}}`) as object);
      return parseExact(`[${digits}]`);
    });
    await expect.poll(() => queue.state(id)).toBe('completed');
    await stop();
    const { raw } = (await board.get(`${path}/${id}?raw=true`)).body.job;
    expect(raw.returnValue).toBe(`[${digits}]`);
    expect(tidy(raw.progress)).toBe(`{"at":${digits}}`);
  });

  test('an edit of rounded data keeps the digits of the numbers that it leaves', async () => {
    const { queue, board, path } = await start();
    const id = await queue.add('big', parseExact(text));
    const stored = async () => tidy((await board.get(`${path}/${id}?raw=1`)).body.job.raw.data);
    const edit = (jobData: unknown, query = '', conditions = {}) =>
      board.send('PATCH', `${path}/${id}/update-data${query}`, { jobData, ...conditions });
    const { job, version } = (await board.get(`${path}/${id}`)).body;
    expect((await edit({ ...job.data, name: 'b' })).status).toBe(200);
    expect(await stored()).toBe(text.replace('"a"', '"b"'));
    // A condition of the client counts as before.
    const late = await edit({ ...job.data, name: 'c' }, '', { ifUnchanged: version });
    expect(keyOf(late)).toBe('409 JOB_CHANGED');
    // In another place, nobody can tell which number is meant.
    const { id: moved, ...rest } = job.data;
    const refused = await edit({ ...rest, other: moved });
    expect(keyOf(refused)).toBe('400 INVALID_REQUEST_BODY');
    expect(refused.body.error.options).toEqual({ field: 'jobData' });
    expect((await edit({ ...job.data, id: 1, name: 'c' })).status).toBe(200);
    expect(await stored()).toBe(text.replace(digits, '1').replace('"a"', '"c"'));
  });

  test('takes data as text, with every digit, for edits and new jobs', async () => {
    const { queue, board, path } = await start();
    const id = await queue.add('big', { a: 1 });
    const raw = async (job: string) => {
      const answer = await board.get(`${path}/${encodeURIComponent(job)}?raw=1`);
      return tidy(answer.body.job.raw.data);
    };
    const edited = await board.send('PATCH', `${path}/${id}/update-data?raw=1`, { jobData: text });
    expect(edited.status).toBe(200);
    expect(await raw(id)).toBe(text);
    const added = await board.send('POST', `${path}/add?raw=1`, { name: 'new', data: text });
    expect(added.status).toBe(200);
    expect(added.body.job.data).toEqual(JSON.parse(text));
    expect(await raw(String(added.body.job.id))).toBe(text);
    for (const jobData of ['{', 7, `${'['.repeat(600)}${']'.repeat(600)}`]) {
      const refused = await board.send('PATCH', `${path}/${id}/update-data?raw=1`, { jobData });
      expect(keyOf(refused)).toBe('400 INVALID_REQUEST_BODY');
    }
    // The body itself may hold the digits: the board reads it without rounding.
    const response = await fetch(`${board.url}${path}/${id}/update-data`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: `{"jobData":{"own":${digits}}}`,
    });
    expect(response.status).toBe(200);
    expect(await raw(id)).toBe(`{"own":${digits}}`);
  });

  test('keeps the digits of data that others write at the same time', async () => {
    const { queue, board, path } = await start();
    const id = await queue.add('big', parseExact(text));
    const { data } = (await board.get(`${path}/${id}`)).body.job;
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_none, name) =>
        board.send('PATCH', `${path}/${id}/update-data`, { jobData: { ...data, name } }),
      ),
    );
    expect(new Set(answers.map(keyOf))).toEqual(new Set(['200 undefined']));
    const { raw } = (await board.get(`${path}/${id}?raw=1`)).body.job;
    expect(tidy(raw.data)).toMatch(`{"id":${digits},"list":[1,{"f":${fraction}}],"name":`);
  });

  test('does not show texts of parts that a formatter replaces', async () => {
    const { queue, board, path } = await start({ formatters: { data: () => 'hidden' } });
    const id = await queue.add('big', parseExact(text));
    const answer = await board.get(`${path}/${id}?raw=1`);
    expect(answer.body.job.raw).not.toHaveProperty('data');
    expect(JSON.stringify(answer.body)).not.toContain('12345678901234');
    // Nor does an edit tell whether a guess is right.
    const guess = { other: rounding(parseExact(digits)) };
    const edit = await board.send('PATCH', `${path}/${id}/update-data`, { jobData: guess });
    expect(edit.status).toBe(200);
  });

  if (!current) return;

  test('keeps the digits of the template of a schedule when it is edited or run', async () => {
    const { queue, board, path } = await start();
    await queue.schedule('tick', { every: 600_000 }, parseExact(text));
    const scheduler = async () => (await board.get('/api/job-schedulers?raw=1')).body.schedulers[0];
    expect(tidy((await scheduler()).raw.data)).toBe(text);
    const run = await board.send('PUT', `${path}/job-schedulers/tick/run`);
    const job = await board.get(`${path}/${encodeURIComponent(run.body.job.id)}?raw=1`);
    expect([cell.name, tidy(job.body.job.raw.data)]).toEqual([cell.name, text]);
    const edit = await board.send('PATCH', `${path}/job-schedulers/tick`, { every: 900_000 });
    expect(edit.status).toBe(204);
    expect((await scheduler()).every).toBe(900_000);
    expect(tidy((await scheduler()).raw.data)).toBe(text);
  });
}

for (const cell of cells) suiteOf(cell, exactSuite);
