/** Valid rows that are hard to show: none of them fails a response. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cells } from './cells.ts';
import { newestLibrary } from './libraries.ts';
import { type BoardUnderTest, type World, createListingIndexes, makeWorld } from './world.ts';

const nested = (levels: number) => `${'['.repeat(levels)}"secret"${']'.repeat(levels)}`;

describe.each(cells.filter(({ library }) => library === newestLibrary))('$name', (cell) => {
  let world: World;
  let board: BoardUnderTest;
  let closeCell: (() => Promise<void>) | undefined;

  beforeAll(async () => {
    world = await makeWorld(cell.library, 'pgq_odd');
    await world.boss.createQueue('a');
    await createListingIndexes(world.admin);
    const { pgq, close } = cell.options(world);
    closeCell = close;
    board = await world.board(pgq);
  });
  afterAll(async () => {
    await world?.close();
    await closeCell?.();
  });

  async function jobWith(columns: string, ...values: unknown[]): Promise<string> {
    const places = values.map((_value, index) => `$${index + 1}`).join(', ');
    const { rows } = await world.admin.query<{ id: string }>(
      `insert into pgboss.job (name, policy, ${columns}) values ('a', 'standard', ${places}) returning id`,
      values,
    );
    return rows[0]?.id ?? '';
  }

  it.each([400, 2_000, 5_000])(
    'data nested %i levels deep is shown up to the supported depth',
    async (levels) => {
      const id = await jobWith('data, output', nested(levels), nested(levels));
      const job = await board.get(`/api/pgq/queues/a/jobs/${id}`);
      expect(job.status).toBe(200);
      const shown = JSON.stringify(job.body['job']?.['data']);
      expect(shown).toBe(levels < 500 ? nested(levels) : nested(500).replace('secret', '…'));
      expect(JSON.stringify(job.body['job']?.['output'])).toBe(shown);
    },
  );

  it('a search passes jobs of times that no condition can name', async () => {
    const times = ['infinity', '12345-01-01Z', '2026-01-01Z', '0044-03-15Z BC', '-infinity'];
    const ids: string[] = [];
    for (const time of times) ids.push(await jobWith('created_on, data', time, '{ "far": 1 }'));
    for (const order of ['desc', 'asc']) {
      const { status, body } = await board.get(`/api/pgq/search?data.far=1&order=${order}`);
      const found = (body['jobs'] as unknown as { id: string }[]).map(({ id }) => id);
      expect([status, found]).toEqual([200, order === 'desc' ? ids : ids.toReversed()]);
    }
    await world.admin.query('delete from pgboss.job where id = any($1)', [ids]);
  });

  it('a queue with a name that the library does not accept is read, and its commands are refused', async () => {
    const name = 'made by "another" program';
    await world.admin.query('select pgboss.create_queue($1, $2::jsonb)', [
      name,
      '{ "policy": "standard" }',
    ]);
    const { rows } = await world.admin.query<{ id: string }>(
      `insert into pgboss.job (name, policy) values ($1, 'standard') returning id`,
      [name],
    );
    const jobs = `/api/pgq/queues/${encodeURIComponent(name)}/jobs`;
    expect((await board.get(`${jobs}/${rows[0]?.id}`)).status).toBe(200);
    for (const answer of [
      await board.send('POST', jobs, {}),
      await board.send('PUT', `${jobs}/${rows[0]?.id}/cancel`, {}),
    ]) {
      expect([answer.status, answer.body]).toMatchObject([
        400,
        { error: { options: { field: 'queueName' } }, message: expect.stringMatching(/^Name /) },
      ]);
    }
    await world.admin.query('delete from pgboss.job where name = $1', [name]);
    await world.admin.query('delete from pgboss.queue where name = $1', [name]);
  });

  it('pages go on at jobs and warnings of any time', async () => {
    await world.boss.createQueue('ages');
    const times = [
      'infinity',
      '294276-12-31T23:59:59.999999Z',
      '12345-01-01Z',
      '9999-12-31T23:59:59.999999Z',
      '2026-01-01Z',
      '0001-01-01Z',
      '0001-12-31Z BC',
      '4713-01-01Z BC',
      '-infinity',
    ];
    const ids: string[] = [];
    for (const [index, time] of times.entries()) {
      const { rows } = await world.admin.query<{ id: string }>(
        `insert into pgboss.job (name, policy, state, created_on, start_after, data) values ('ages', 'standard', 'failed', $1, $1, $2) returning id`,
        [time, `{ "n": 1e130000, "at": ${index} }`],
      );
      ids.push(rows[0]?.id ?? '');
      await world.admin.query(
        `insert into pgboss.warning (type, message, data, created_on) values ('ages', $2, '{ "n": 1e130000 }', $1)`,
        [time, String(index)],
      );
    }
    const walk = async (path: string, key: string): Promise<unknown[]> => {
      const seen: unknown[] = [];
      let cursor: string | null = '';
      let back: string | null = '';
      while (cursor !== null && seen.length <= times.length) {
        const answer = await board.get(`${path}&limit=1&cursor=${cursor}`);
        expect([path, seen.length, answer.status, answer.body['error']]).toEqual([
          path,
          seen.length,
          200,
          undefined,
        ]);
        seen.push(...(answer.body[key] as unknown as object[]));
        ({ nextCursor: cursor, prevCursor: back } = answer.body as unknown as {
          nextCursor: string | null;
          prevCursor: string | null;
        });
      }
      const there = seen.length;
      while (typeof back === 'string' && seen.length <= 2 * times.length) {
        const answer: Awaited<ReturnType<typeof board.get>> = await board.get(
          `${path}&limit=1&cursor=${back}`,
        );
        expect([path, 'back', answer.status, answer.body['error']]).toEqual([
          path,
          'back',
          200,
          undefined,
        ]);
        seen.push(...(answer.body[key] as unknown as object[]));
        back = answer.body['prevCursor'] as unknown as string | null;
      }
      expect([path, there, seen.length]).toEqual([
        path,
        times.length,
        key === 'jobs' && path.includes('search') ? there : 2 * there - 1,
      ]);
      return seen.slice(0, there);
    };
    for (const order of ['desc', 'asc']) {
      const expected = order === 'desc' ? ids : ids.toReversed();
      for (const path of [
        `/api/pgq/queues/ages/jobs?order=${order}`,
        `/api/pgq/queues/ages/jobs?state=failed&order=${order}`,
        `/api/pgq/queues/ages/jobs?filter[state][in]=failed,created&order=${order}`,
        `/api/pgq/jobs?queues=ages&order=${order}`,
        `/api/pgq/search?queues=ages&order=${order}`,
        `/api/pgq/search?queues=ages&filter[data.at][gte]=0&order=${order}`,
        `/api/pgq/search?queues=ages&filter[data.n][gte]=1&order=${order}`,
      ]) {
        const found = (await walk(path, 'jobs')) as { id: string }[];
        expect([path, found.map(({ id }) => id)]).toEqual([path, expected]);
      }
    }
    const warnings = (await walk('/api/pgq/warnings?type=ages', 'warnings')) as {
      message: string;
    }[];
    expect(warnings.map(({ message }) => message)).toEqual(
      times.map((_time, index) => String(index)),
    );
    for (const id of ids) {
      const raw = await board.get(`/api/pgq/queues/ages/jobs/${id}?raw=true`);
      expect([raw.status, String(raw.body['job']?.['raw']?.['data']).length > 130_000]).toEqual([
        200,
        true,
      ]);
      expect((await board.get(`/api/pgq/jobs/${id}`)).status).toBe(200);
    }
    expect((await board.send('PUT', '/api/pgq/queues/ages/retry-failed')).body).toMatchObject({
      affected: times.length,
    });
    const run = await board.send('POST', '/api/bulk', {
      queueName: 'ages',
      action: 'cancel',
      filter: { state: 'retry' },
    });
    const { id } = run.body['run'] as unknown as { id: string };
    const ended = async () => (await board.get(`/api/bulk/${id}`)).body['run'];
    // Jobs from after the start of a run are not its own.
    await expect.poll(ended).toMatchObject({ state: 'completed', changed: 5 });
    await world.admin.query(`delete from pgboss.warning where type = 'ages'`);
    // More digits than PostgreSQL takes.
    for (const [query, data] of [
      ['', '{ "n": 1e200000 }'],
      ['?raw=true', JSON.stringify('{ "n": 1e200000 }')],
    ] as const) {
      const sent = await fetch(`${board.origin}/api/pgq/queues/ages/jobs${query}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: `{ "data": ${data} }`,
      });
      expect([query, sent.status]).toEqual([query, 400]);
      expect(await sent.json()).toMatchObject({ code: 'INVALID_REQUEST' });
    }
    expect(board.log.filter((line) => !line.startsWith('Listings of jobs'))).toEqual([]);
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'a queue named %s is read, and commands that the library does not find it for are refused',
    async (name) => {
      await world.boss.createQueue(name);
      const { rows } = await world.admin.query<{ id: string }>(
        `insert into pgboss.job (name, policy, singleton_key) values ($1, 'standard', $1) returning id`,
        [name],
      );
      const path = `/api/pgq/queues/${name}`;
      const job = `${path}/jobs/${rows[0]?.id}`;
      for (const read of [path, `${path}/counts`, `${path}/depth`, `${path}/jobs`, job]) {
        expect([read, (await board.get(read)).status]).toEqual([read, 200]);
      }
      const found = await board.get(`/api/pgq/search?queues=${name}&key=${name}`);
      expect(found.body['jobs']?.length).toBe(1);
      const ids = rows.map(({ id }) => id);
      for (const [method, command, body] of [
        ['PUT', `${job}/cancel`, {}],
        ['PUT', `${job}/resume`, {}],
        ['PUT', `${path}/jobs/remove`, { ids }],
        ['PUT', `${path}/retry-failed`, undefined],
        ['PUT', `${path}/delete-queued`, undefined],
        ['POST', `${path}/jobs`, {}],
      ] as const) {
        const answer = await board.send(method, command, body);
        const isDone = answer.status === 200 || answer.text.includes('PGQ_JOB_STATE_CONFLICT');
        const refusal = { options: { field: 'queueName' }, key: 'ERRORS.INVALID_QUERY_PARAM' };
        if (!isDone) expect([answer.status, answer.body['error']]).toEqual([400, refusal]);
      }
      expect(board.log.filter((line) => !line.startsWith('Listings of jobs'))).toEqual([]);
      await world.admin.query('delete from pgboss.job where name = $1', [name]);
      await world.admin.query('delete from pgboss.queue where name = $1', [name]);
    },
  );

  it('a deeply nested schedule or warning does not affect the others', async () => {
    await world.boss.schedule('a', '0 3 * * *', null, { key: 'plain' });
    await world.admin.query(
      `insert into pgboss.schedule (name, key, cron, timezone, data, options)
       values ('a', 'deep', '0 3 * * *', 'UTC', $1, jsonb_build_object('o', $1::jsonb))`,
      [nested(3_000)],
    );
    const schedules = await board.get('/api/pgq/schedules');
    expect([schedules.status, schedules.body['schedules']?.length]).toEqual([200, 2]);
    await world.admin.query(
      `insert into pgboss.warning (type, message, data) values ('t', 'm', $1), ('t', 'm', '{}')`,
      [nested(3_000)],
    );
    const { pgq, close } = cell.options(world);
    const guarded = await world.board({
      ...pgq,
      visibilityGuard: (_request, name) => name !== 'a',
    });
    for (const one of [board, guarded]) {
      const warnings = await one.get('/api/pgq/warnings');
      expect([warnings.status, warnings.body['warnings']?.length]).toEqual([200, 2]);
      expect(warnings.text).not.toContain('secret');
    }
    await close?.();
  });

  it('data of any JSON type is shown as stored, numbers within the precision of JSON', async () => {
    for (const [stored, shown] of [
      ['"text"', '"text"'],
      ['42', '42'],
      ['false', 'false'],
      ['null', 'null'],
      ['[]', '[]'],
      ['{"": 1, "__proto__": {"a": 1}, "toJSON": 2}', '{"":1,"toJSON":2,"__proto__":{"a":1}}'],
      ['"a\\\\u0000b \\u2028"', '"a\\\\u0000b \u2028"'],
      ['{"n": 1e400}', '{"n":null}'],
      ['[0.1, -0, 1e-400]', '[0.1,0,0]'],
    ] as const) {
      const id = await jobWith('data', stored);
      const { status, text } = await board.get(`/api/pgq/queues/a/jobs/${id}`);
      expect([stored, status]).toEqual([stored, 200]);
      expect(text).toContain(`"data":${shown},"output":`);
    }
  });

  it('five megabytes of data are returned completely, and not in listings', async () => {
    const id = await jobWith('data', JSON.stringify({ big: 'x'.repeat(5 * 1024 * 1024) }));
    const job = await board.get(`/api/pgq/queues/a/jobs/${id}`);
    expect([job.status, job.text.length > 5_000_000]).toEqual([200, true]);
    const listed = await board.get('/api/pgq/queues/a/jobs?limit=1');
    expect(listed.text.length).toBeLessThan(1_000);
  });

  it('distant times are shown, including those sent by a client', async () => {
    const sent = await board.send('POST', '/api/pgq/queues/a/jobs', {
      options: { startAfter: '9999-12-31' },
    });
    const far = await board.get(`/api/pgq/queues/a/jobs/${String(sent.body['id'])}`);
    expect(far.body['job']).toMatchObject({
      startAfter: '9999-12-31T00:00:00.000Z',
      keepUntil: '+010000-01-14T00:00:00.000Z',
      deferred: true,
    });
    for (const [stored, shown] of [
      ['infinity', 'infinity'],
      ['12345-01-01Z', '+012345-01-01T00:00:00.000Z'],
      ['0044-03-15Z BC', '-000043-03-15T00:00:00.000Z'],
    ] as const) {
      const id = await jobWith('start_after', stored);
      const { body } = await board.get(`/api/pgq/queues/a/jobs/${id}`);
      expect(body['job']?.['startAfter']).toBe(shown);
    }
    expect((await board.get('/api/pgq/queues/a/jobs?limit=100')).status).toBe(200);
    expect(board.log.filter((line) => !line.startsWith('Listings of jobs'))).toEqual([]);
  });

  it('active jobs without a key have no place among the keys of their queue', async () => {
    await world.boss.createQueue('keyed', { policy: 'singleton' });
    await world.boss.send('keyed', {}, { singletonKey: 'k' });
    await world.boss.send('keyed', {});
    await world.boss.fetch('keyed', { batchSize: 2 });
    await world.boss.supervise('keyed');
    const { rows } = await world.admin.query<{ keys: unknown[] }>(
      `select singletons_active as keys from pgboss.queue where name = 'keyed'`,
    );
    expect(new Set(rows[0]?.keys)).toEqual(new Set(['k', null]));
    const one = await board.get('/api/pgq/queues/keyed');
    const all = await board.get('/api/pgq/queues');
    expect([one.status, all.status]).toEqual([200, 200]);
    expect(one.body['queue']?.['singletonsActive']).toEqual(['k']);
  });
});
