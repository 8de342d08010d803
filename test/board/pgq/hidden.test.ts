/** A hidden queue responds like a missing one, byte for byte, in every route. */

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HistoryProvider } from '../../../src/board/core/index.ts';
import type { PgqOptions } from '../../../src/board/pgq/index.ts';
import { newestLibrary } from './libraries.ts';
import { recordStatements } from './statements.ts';
import { type Answer, type BoardUnderTest, type World, makeWorld } from './world.ts';

interface Hiding {
  readonly name: string;
  readonly pgq: Partial<PgqOptions>;
  /** Whether a queue that does not exist is hidden too. */
  readonly hidesOthers?: true;
}

const hidings: readonly Hiding[] = [
  {
    name: 'by the guard',
    pgq: { visibilityGuard: async (_request, queue) => queue !== 'secret' },
  },
  { name: 'by a list of queues', pgq: { queues: ['open', 'absent'] }, hidesOthers: true },
  { name: 'by a test of the name', pgq: { queues: (queue) => queue !== 'secret' } },
];

/** The table of each queue; its name is derived from the name of the queue. */
async function tablesOf({ admin }: World): Promise<Record<string, string>> {
  const { rows } = await admin.query<{ name: string; table_name: string }>(
    'select name, table_name from pgboss.queue',
  );
  return Object.fromEntries(rows.map((row) => [row.name, row.table_name]));
}

/** A response without the parts that depend on the time. */
function seen({ status, headers, text }: Answer): unknown {
  const kept = [...headers].filter(([name]) => name !== 'date');
  return { status, headers: kept, text };
}

