/** Numbers that JavaScript cannot hold: shown with all digits on request, and never written back rounded. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseExact } from '../../../src/board/core/index.ts';
import { cells } from './cells.ts';
import { type Body, type BoardUnderTest, type World, makeWorld } from './world.ts';

const digits = '12345678901234567890';
const other = '12345678901234567891';
const text = `{"a":1,"id":${digits},"list":[0.1000000000000000055511]}`;

/** The text without the spaces that PostgreSQL writes, and with its members in one order. */
const tidy = (raw: unknown): string => {
  const value = parseExact(String(raw)) as object;
  return JSON.stringify(
    Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  );
};

const chosen = cells.filter(({ name }) =>
  /12\.38.*(?:a connection|an instance)$|12\.24/.test(name),
);

describe.each(chosen.map((cell) => [cell.name, cell] as const))('%s', (_name, cell) => {
  let world: World;
  let board: BoardUnderTest;
  let closeCell: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    world = await makeWorld(cell.library, 'pgq_exact');
    const { pgq, close } = cell.options(world);
    closeCell = close;
    board = await world.board(pgq);
    await world.boss.createQueue('big');
  });
  afterAll(async () => {
    await world?.close();
    await closeCell?.();
  });

  const jobs = '/api/pgq/queues/big/jobs';
  const schedules = '/api/pgq/queues/big/schedules';
  const schedule = async (): Promise<Body> =>
    (
      (await board.get('/api/pgq/schedules?raw=1')).body['schedules'] as unknown as Body[]
    )[0] as Body;

  it('sends a job with every digit, and shows them with raw', async () => {
    const sent = await board.send('POST', `${jobs}?raw=1`, { data: text });
    const id = String(sent.body['id']);
    await world.admin.query(
      `update pgboss.job set output = $2, state = 'completed' where id = $1`,
      [id, `{"value":${digits}}`],
    );
    const { job } = (await board.get(`${jobs}/${id}?raw=1`)).body;
    expect(job?.['data']).toEqual(JSON.parse(text));
    expect(tidy(job?.['raw']?.['data'])).toBe(text);
    expect(tidy(job?.['raw']?.['output'])).toBe(`{"value":${digits}}`);
    expect((await board.get(`${jobs}/${id}`)).body['job']).not.toHaveProperty('raw');
    const refused = await board.send('POST', `${jobs}?raw=1`, { data: '{' });
    expect([refused.status, refused.body['error']?.['options']]).toEqual([400, { field: 'data' }]);
  });

  it('tells a job from one that differs in a digit that JavaScript rounds', async () => {
    const id = await world.boss.send('big', parseExact(text) as object);
    const seen = (await board.get(`${jobs}/${id}`)).body['version'];
    await world.admin.query('update pgboss.job set data = $2 where id = $1', [
      id,
      text.replace(digits, other),
    ]);
    const cancel = await board.send('PUT', `${jobs}/${id}/cancel`, { ifUnchanged: seen });
    expect([cancel.status, cancel.body['error']?.['key']]).toEqual([409, 'ERRORS.JOB_CHANGED']);
  });

  it('keeps the digits of a schedule that is saved as it was read', async () => {
    const put = (body: object, query = '') =>
      board.send('PUT', `${schedules}${query}`, { cron: '0 4 * * *', tz: 'UTC', ...body });
    const made = await put({ data: text }, '?raw=1');
    expect(made.status).toBe(200);
    expect(tidy(made.body['schedule']?.['raw']?.['data'])).toBe(text);
    const read = await schedule();
    expect(tidy(read['raw']?.['data'])).toBe(text);
    const { data, options } = read;
    expect((await put({ data: { ...data, a: 2 }, options, cron: '0 5 * * *' })).status).toBe(200);
    expect(tidy((await schedule())['raw']?.['data'])).toBe(text.replace('"a":1', '"a":2'));
    const { id, ...rest } = data as unknown as { id: number };
    const moved = await put({ data: { ...rest, b: id }, options });
    expect([moved.status, moved.body['error']?.['options']]).toEqual([400, { field: 'data' }]);
    expect((await put({ data: { id: 5 }, options })).status).toBe(200);
    expect((await schedule())['data']).toEqual({ id: 5 });
  });

  it('shows no text of a part that a formatter replaces', async () => {
    const { pgq, close } = cell.options(world);
    const closed = await world.board({ ...pgq, formatters: { data: () => 'hidden' } });
    const id = await world.boss.send('big', parseExact(text) as object);
    const { body, text: whole } = await closed.get(`${jobs}/${id}?raw=1`);
    expect(body['job']?.['raw']).toEqual({});
    expect(whole).not.toContain('123456789012345');
    await closed.close();
    await close?.();
  });
});
