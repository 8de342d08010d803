/** Commands over every kind of connection to pg-boss: sending, by id, on queues, on schedules. */

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PgqOptions } from '../../../src/board/pgq/index.ts';
import type { Cell } from './cells.ts';
import { contractTests } from './suite-contract.ts';
import { type Answer, type BoardUnderTest, type World, makeWorld } from './world.ts';

export function commandsSuite(cell: Cell): void {
  describe(`${cell.name}`, () => {
    let world: World;
    let board: BoardUnderTest;
    let pgq: Partial<PgqOptions>;
    let closeCell: (() => Promise<void>) | undefined;

    beforeAll(async () => {
      world = await makeWorld(cell.library, 'pgq_commands');
      const options = cell.options(world);
      pgq = options.pgq;
      closeCell = options.close;
      board = await world.board(pgq);
    });
    afterAll(async () => {
      await world?.close();
      await closeCell?.();
    });

    /** Creates a job of a queue in a state. */
    async function jobIn(queue: string, state: string): Promise<string> {
      const id = randomUUID();
      await world.admin.query(
        `insert into pgboss.job (id, name, state, policy, completed_on)
         values ($1, $2, $3::text::pgboss.job_state, 'standard',
           case when $3::text in ('completed', 'cancelled', 'failed') then now() end)`,
        [id, queue, state],
      );
      return id;
    }

    /** The run of an answer, as it is now. */
    const runOf = async ({ body }: Answer) =>
      (await board.get(`/api/bulk/${String(body['run']?.['id'])}`)).body['run'];

    async function stateOf(id: string): Promise<string | undefined> {
      const { rows } = await world.admin.query<{ state: string }>(
        'select state from pgboss.job where id = $1',
        [id],
      );
      return rows[0]?.state;
    }

    contractTests(() => ({ world, board, other: () => world.board(pgq), jobIn }));

    const states = ['created', 'retry', 'active', 'completed', 'cancelled', 'failed'] as const;
    const commands = [
      { path: 'retry', action: 'retry', from: ['failed'], to: 'retry' },
      { path: 'cancel', action: 'cancel', from: ['created', 'retry', 'active'], to: 'cancelled' },
      { path: 'resume', action: 'resume', from: ['cancelled'], to: 'created' },
      {
        path: 'remove',
        action: 'delete',
        from: ['created', 'retry', 'completed', 'cancelled', 'failed'],
        to: undefined,
      },
    ] as const;

    it.each(commands)(
      '$path: one job, only from the states in which it is allowed',
      async (command) => {
        await world.boss.createQueue('single');
        for (const state of states) {
          const id = await jobIn('single', state);
          const answer = await board.send(
            'PUT',
            `/api/pgq/queues/single/jobs/${id}/${command.path}`,
          );
          if ((command.from as readonly string[]).includes(state)) {
            expect([state, answer.status, answer.body]).toEqual([
              state,
              200,
              { requested: 1, affected: 1 },
            ]);
            expect(await stateOf(id)).toBe(command.to);
            continue;
          }
          expect(answer.status).toBe(409);
          expect(await stateOf(id)).toBe(state);
          expect(answer.body).toEqual(
            command.path === 'remove'
              ? {
                  error: { key: 'ERRORS.JOB_IS_ACTIVE' },
                  code: 'JOB_IS_ACTIVE',
                  message: { key: 'ERRORS.JOB_IS_ACTIVE_DETAILS', options: { jobId: id } },
                }
              : {
                  error: {
                    key: 'ERRORS.PGQ_JOB_STATE_CONFLICT',
                    options: { action: command.action, state },
                  },
                  code: 'PGQ_JOB_STATE_CONFLICT',
                },
          );
        }
        const missing = await board.send(
          'PUT',
          `/api/pgq/queues/single/jobs/${randomUUID()}/${command.path}`,
        );
        expect([missing.status, missing.body['error']?.['key']]).toEqual([
          404,
          'ERRORS.JOB_NOT_FOUND',
        ]);
      },
    );

    it('takes a version that cannot be stored for one that nothing has', async () => {
      await world.boss.createQueue('odd_versions');
      const ids = [await jobIn('odd_versions', 'created'), await jobIn('odd_versions', 'created')];
      for (const ifUnchanged of ['\ud800', 'a\0b']) {
        const path = `/api/pgq/queues/odd_versions/jobs/${ids[0]}/cancel`;
        const one = await board.send('PUT', path, { ifUnchanged });
        expect([one.status, one.body['error']?.['key']]).toEqual([409, 'ERRORS.JOB_CHANGED']);
        const body = { queueName: 'odd_versions', action: 'cancel', ids };
        const many = await board.send('POST', '/api/bulk', {
          ...body,
          ifUnchanged: [ifUnchanged, 'other'],
        });
        await expect
          .poll(() => runOf(many))
          .toMatchObject({
            state: 'completed',
            changed: 0,
            refused: [{ count: 2, reason: { key: 'ERRORS.JOB_CHANGED' } }],
          });
      }
    });

    it('takes a blank condition of a run for a mistake, and no condition only with `all`', async () => {
      await world.boss.createQueue('blank');
      for (const state of states) await jobIn('blank', state);
      const names = [
        'id',
        'key',
        'error',
        'from',
        'to',
        'state',
        'minRetries',
        'data.x',
        'output.x',
      ];
      const filters = [
        {},
        ...names.flatMap((name) => [{ [name]: '' }, { [name]: ' \t' }]),
        { state: 'failed', key: '' },
        { 'data.x': '""' },
        { filter: '' },
        { filter: '{}' },
        { 'filter[]': '1' },
        { 'filter[state]': '' },
        ...['in', 'notIn', 'ne', 'like', 'notLike', 'isNull', 'between'].flatMap((operator) =>
          ['', ' ', '""', ',', '"",""', '\\'].flatMap((value) => [
            { [`filter[singletonKey][${operator}]`]: value },
            { [`filter[data.x][${operator}]`]: value },
          ]),
        ),
        { 'filter[state][notIn][]': '' },
        { 'filter[data.x][notIn][]': '' },
        JSON.parse('{"__proto__":"x"}') as object,
        JSON.parse('{"state":"failed","__proto__":"x"}') as object,
        { state: ['failed'] },
        { state: [] },
        { state: null },
        { order: 'asc' },
        { ignoreCase: 'true' },
        [],
        ['state'],
        '',
        null,
      ];
      const wide = ['remove', 'retry', 'cancel', 'resume'].map((action) => ({
        queueName: 'blank',
        action,
      }));
      const [removal] = wide;
      const bodies = [
        ...wide,
        ...wide.map((body) => ({ ...body, filter: {} })),
        ...filters.map((filter) => ({ ...removal, filter })),
        { ...removal, filter: {}, all: false },
        { ...removal, filter: { id: '' }, all: true },
        { ...removal, all: 'true' },
        { ...removal, ids: [] },
        { ...removal, ids: [], all: true },
        { ...removal, ids: [randomUUID()], all: true },
      ];
      for (const body of bodies.flatMap((each) => [each, { ...each, dryRun: true }])) {
        const answer = await board.send('POST', '/api/bulk', body);
        expect([body, answer.status, answer.body['error']?.['key']]).toEqual([
          body,
          400,
          // The grammar of filters has its own error.
          expect.stringMatching(/^ERRORS\.INVALID_(REQUEST_BODY|QUERY_PARAM)$/),
        ]);
      }
      const left = async (): Promise<readonly string[]> => {
        const { rows } = await world.admin.query<{ state: string }>(
          `select state::text as state from pgboss.job where name = 'blank' order by state::text`,
        );
        return rows.map(({ state }) => state);
      };
      expect(await left()).toEqual([...states].toSorted());
      // A condition beside `all` counts.
      for (const [more, changed] of [
        [{ filter: { state: 'failed' }, all: true }, 1],
        [{ filter: {}, all: true }, 4],
      ] as const) {
        const answer = await board.send('POST', '/api/bulk', { ...removal, ...more });
        await expect.poll(() => runOf(answer)).toMatchObject({ state: 'completed', changed });
      }
      expect(await left()).toEqual(['active']);
    });

    it.each(commands)('$path: many jobs; jobs in other states are not counted', async (command) => {
      await world.boss.createQueue('bulk');
      const ids = [];
      for (const state of states) ids.push(await jobIn('bulk', state), await jobIn('bulk', state));
      const missing = randomUUID();
      const answer = await board.send('PUT', `/api/pgq/queues/bulk/jobs/${command.path}`, {
        ids: [...ids, missing],
      });
      expect([answer.status, answer.body]).toEqual([
        200,
        {
          requested: ids.length + 1,
          affected: 2 * command.from.length,
          skipped: [
            ...ids.flatMap((id, index) => {
              const state = states[Math.floor(index / 2)] as string;
              const code = command.path === 'remove' ? 'JOB_IS_ACTIVE' : 'PGQ_JOB_STATE_CONFLICT';
              return (command.from as readonly string[]).includes(state)
                ? []
                : [{ id, code, state }];
            }),
            { id: missing, code: 'JOB_NOT_FOUND' },
          ],
        },
      ]);
      for (const [index, id] of ids.entries()) {
        const before = states[Math.floor(index / 2)] as string;
        const changed = (command.from as readonly string[]).includes(before);
        expect(await stateOf(id)).toBe(changed ? command.to : before);
      }
      // Ids of another queue are not found.
      await world.boss.createQueue('other');
      const elsewhere = await jobIn('other', command.from[0]);
      const foreign = await board.send('PUT', `/api/pgq/queues/bulk/jobs/${command.path}`, {
        ids: [elsewhere],
      });
      expect(foreign.body).toEqual({
        requested: 1,
        affected: 0,
        skipped: [{ id: elsewhere, code: 'JOB_NOT_FOUND' }],
      });
    });

    it('sends jobs with their options, and reports when the library drops one', async () => {
      await world.boss.createQueue('sent', { policy: 'short' });
      const sent = await board.send('POST', '/api/pgq/queues/sent/jobs', {
        data: { a: [1, 'ü'] },
        options: {
          priority: 5,
          singletonKey: 'k',
          retryLimit: 9,
          retryDelay: 8,
          retryBackoff: true,
          expireInSeconds: 77,
          startAfter: 3_600,
        },
      });
      expect(sent.status).toBe(200);
      const id = sent.body['id'] as unknown as string;
      const { body } = await board.get(`/api/pgq/queues/sent/jobs/${id}`);
      expect(body['job']).toMatchObject({
        data: { a: [1, 'ü'] },
        priority: 5,
        singletonKey: 'k',
        retryLimit: 9,
        retryDelay: 8,
        retryBackoff: true,
        expireInSeconds: 77,
        deferred: true,
        state: 'created',
      });
      const dropped = await board.send('POST', '/api/pgq/queues/sent/jobs', {
        options: { singletonKey: 'k' },
      });
      expect([dropped.status, dropped.body]).toEqual([200, { id: null }]);
      const bare = await board.send('POST', '/api/pgq/queues/sent/jobs');
      const empty = await board.get(`/api/pgq/queues/sent/jobs/${String(bare.body['id'])}`);
      expect(empty.body['job']?.['data']).toBeNull();
      const moment = await board.send('POST', '/api/pgq/queues/sent/jobs', {
        data: 'text',
        options: { startAfter: '2040-01-02T03:04:05+01:00', singletonKey: 'm' },
      });
      const at = await board.get(`/api/pgq/queues/sent/jobs/${String(moment.body['id'])}`);
      expect(at.body['job']).toMatchObject({
        startAfter: '2040-01-02T02:04:05.000Z',
        data: 'text',
      });
    });

    it('refuses jobs that the library or the database refuses as invalid requests', async () => {
      await world.boss.createQueue('strict', { policy: 'key_strict_fifo' });
      for (const [queue, body] of [
        ['strict', {}],
        ['sent', { options: { startAfter: '2026-13-45' } }],
        ['sent', { options: { priority: 2 ** 31 } }],
        ['sent', { options: { retryLimit: -1 } }],
        ['sent', { options: { singletonKey: 'a\u0000' } }],
        ['sent', { data: { a: '\u0000' } }],
        ['sent', { data: { '\ud800': 1 } }],
      ] as const) {
        const answer = await board.send('POST', `/api/pgq/queues/${queue}/jobs`, body);
        expect([answer.status, answer.body['error']?.['key']]).toEqual([
          400,
          'ERRORS.INVALID_REQUEST_BODY',
        ]);
      }
      const none = await board.send('POST', '/api/pgq/queues/none/jobs', { data: {} });
      expect(none.body['error']?.['key']).toBe('ERRORS.QUEUE_NOT_FOUND');
    });

    it('responds with a conflict when the policy of a queue refuses a command', async () => {
      await world.boss.createQueue('exclusive', { policy: 'exclusive' });
      const send = async () => (await world.boss.send('exclusive', {})) as string;
      const first = await send();
      await world.boss.cancel('exclusive', first);
      const second = await send();
      const path = '/api/pgq/queues/exclusive/jobs';
      const single = await board.send('PUT', `${path}/${first}/resume`);
      expect([single.status, single.body['error']]).toEqual([
        409,
        {
          key: 'ERRORS.PGQ_JOB_STATE_CONFLICT',
          options: { action: 'resume', state: 'cancelled' },
        },
      ]);
      const bulk = await board.send('PUT', `${path}/resume`, { ids: [first, second] });
      expect(bulk.body).toEqual({
        requested: 2,
        affected: 0,
        skipped: [
          { id: first, code: 'PGQ_POLICY_CONFLICT', state: 'cancelled' },
          { id: second, code: 'PGQ_JOB_STATE_CONFLICT', state: 'created' },
        ],
      });
      await world.boss.cancel('exclusive', second);
      const both = await board.send('PUT', `${path}/resume`, { ids: [first, second] });
      expect(both.body).toEqual({
        requested: 2,
        affected: 1,
        skipped: [{ id: expect.any(String), code: 'PGQ_POLICY_CONFLICT', state: 'cancelled' }],
      });
    });

    it('retries all failed jobs in batches, and deletes waiting or finished jobs', async () => {
      await world.boss.createQueue('mass');
      await world.admin.query(
        `insert into pgboss.job (name, state, policy, completed_on)
         select 'mass', (enum_range(null::pgboss.job_state))[1 + n % 6], 'standard', now()
         from generate_series(0, 6 * 1100 - 1) n`,
      );
      const path = '/api/pgq/queues/mass';
      const retried = await board.send('PUT', `${path}/retry-failed`);
      expect(retried.body).toEqual({ requested: 1_100, affected: 1_100 });
      expect((await board.send('PUT', `${path}/retry-failed`)).body).toEqual({
        requested: 0,
        affected: 0,
      });
      const queued = await board.send('PUT', `${path}/delete-queued`);
      expect(queued.body).toEqual({ requested: 3_300, affected: 3_300 });
      const stored = await board.send('PUT', `${path}/delete-stored`);
      expect(stored.body).toEqual({ requested: 2_200, affected: 2_200 });
      const { body } = await board.get(`${path}/counts`);
      expect(body['counts']).toMatchObject({ active: { count: 1_100 }, failed: { count: 0 } });
    });

    it('creates, replaces and removes schedules', async () => {
      await world.boss.createQueue('planned');
      const path = '/api/pgq/queues/planned/schedules';
      const made = await board.send('PUT', path, {
        cron: '0 3 * * *',
        tz: 'Europe/Berlin',
        data: { a: 1 },
        options: { priority: 4 },
      });
      expect(made).toMatchObject({ status: 200 });
      expect(made.body['schedule']).toMatchObject({
        queueName: 'planned',
        key: '',
        kind: 'cron',
        expression: '0 3 * * *',
        timezone: 'Europe/Berlin',
        data: { a: 1 },
        options: { priority: 4 },
      });
      const replaced = await board.send('PUT', path, { cron: '0 4 * * *' });
      expect(replaced.body['schedule']).toMatchObject({ expression: '0 4 * * *', timezone: 'UTC' });
      await board.send('PUT', path, { cron: '0 5 * * *', key: 'second' });
      const listed = await board.get('/api/pgq/schedules?queueName=planned');
      expect(listed.body['schedules']).toHaveLength(2);
      const removed = await board.send('PUT', `${path}/remove`);
      expect([removed.status, removed.body]).toEqual([200, { requested: 1, affected: 1 }]);
      const again = await board.send('PUT', `${path}/remove`);
      expect([again.status, again.body]).toEqual([
        404,
        { error: { key: 'ERRORS.JOB_SCHEDULER_NOT_FOUND' }, code: 'JOB_SCHEDULER_NOT_FOUND' },
      ]);
      const rest = await board.get('/api/pgq/schedules?queueName=planned');
      expect(rest.body['schedules']).toMatchObject([{ key: 'second' }]);
    });

    it('creates one schedule of a key, of many boards that try it at the same moment', async () => {
      await world.boss.createQueue('claimed');
      const path = '/api/pgq/queues/claimed/schedules';
      const other = await world.board(pgq);
      for (const key of ['', 'a', 'b']) {
        const answers = await Promise.all(
          Array.from({ length: 8 }, (_, index) =>
            (index % 2 === 0 ? board : other).send('PUT', path, {
              key,
              cron: '0 3 * * *',
              data: { index },
              ifAbsent: true,
            }),
          ),
        );
        const states = answers.map(({ status }) => status);
        expect([key, states.toSorted()]).toEqual([key, [200, ...Array(7).fill(409)]]);
        const kept = states.indexOf(200);
        expect(answers[kept]?.body['schedule']).toMatchObject({ key, data: { index: kept } });
        expect(answers.find(({ status }) => status === 409)?.body['error']?.['key']).toBe(
          'ERRORS.JOB_SCHEDULER_EXISTS',
        );
        const listed = await board.get('/api/pgq/schedules?queueName=claimed');
        expect(listed.body['schedules']).toContainEqual(
          expect.objectContaining({ key, data: { index: kept }, expression: '0 3 * * *' }),
        );
      }
      const bad = await board.send('PUT', path, { key: 'c', cron: 'not cron', ifAbsent: true });
      expect(bad.status).toBe(400);
      const free = await board.send('PUT', path, { key: 'c', cron: '0 1 * * *', ifAbsent: true });
      expect(free.status).toBe(200);
      const replaced = await board.send('PUT', path, { key: 'c', cron: '0 2 * * *' });
      expect(replaced.body['schedule']).toMatchObject({ expression: '0 2 * * *' });
    });

    it('refuses schedules that cannot run', async () => {
      const path = '/api/pgq/queues/planned/schedules';
      const bad = [
        { cron: 'not cron' },
        { cron: '' },
        { cron: '99 * * * *' },
        { cron: '* * * * *', tz: 'Mars/Olympus' },
        { cron: '* * * * *', missed: 'twice' },
        { cron: '* '.repeat(600) },
        { cron: 'FREQ=NEVER' },
        { cron: '* * * * *', key: 'no spaces' },
        { cron: '* * secret * *' },
        { cron: '*/SECRET * * * *' },
      ];
      for (const body of bad) {
        const answer = await board.send('PUT', path, body);
        expect(JSON.stringify(answer.body)).not.toMatch(/secret/i);
        expect([body, answer.status, answer.body['error']?.['key']]).toEqual([
          body,
          400,
          'ERRORS.PGQ_INVALID_SCHEDULE',
        ]);
      }
      const nothing = await board.send('PUT', path, {});
      expect(nothing.status).toBe(400);
      const unknown = await board.send('PUT', '/api/pgq/queues/none/schedules', {
        cron: '* * * * *',
      });
      expect(unknown.body['error']?.['key']).toBe('ERRORS.QUEUE_NOT_FOUND');
    });

    it('previews cron and RRULE, or reports that the library cannot', async () => {
      const preview = (body: unknown) => board.send('POST', '/api/pgq/schedules/preview', body);
      if (!cell.library.previews) {
        const answer = await preview({ expression: '* * * * *' });
        expect([answer.status, answer.body['error']?.['key']]).toEqual([
          409,
          'ERRORS.PGQ_PREVIEW_UNAVAILABLE',
        ]);
        return;
      }
      const daily = await preview({ expression: '0 12 * * *', tz: 'Asia/Tokyo', count: 3 });
      const runs = daily.body['runs'] as unknown as string[];
      expect(runs).toHaveLength(3);
      for (const run of runs) expect(run).toMatch(/T03:00:00\.000Z$/);
      const rule = await preview({ expression: 'FREQ=MONTHLY;BYDAY=-1FR;BYHOUR=17;BYMINUTE=0' });
      expect(rule).toMatchObject({ status: 200 });
      expect(rule.body['runs']).toHaveLength(5);
      expect((await preview({ expression: '* * * * *', count: 20 })).body['runs']).toHaveLength(20);
      for (const [body, key] of [
        [{ expression: 'nonsense' }, 'PGQ_INVALID_SCHEDULE'],
        [{ expression: '0 0 nonsense * *' }, 'PGQ_INVALID_SCHEDULE'],
        [{ expression: '   ' }, 'PGQ_INVALID_SCHEDULE'],
        [{ expression: '* * * * *', tz: 'Mars/Olympus' }, 'PGQ_INVALID_SCHEDULE'],
        [{ expression: 'FREQ=WRONG' }, 'PGQ_INVALID_SCHEDULE'],
        [{ expression: '* * * * *', count: 21 }, 'INVALID_REQUEST_BODY'],
        [{ expression: '* * * * *', count: 0 }, 'INVALID_REQUEST_BODY'],
        [{}, 'INVALID_REQUEST_BODY'],
      ] as const) {
        const answer = await preview(body);
        expect([answer.status, answer.body['error']?.['key']]).toEqual([400, `ERRORS.${key}`]);
        expect(JSON.stringify(answer.body)).not.toContain('nonsense');
      }
      expect(board.log).toEqual([]);
    });
  });
}