describe.each(hidings)('a queue hidden $name', ({ pgq, hidesOthers }) => {
  let world: World;
  let board: BoardUnderTest;
  let secretId: string;
  let openId: string;
  let childId: string;
  let tables: Record<string, string>;

  beforeAll(async () => {
    world = await makeWorld(newestLibrary, 'pgq_hidden');
    const { boss, admin } = world;
    await boss.createQueue('secret', { partition: true });
    await boss.createQueue('open', { deadLetter: 'secret', partition: true });
    tables = await tablesOf(world);
    await boss.schedule('secret', '* * * * *');
    await boss.schedule('open', '* * * * *');
    secretId = (await boss.send('secret', { a: 1 })) as string;
    const ids = await boss.flow([
      { ref: 'parent', name: 'secret', data: {} },
      { ref: 'child', name: 'open', data: {}, dependsOn: ['parent'] },
      { ref: 'grandchild', name: 'secret', data: {}, dependsOn: ['child'] },
    ]);
    childId = ids['child'] as string;
    openId = (await boss.send('open', {})) as string;
    await admin.query(
      `update pgboss.job set source_name = 'secret', source_id = $2, dead_letter = 'secret' where id = $1`,
      [openId, secretId],
    );
    const warnings: readonly (readonly [string, unknown])[] = [
      ['by name', { name: 'secret' }],
      ['by queue', { queue: 'secret' }],
      ['by queueName', { queueName: 'secret' }],
      ['nested', { list: [{ inner: 'secret' }] }],
      ['in the message: "secret"', {}],
      ["in the message: 'secret'", {}],
      ['in the message: \\"secret\\"', {}],
      ['as text', { text: 'queue "secret" is slow' }],
      ['a bare secret word', {}],
      ['a longer "secrets"', { name: 'secrets' }],
      ['open', { name: 'open' }],
    ];
    for (const [message, data] of warnings) {
      await admin.query(`insert into pgboss.warning (type, message, data) values ('t', $1, $2)`, [
        message,
        JSON.stringify(data),
      ]);
    }
    board = await world.board(pgq);
  });
  afterAll(() => world?.close());

  it('responds in every route as for a queue that does not exist', async () => {
    const routes: readonly (readonly [string, string, unknown?])[] = [
      ['GET', '/api/pgq/queues/{q}'],
      ['GET', '/api/pgq/queues/{q}/counts'],
      ['GET', '/api/pgq/queues/{q}/depth'],
      ['GET', '/api/pgq/queues/{q}/jobs'],
      ['GET', '/api/pgq/queues/{q}/jobs?state=failed'],
      ['GET', '/api/pgq/queues/{q}/jobs?cursor=none'],
      ['GET', `/api/pgq/queues/{q}/jobs/${secretId}`],
      ['GET', '/api/pgq/queues/{q}/jobs/nonsense'],
      ['GET', `/api/pgq/queues/{q}/jobs/${secretId}/dependencies`],
      ['GET', '/api/pgq/schedules?queueName={q}'],
      ['POST', '/api/pgq/queues/{q}/jobs', { data: {} }],
      ...['retry', 'cancel', 'resume', 'remove'].flatMap((command) => [
        ['PUT', `/api/pgq/queues/{q}/jobs/${command}`, { ids: [secretId] }] as const,
        ['PUT', `/api/pgq/queues/{q}/jobs/${secretId}/${command}`] as const,
      ]),
      ['PUT', '/api/pgq/queues/{q}/retry-failed'],
      ['PUT', '/api/pgq/queues/{q}/delete-queued'],
      ['PUT', '/api/pgq/queues/{q}/delete-stored'],
      ['PUT', '/api/pgq/queues/{q}/schedules', { cron: '* * * * *' }],
      ['PUT', '/api/pgq/queues/{q}/schedules/remove', {}],
    ];
    for (const [method, path, body] of routes) {
      const ask = (queue: string) => board.send(method, path.replace('{q}', queue), body);
      const hidden = await ask('secret');
      expect([method, path, hidden.status]).toEqual([method, path, 404]);
      expect(seen(hidden)).toEqual(seen(await ask('absent')));
    }
    const { rows } = await world.admin.query(`select 1 from pgboss.job where name = 'secret'`);
    expect(rows).toHaveLength(3);
  });

  it('finds none of its jobs', async () => {
    const hidden = await board.get(`/api/pgq/jobs/${secretId}`);
    expect(hidden.status).toBe(404);
    expect(seen(hidden)).toEqual(seen(await board.get(`/api/pgq/jobs/${randomUUID()}`)));
  });

  it('is not named elsewhere', async () => {
    const answers = [
      await board.get('/api/pgq/queues'),
      await board.get('/api/pgq/queues/open'),
      await board.get('/api/pgq/schedules'),
      await board.get('/api/pgq/queues/open/jobs'),
      await board.get(`/api/pgq/queues/open/jobs/${openId}`),
      await board.get(`/api/pgq/jobs/${openId}`),
      await board.get(`/api/pgq/queues/open/jobs/${childId}/dependencies`),
      await board.get('/api/pgq/info'),
      await board.get('/api/pgq/jobs'),
      await board.get('/api/pgq/search'),
      await board.get('/api/activity'),
      await board.get('/api/running'),
      await board.get('/api/errors'),
    ];
    for (const { status, text } of answers) {
      expect(status).toBe(200);
      expect(text).not.toContain('secret');
      expect(text).not.toContain(secretId);
      expect(text).not.toContain(tables['secret']);
    }
    expect(answers[7]?.body['indexAdvice']).toMatchObject([
      { table: `pgboss.${tables['open']}` },
      { table: 'pgboss.job_common' },
      { table: `pgboss.${tables['open']}` },
      { table: 'pgboss.job_common' },
    ]);
    expect(answers[0]?.body['queues']).toHaveLength(1);
    expect(answers[6]?.body).toEqual({ dependencies: [], dependents: [] });
  });

  it('has no history', async () => {
    const asked: unknown[] = [];
    const historyProvider: HistoryProvider = {
      async getHistory(query) {
        asked.push(query.queue ?? query.queues);
        return [];
      },
      async purge({ queue }) {
        asked.push(queue);
        return { keysDeleted: 1, fieldsDeleted: 1 };
      },
    };
    const recorded = await world.board(pgq, { historyProvider });
    const path = '/api/metrics/history';
    for (const queue of ['', '&queue=secret', '&queue=open']) {
      await recorded.get(`${path}?from=0&to=1&metric=failed${queue}`);
    }
    for (const queue of [undefined, 'secret', 'open']) {
      const answer = await recorded.send('POST', `${path}/purge`, { queue });
      expect(answer.status).toBe(200);
    }
    expect(asked).toEqual([['open'], 'open', 'open', 'open']);
  });

  it('omits the warnings that name it, for any page size', async () => {
    const all = await board.get('/api/pgq/warnings');
    const messages = (body: Answer['body']) =>
      (body['warnings'] as unknown as { message: string }[]).map(({ message }) => message);
    const others = hidesOthers ? [] : ['a longer "secrets"'];
    expect(messages(all.body)).toEqual(['open', ...others, 'a bare secret word']);
    const walked: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body }: Answer = await board.get(`/api/pgq/warnings?limit=1&cursor=${cursor}`);
      walked.push(...messages(body));
      cursor = body['nextCursor'] as unknown as string | null;
    }
    expect(walked).toEqual(messages(all.body));
  });
});

