/** Parts that commands of both engines have in common: keys of additions, reasons per id, and the name of cron texts. */

import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Answer, BoardUnderTest, World } from './world.ts';

interface Stage {
  readonly world: World;
  readonly board: BoardUnderTest;
  /** Another instance of the board. */
  other(): Promise<BoardUnderTest>;
  jobIn(queue: string, state: string): Promise<string>;
}

async function send(
  { origin }: BoardUnderTest,
  queue: string,
  key: string,
  body: object | string,
  query = '',
): Promise<Answer> {
  const response = await fetch(`${origin}/api/pgq/queues/${queue}/jobs${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  const { status, headers } = response;
  return { status, headers, text, body: JSON.parse(text) as Answer['body'] };
}

const keyOf = ({ status, body }: Answer): string => `${status} ${String(body['error']?.['key'])}`;

const reused = '422 ERRORS.IDEMPOTENCY_KEY_REUSED';

export function contractTests(stage: () => Stage): void {
  it('adds one job for a key, of many instances at once, and refuses another body under it', async () => {
    const { world, board, other } = stage();
    await world.boss.createQueue('once');
    const second = await other();
    const body = { data: { sum: 5, to: ['a'] }, options: { priority: 3, startAfter: 600 } };
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => send(n % 2 ? board : second, 'once', 'k-1', body)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(answers.filter((answer) => answer.body['added'])).toHaveLength(1);
    const [id] = new Set(answers.map((answer) => String(answer.body['id'])));
    const rows = async () =>
      (await world.admin.query(`select id, priority, data from pgboss.job where name = 'once'`))
        .rows;
    expect(await rows()).toEqual([{ id, priority: 3, data: body.data }]);
    const others = [
      {},
      { ...body, data: { sum: 6, to: ['a'] } },
      { ...body, options: { priority: 3 } },
      { ...body, options: { ...body.options, priority: 4 } },
      { options: body.options },
    ];
    for (const wrong of others) {
      const answer = await send(board, 'once', 'k-1', wrong);
      expect([wrong, keyOf(answer), answer.body['code']]).toEqual([
        wrong,
        reused,
        'IDEMPOTENCY_KEY_REUSED',
      ]);
    }
    const same = '{"options":{"startAfter":600,"priority":3},"data":{"to":["a"],"sum":5.0}}';
    expect((await send(board, 'once', 'k-1', same)).body).toEqual({ id, added: false });
    // The key is as long known as the job, whatever becomes of it.
    for (const state of ['active', 'completed', 'failed', 'cancelled']) {
      const change = `update pgboss.job set state = $1::text::pgboss.job_state, retry_limit = retry_limit + 1,
        start_after = now() where id = $2`;
      await world.admin.query(change, [state, id]);
      expect((await send(second, 'once', 'k-1', body)).body).toEqual({ id, added: false });
      expect(keyOf(await send(second, 'once', 'k-1', {}))).toBe(reused);
    }
    expect(await rows()).toHaveLength(1);
    await world.admin.query('delete from pgboss.job where id = $1', [id]);
    expect((await send(board, 'once', 'k-1', {})).body['added']).toBe(true);
  });

  it('has keys of each queue, and of each body one job at once', async () => {
    const { world, board } = stage();
    await Promise.all(['keys_a', 'keys_b'].map((name) => world.boss.createQueue(name)));
    const ids = new Set<unknown>();
    for (const [queue, key] of [
      ['keys_a', 'k'],
      ['keys_b', 'k'],
      ['keys_a', 'K'],
    ] as const) {
      const { body } = await send(board, queue, key, { data: 1 });
      expect(body['added']).toBe(true);
      ids.add(body['id']);
    }
    expect(ids.size).toBe(3);
    const answers = await Promise.all(
      [1, 2, 3, 1, 2, 3].map((n) => send(board, 'keys_a', 'race', { data: { n } })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 422, 422, 422, 422]);
    for (const key of ['two words', 'x'.repeat(256), 'ü'].map(encodeURI).concat('a b')) {
      const isKey = /^[!-~]{1,255}$/.test(key);
      const answer = await send(board, 'keys_a', key, {});
      expect([key, answer.status]).toEqual([key, isKey ? 200 : 400]);
    }
    const chosen = await send(board, 'keys_a', 'own', { options: { id: randomUUID() } });
    expect(keyOf(chosen)).toBe('400 ERRORS.INVALID_REQUEST_BODY');
    expect(chosen.body['error']?.['options']).toEqual({ field: 'options.id' });
    // A body that the library refuses does not use up its key; digits beyond those of JavaScript count.
    const refused = await send(board, 'keys_a', 'later', { options: { retryDelayMax: 5 } });
    expect(refused.status).toBe(400);
    const digits = (last: number): string => `{"data":{"n":12345678901234567890.${last}}}`;
    expect((await send(board, 'keys_a', 'later', digits(1))).body['added']).toBe(true);
    expect((await send(board, 'keys_a', 'later', digits(1))).body['added']).toBe(false);
    expect(keyOf(await send(board, 'keys_a', 'later', digits(2)))).toBe(reused);
    const raw = { data: '{"n":12345678901234567890.1}' };
    expect((await send(board, 'keys_a', 'later', raw, '?raw=1')).body['added']).toBe(false);
  });

  it('tells of each id why a command on many has left its job', async () => {
    const { world, board, jobIn } = stage();
    await world.boss.createQueue('many');
    const [active, failed, done, gone] = [
      await jobIn('many', 'active'),
      await jobIn('many', 'failed'),
      await jobIn('many', 'completed'),
      randomUUID(),
    ];
    const ids = [active, failed.toUpperCase(), done, gone, gone];
    const run = async (action: string, queue = 'many', of = ids) =>
      (await board.send('PUT', `/api/pgq/queues/${queue}/jobs/${action}`, { ids: of })).body;
    const missing = { id: gone, code: 'JOB_NOT_FOUND' };
    const code = 'PGQ_JOB_STATE_CONFLICT';
    expect(await run('resume')).toEqual({
      requested: 5,
      affected: 0,
      skipped: [
        { id: active, code, state: 'active' },
        { id: failed.toUpperCase(), code, state: 'failed' },
        { id: done, code, state: 'completed' },
        missing,
      ],
    });
    expect(await run('retry')).toEqual({
      requested: 5,
      affected: 1,
      skipped: [
        { id: active, code, state: 'active' },
        { id: done, code, state: 'completed' },
        missing,
      ],
    });
    expect(await run('remove')).toEqual({
      requested: 5,
      affected: 2,
      skipped: [{ id: active, code: 'JOB_IS_ACTIVE', state: 'active' }, missing],
    });
    expect(await run('cancel', 'many', [active])).toEqual({ requested: 1, affected: 1 });
    // The policy allows one queued job.
    await world.boss.createQueue('many_short', { policy: 'short' });
    const insert = `insert into pgboss.job (name, state, policy, completed_on)
      values ('many_short', 'cancelled', 'short', now()) returning id`;
    const two = [];
    for (let n = 0; n < 2; n += 1) {
      two.push(String((await world.admin.query<{ id: string }>(insert)).rows[0]?.id));
    }
    const { affected, skipped } = await run('resume', 'many_short', two);
    expect([affected, skipped]).toEqual([
      1,
      [{ id: expect.any(String), code: 'PGQ_POLICY_CONFLICT', state: 'cancelled' }],
    ]);
    const { rows } = await world.admin.query(
      `select id from pgboss.job where name = 'many_short' and state = 'cancelled'`,
    );
    expect(rows).toEqual([{ id: skipped?.[0]?.['id'] }]);
  });

  it('takes and shows cron texts under the name of both engines', async () => {
    const { world, board } = stage();
    await world.boss.createQueue('cron_names');
    const path = '/api/pgq/queues/cron_names/schedules';
    const cron = '0 3 1 1 *';
    for (const body of [{ pattern: cron }, { cron }, { cron, pattern: cron }]) {
      const { status, body: answer } = await board.send('PUT', path, body);
      expect([body, status]).toEqual([body, 200]);
      expect(answer['schedule']).toMatchObject({ expression: cron, pattern: cron });
    }
    const listed = await board.get('/api/pgq/schedules?queueName=cron_names');
    expect(listed.body['schedules']).toMatchObject([{ expression: cron, pattern: cron }]);
    const preview = (body: object) => board.send('POST', '/api/pgq/schedules/preview', body);
    const both = await Promise.all([preview({ pattern: cron }), preview({ expression: cron })]);
    expect(both[0].text).toBe(both[1].text);
    expect(both[0].status).toBe(world.library.previews ? 200 : 409);
    for (const body of [{ pattern: cron, cron: '0 4 * * *' }, { pattern: ' ' }]) {
      expect(keyOf(await board.send('PUT', path, body))).toBe('400 ERRORS.PGQ_INVALID_SCHEDULE');
    }
    const odd = await board.send('PUT', path, { pattern: 5 });
    expect(odd.body['error']).toEqual({
      key: 'ERRORS.INVALID_REQUEST_BODY',
      options: { field: 'pattern' },
    });
    expect(keyOf(await board.send('PUT', path, {}))).toBe('400 ERRORS.INVALID_REQUEST_BODY');
  });
}