describe('the guard', () => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld(newestLibrary, 'pgq_guard_first');
    await world.boss.createQueue('secret');
  });
  afterAll(() => world?.close());

  it('is asked first, and the steps are the same for a hidden and a missing queue', async () => {
    const steps: string[] = [];
    const board = await world.board({
      visibilityGuard: async (_request, queue) => {
        steps.push(`guard ${queue}`);
        return queue !== 'secret' && queue !== 'absent';
      },
    });
    await board.get('/api/pgq/info');
    const recording = recordStatements();
    try {
      const of = async (path: string, queue: string) => {
        steps.length = 0;
        recording.take();
        const { status } = await board.get(`/api/pgq/${path.replace('{q}', queue)}`);
        const asked = steps.map((step) => step.replace(queue, '{q}'));
        return { status, asked, statements: recording.take().map(({ text }) => text) };
      };
      for (const path of ['queues/{q}', 'queues/{q}/jobs', 'queues/{q}/counts']) {
        const hidden = await of(path, 'secret');
        // Neither the first nor a later request differs.
        for (const again of [await of(path, 'absent'), await of(path, 'secret')]) {
          expect([path, again]).toEqual([path, hidden]);
        }
        expect([path, hidden.status, hidden.asked]).toEqual([path, 404, ['guard {q}']]);
        expect(hidden.statements.length).toBeGreaterThan(0);
      }
    } finally {
      recording.stop();
    }
  });

  it('is asked about the names in warnings of queues that are gone', async () => {
    const warnings: readonly (readonly [string, unknown])[] = [
      ['by name', { name: 'gone' }],
      ['by queue, nested', { list: [{ queue: 'gone' }] }],
      ['slow', { sql: 'select', values: [['gone']] }],
      ['queue "gone" has 7 jobs', {}],
      ['another', { name: 'kept' }],
      ['none', { elapsed: 3, values: ['2026-01-01', 7] }],
    ];
    for (const [message, data] of warnings) {
      await world.admin.query(
        `insert into pgboss.warning (type, message, data) values ('t', $1, $2)`,
        [message, JSON.stringify(data)],
      );
    }
    const board = await world.board({ visibilityGuard: (_request, queue) => queue !== 'gone' });
    const { body } = await board.get('/api/pgq/warnings');
    const found = body['warnings'] as unknown as { message: string }[];
    expect(found.map(({ message }) => message)).toEqual(['none', 'another']);
  });
});

describe('warnings that are almost all hidden', () => {
  it('return short pages with cursors, and every visible warning once, in both directions', async () => {
    const world = await makeWorld(newestLibrary, 'pgq_sparse');
    try {
      await world.boss.createQueue('secret');
      await world.admin.query(
        `insert into pgboss.warning (type, message, data, created_on)
         select 't', 'w' || n, jsonb_build_object('name', case when n % 190 = 0 then 'x' else 'secret' end),
           '2026-01-01Z'::timestamptz + n * interval '1 microsecond' from generate_series(1, 1000) n`,
      );
      const board = await world.board({ visibilityGuard: (_request, queue) => queue !== 'secret' });
      const expected = ['w950', 'w760', 'w570', 'w380', 'w190'];
      for (const limit of [1, 2, 60]) {
        const found: string[] = [];
        let pages = 0;
        let last = '';
        let cursor: string | null = '';
        while (cursor !== null) {
          pages += 1;
          last = cursor;
          const { body }: Answer = await board.get(
            `/api/pgq/warnings?limit=${limit}&cursor=${cursor}`,
          );
          found.push(
            ...(body['warnings'] as unknown as { message: string }[]).map((row) => row.message),
          );
          cursor = body['nextCursor'] as unknown as string | null;
        }
        expect(found).toEqual(expected);
        expect(pages).toBeGreaterThan(2);
        const back: string[] = [];
        cursor = last;
        while (cursor !== null) {
          const { body }: Answer = await board.get(
            `/api/pgq/warnings?limit=${limit}&cursor=${cursor}`,
          );
          back.unshift(
            ...(body['warnings'] as unknown as { message: string }[]).map((row) => row.message),
          );
          cursor = body['prevCursor'] as unknown as string | null;
        }
        expect([...new Set(back)]).toEqual(expected);
      }
    } finally {
      await world.close();
    }
  });
});

it('examines no hidden warning twice, also behind a page that shows some', async () => {
  const world = await makeWorld(newestLibrary, 'pgq_sparse_ends');
  try {
    await world.admin.query(
      `insert into pgboss.warning (type, message, data, created_on)
       select 't', 'w' || n, jsonb_build_object('name', case when n in (1, 1000) then 'x' else 'secret' end),
         '2026-01-01Z'::timestamptz + n * interval '1 microsecond' from generate_series(1, 1000) n`,
    );
    await world.boss.createQueue('secret');
    const board = await world.board({ visibilityGuard: (_request, queue) => queue !== 'secret' });
    const pages: string[][] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body }: Answer = await board.get(`/api/pgq/warnings?limit=5&cursor=${cursor}`);
      const warnings = body['warnings'] as unknown as { message: string }[];
      pages.push(warnings.map(({ message }) => message));
      cursor = body['nextCursor'] as unknown as string | null;
    }
    // A page examines 250.
    expect(pages).toEqual([['w1000'], [], [], ['w1']]);
  } finally {
    await world.close();
  }
});

describe('internal queues of the library', () => {
  it('are hidden unless the host enables them', async () => {
    const world = await makeWorld(newestLibrary, 'pgq_internal');
    try {
      await world.boss.createQueue('mine');
      await world.boss.createQueue('__pgboss__send-it');
      const names = async (board: BoardUnderTest) =>
        ((await board.get('/api/pgq/queues')).body['queues'] as unknown as { name: string }[]).map(
          ({ name }) => name,
        );
      const usual = await world.board();
      expect(await names(usual)).toEqual(['mine']);
      expect((await usual.get('/api/pgq/queues/__pgboss__send-it')).status).toBe(404);
      const open = await world.board({ includeInternalQueues: true });
      expect(await names(open)).toEqual(['__pgboss__send-it', 'mine']);
    } finally {
      await world.close();
    }
  });

  it('a guard that does not say that a queue is visible hides it', async () => {
    const world = await makeWorld(newestLibrary, 'pgq_guard_silent');
    try {
      await world.boss.createQueue('mine');
      for (const answered of [undefined, null, 0]) {
        const board = await world.board({ visibilityGuard: () => answered as unknown as boolean });
        const answer = await board.get('/api/pgq/queues');
        expect([answered, answer.status, answer.text]).toEqual([answered, 200, '{"queues":[]}']);
      }
    } finally {
      await world.close();
    }
  });

  it('a guard that throws shows nothing', async () => {
    const world = await makeWorld(newestLibrary, 'pgq_guard_throws');
    try {
      await world.boss.createQueue('mine');
      const board = await world.board({
        visibilityGuard: () => {
          throw new Error('the guard is broken');
        },
      });
      const answer = await board.get('/api/pgq/queues');
      expect(answer.status).toBe(500);
      expect(answer.text).not.toContain('broken');
    } finally {
      await world.close();
    }
  });
});
