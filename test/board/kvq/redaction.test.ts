/** Redaction: a function of the host that fails, fields that it replaces, and the names of hidden queues. */

import { expect } from 'vitest';
import type { BoardQueue } from '../../../src/board/kvq/index.ts';
import { serveBoard } from './http-board.ts';
import type { Answer, ServedBoard } from './http-board.ts';
import { keyOf, until, suiteOf } from './suite.ts';
import type { Suite } from './suite.ts';
import { cells } from './cells.ts';

const failed = (...fields: string[]) => ({
  key: 'ERRORS.FORMATTER_FAILED',
  options: { fields },
});

async function served(
  queues: readonly BoardQueue[],
  run: (board: ServedBoard) => Promise<void>,
): Promise<void> {
  const board = await serveBoard(queues);
  try {
    await run(board);
    expect(board.errors).toEqual([]);
  } finally {
    await board.close();
  }
}

function redactionSuite({ current, world, start, test }: Suite): void {
  test('marks a job whose formatter fails, and nothing else', async () => {
    const { queue, path } = await start();
    const good = await queue.add('good', { card: 1 });
    const bad = await queue.add('bad', { card: 2 });
    await queue.schedule('tick', { every: 600_000 }, { card: 2 });
    const isBad = (data: unknown) => (data as { card?: number }).card === 2;
    const results: readonly (() => unknown)[] = [
      () => {
        throw new Error('secret');
      },
      () => {
        throw 'secret';
      },
      () => Promise.reject(new Error('secret')),
      () => 12n,
      () => ({
        toJSON: () => {
          throw new Error('secret');
        },
      }),
    ];
    for (const result of results) {
      const formatted = queue
        .boardQueue()
        .setFormatter('data', (data) => (isBad(data) ? result() : data));
      await served([formatted], async (board) => {
        const { jobs } = (await board.get(`/api/queues?activeQueue=${queue.name}`)).body.queues[0];
        const byId = new Map<string, Record<string, unknown>>(
          jobs.map((job: { id: string }) => [job.id, job]),
        );
        expect(byId.get(good)).toMatchObject({ name: 'good', data: { card: 1 } });
        expect(byId.get(good)).not.toHaveProperty('problem');
        expect(byId.get(bad)).toMatchObject({ name: 'bad', data: null, problem: failed('data') });
        const { body } = await board.get(`${path}/${bad}`);
        expect(body.job).toMatchObject({ data: null, problem: failed('data') });
        expect(JSON.stringify([jobs, body])).not.toContain('secret');
        const found = await board.get(`${path}/search?id=${bad}`);
        expect(found.body.jobs).toMatchObject([{ job: { problem: failed('data') } }]);
        if (current) {
          const { schedulers } = (await board.get('/api/job-schedulers')).body;
          expect(schedulers).toMatchObject([{ template: { data: null }, problem: failed('data') }]);
        }
      });
    }
    const throws = (): never => {
      throw new Error('secret');
    };
    const broken = queue
      .boardQueue({ externalJobUrl: throws })
      .setFormatter('name', throws)
      .setFormatter('progress', throws)
      .setFormatter('returnValue', throws);
    await served([broken], async (board) => {
      const { job } = (await board.get(`${path}/${good}`)).body;
      const problem = failed('name', 'progress', 'returnValue', 'externalUrl');
      expect(job).toMatchObject({
        name: '',
        progress: 0,
        returnValue: null,
        data: { card: 1 },
        problem,
      });
      const flow = (await board.get(`${path}/${good}/flow`)).body;
      expect(flow.flowRoot).toMatchObject({
        id: good,
        name: '',
        problem: failed('name', 'progress'),
      });
      const added = await board.send('POST', `${path}/add`, { name: 'new' });
      expect(added).toMatchObject({ status: 200, body: { job: { name: '', problem } } });
    });
  });

  test('lists progress as its formatter shows it, of whatever kind it is', async () => {
    const { queue, path } = await start();
    for (const progress of [4_111, { card: 4_111 }]) await queue.add('ended', { progress });
    const stop = await queue.work(async ({ data, progress }) => {
      await progress((data as { progress: number | object }).progress);
    });
    await until(async () => (await queue.counts())['completed'] === 2);
    await stop();
    for (const [shown, listed] of [
      ['hidden', { progressText: '"hidden"' }],
      [{ card: 'x' }, { progressText: '{"card":"x"}' }],
      [7, { progress: 7 }],
      ['x'.repeat(300), {}],
    ] as const) {
      const formatted = queue.boardQueue().setFormatter('progress', () => shown);
      await served([formatted], async (board) => {
        const { body } = await board.get(`${path}/jobs?status=completed&fields=progress`);
        const jobs = body.jobs.map(({ id: _id, ...job }: { id: string }) => job);
        expect(jobs).toEqual([1, 2].map(() => ({ state: 'completed', ...listed })));
      });
    }
  });

  test('links to pages of http and https only', async () => {
    const { queue, path } = await start();
    const id = await queue.add('linked', {});
    const urls: readonly (readonly [unknown, boolean])[] = [
      ['https://example.com/1', true],
      ['http://localhost:1/2', true],
      ['/jobs/3', true],
      ['javascript:alert(1)', false],
      ['java\nscript:alert(1)', false],
      [' JavaScript:alert(1)', false],
      ['data:text/html,x', false],
      ['http://[', false],
      [7, false],
    ];
    for (const [href, isShown] of urls) {
      const linked = queue.boardQueue({ externalJobUrl: () => ({ href: href as string }) });
      await served([linked], async (board) => {
        const { job } = (await board.get(`${path}/${id}`)).body;
        expect([href, job.externalUrl]).toEqual([href, isShown ? { href } : undefined]);
        expect(job.problem).toEqual(isShown ? undefined : failed('externalUrl'));
      });
    }
  });

  test('does not search fields that a formatter replaces', async () => {
    const { queue, path } = await start();
    const open = await world().queue(`open-${queue.name}`);
    const id = await queue.add('secret name', { card: '4111' });
    const twin = await open.add('secret name', { card: '4111' });
    const byData = '?path=card&value=4111';
    const closed = (field: string) => ({
      error: { key: 'ERRORS.SEARCH_FIELD_CLOSED', options: { field } },
      code: 'INVALID_REQUEST',
    });
    const hiding = (searchable?: readonly ('data' | 'name')[]) =>
      queue
        .boardQueue({ ...(searchable && { searchable }) })
        .setFormatter('data', () => '(hidden)')
        .setFormatter('name', () => '(hidden)');
    const ids = ({ body }: Answer): string[] =>
      body.jobs.map(({ job }: { job: { id: string } }) => job.id);
    await served([hiding()], async (board) => {
      for (const base of [`${path}/search`, '/api/search']) {
        for (const [query, field] of [
          [byData, 'path'],
          ['?path=card', 'path'],
          ['?name=secret', 'name'],
          ['?name=zzz', 'name'],
        ] as const) {
          const answer = await board.get(`${base}${query}`);
          expect([base, query, answer.status, answer.body]).toEqual([
            base,
            query,
            400,
            closed(field),
          ]);
        }
        expect(ids(await board.get(`${base}?id=${id}`))).toEqual([id]);
        expect(ids(await board.get(`${base}?status=waiting`))).toEqual([id]);
      }
    });
    // Among several queues, the closed one is named, and the others are searched.
    await served([hiding(), open.boardQueue()], async (board) => {
      for (const [query, field] of [
        [byData, 'path'],
        ['?name=secret', 'name'],
      ] as const) {
        const answer = await board.get(`/api/search${query}`);
        expect([query, answer.status, ids(answer)]).toEqual([query, 200, [twin]]);
        expect(answer.body.problems).toEqual([
          { queueName: queue.name, problem: closed(field).error },
        ]);
      }
    });
    await served([hiding(['data'])], async (board) => {
      expect(ids(await board.get(`${path}/search${byData}`))).toEqual([id]);
      expect((await board.get(`${path}/search?name=secret`)).body).toEqual(closed('name'));
    });
    await served([hiding(['data', 'name'])], async (board) => {
      expect(ids(await board.get(`${path}/search?name=secret`))).toEqual([id]);
    });
  });

  test('gives versions that tell nothing of parts that a formatter replaces', async () => {
    const { queue, board: open, path } = await start();
    const masked = (data: unknown) => ({ ...(data as object), pin: '****' });
    const hiding = () =>
      queue
        .boardQueue()
        .setFormatter('data', masked)
        .setFormatter('progress', () => 0)
        .setFormatter('returnValue', () => null)
        .setFormatter('name', () => '(hidden)');
    const [id, twin] = [
      await queue.add('secret name', { pin: '4711', n: 1 }),
      await queue.add('secret name', { pin: '4711', n: 1 }),
    ];
    const edit = (on: ServedBoard, jobData: object, ifUnchanged?: string) =>
      on.send('PATCH', `${path}/${id}/update-data`, { jobData, ifUnchanged });
    const versionOn = async (on: ServedBoard, job = id) =>
      (await on.get(`${path}/${job}`)).body.version as string;
    await served([hiding()], async (board) => {
      const before = await versionOn(board);
      const whole = await versionOn(open);
      // Two jobs with the same content do not tell that they have it.
      expect(await versionOn(board, twin)).not.toBe(before);
      for (const pin of ['0000', '4712']) {
        expect((await edit(open, { pin, n: 1 })).status).toBe(200);
        expect(await versionOn(board)).toBe(before);
        expect(await versionOn(open)).not.toBe(whole);
      }
      // Nor does a command tell whether a hidden part is what it was.
      const dry = { queueName: queue.name, action: 'remove', ids: [id], dryRun: true };
      const started = await board.send('POST', '/api/bulk', { ...dry, ifUnchanged: [before] });
      let { run } = started.body;
      await until(async () => {
        ({ run } = (await board.get(`/api/bulk/${run.id}`)).body);
        return run.state !== 'running';
      });
      expect(run).toMatchObject({ matched: 1, refused: [] });
      // The hidden edit of somebody else is kept by an edit that sends the part as it was shown.
      expect((await edit(board, { pin: '****', n: 2, more: true }, before)).status).toBe(200);
      const { data } = (await open.get(`${path}/${id}`)).body.job;
      expect(data).toEqual({ pin: '4712', n: 2, more: true });
      // The shown text of the part counts.
      const late = await edit(board, { pin: '****', n: 3 }, before);
      expect(keyOf(late)).toBe('409 JOB_CHANGED');
      // A value that is sent in its place replaces it.
      const after = await versionOn(board);
      expect((await edit(board, { pin: '1234', n: 2 }, after)).status).toBe(200);
      expect((await open.get(`${path}/${id}`)).body.job.data).toEqual({ pin: '1234', n: 2 });
      const job = `${path}/${id}`;
      expect(keyOf(await board.send('PUT', `${job}/clean`, { ifUnchanged: 'x' }))).toBe(
        '409 JOB_CHANGED',
      );
      const now = { ifUnchanged: await versionOn(board) };
      expect((await board.send('PUT', `${job}/clean`, now)).status).toBe(204);
    });
  });

  test('keeps what another writes into a hidden part while an edit is on its way', async () => {
    const { queue, board: open, path } = await start();
    const id = await queue.add('mail', { pin: '0', n: 0 });
    const hiding = queue
      .boardQueue()
      .setFormatter('data', (data) => ({ ...(data as object), pin: '****' }));
    await served([hiding], async (board) => {
      for (let round = 1; round <= 5; round += 1) {
        const { version, job } = (await board.get(`${path}/${id}`)).body;
        const pin = `${round}`;
        const [theirs, mine] = await Promise.all([
          open.send('PATCH', `${path}/${id}/update-data`, { jobData: { ...job.data, pin } }),
          board.send('PATCH', `${path}/${id}/update-data`, {
            jobData: { pin: '****', n: round },
            ifUnchanged: version,
          }),
        ]);
        expect([mine.status, theirs.status]).toEqual([200, 200]);
        const { data } = (await open.get(`${path}/${id}`)).body.job;
        expect(data.pin).toBe(pin);
      }
    });
  });

  test('keeps what another writes into a hidden part between the read and the write of an edit', async () => {
    const { queue, board: open, path } = await start();
    const id = await queue.add('mail', { pin: '0', n: 0 });
    const edit = `${path}/${id}/update-data`;
    const hiding = queue
      .boardQueue()
      .setFormatter('data', (data) => ({ ...(data as object), pin: '****' }));
    const { driver } = hiding;
    const { change } = driver;
    driver.change = async (...args) => {
      driver.change = change;
      await open.send('PATCH', edit, { jobData: { pin: 'theirs', n: 0 } });
      return change.apply(driver, args);
    };
    await served([hiding], async (board) => {
      const mine = await board.send('PATCH', edit, { jobData: { pin: '****', n: 7 } });
      expect(mine.status).toBe(200);
      expect((await open.get(`${path}/${id}`)).body.job.data).toEqual({ pin: 'theirs', n: 7 });
    });
  });

  test('counts a version of one instance in the others', async () => {
    const { queue, board, path } = await start();
    const id = await queue.add('mail', { a: 1 });
    await served([queue.boardQueue()], async (other) => {
      const { version } = (await other.get(`${path}/${id}`)).body;
      const body = { jobData: { a: 2 }, ifUnchanged: version };
      expect((await board.send('PATCH', `${path}/${id}/update-data`, body)).status).toBe(200);
      expect(keyOf(await other.send('PATCH', `${path}/${id}/update-data`, body))).toBe(
        '409 JOB_CHANGED',
      );
    });
  });

  test('shows the formatted name of schedulers', async () => {
    const { queue } = await start();
    await queue.schedule('tick', { every: 600_000 }, { card: 'of Ada' });
    const formatted = queue
      .boardQueue({ formatters: { data: () => '(hidden)' } })
      .setFormatter('name', ({ name, opts }) => `a ${String(name)} ${typeof opts}`);
    await served([formatted], async (board) => {
      const { schedulers } = (await board.get('/api/job-schedulers')).body;
      expect(schedulers).toMatchObject([{ name: 'a tick object' }]);
      expect(JSON.stringify(schedulers)).not.toContain('of Ada');
    });
  });

  // Bull has no edit of a schedule.
  if (current) {
    test('keeps what a formatter hides of the data of a schedule when the rest is edited', async () => {
      const { queue, board: open, path } = await start();
      const id = `tick${queue.name}`;
      await queue.schedule(id, { every: 600_000 }, { card: '4111', n: 1 });
      const format = (data: unknown): unknown =>
        typeof data === 'object' && data !== null ? { ...data, card: '****' } : data;
      await served([queue.boardQueue({ formatters: { data: format } })], async (board) => {
        const [shown] = (await board.get('/api/job-schedulers?raw=1')).body.schedulers;
        expect(shown).toMatchObject({ template: { data: { card: '****', n: 1 } } });
        expect(shown.raw).not.toHaveProperty('data');
        const answer = await board.send('PATCH', `${path}/job-schedulers/${id}?raw=1`, {
          every: 600_000,
          ifUnchanged: shown.version,
          data: '{"card":"****","n":2}',
        });
        expect(answer.status).toBe(204);
        const [stored] = (await open.get('/api/job-schedulers')).body.schedulers;
        expect(stored.template.data).toEqual({ card: '4111', n: 2 });
      });
    });
  }

  test('shows a job without a flow as the root of its own', async () => {
    const { queue, board, path } = await start();
    const id = await queue.add('alone', {});
    expect((await board.get(`${path}/${id}/flow`)).body).toEqual({
      nodeId: id,
      isFlowNode: false,
      flowRoot: {
        id,
        name: 'alone',
        state: 'waiting',
        timestamp: expect.any(Number),
        progress: 0,
        queueName: queue.name,
        children: [],
      },
    });
  });

  if (!current) return;

  test('does not name the hidden queue of a parent or a child', async () => {
    const { queue } = await start();
    // The key of a hidden queue may begin with the name of a visible one.
    const hidden = await world().queue(`${queue.name}-hidden`);
    const options = { visibilityGuard: () => false };
    const below = { name: 'below', queue: hidden, opts: { failParentOnFailure: true } };
    const middle = { name: 'middle', queue, children: [below] };
    const above = { name: 'above', queue: hidden, children: [middle] };
    // Two, so that a search for a hidden reason could end a page with the first.
    for (let nth = 0; nth < 2; nth += 1) await world().flow?.(above);
    const stop = [
      await hidden.work(async () => {
        throw new Error('broken');
      }),
      await queue.work(async () => 1),
    ];
    await until(async () => (await queue.names('failed')).join() === 'middle,middle');
    await Promise.all(stop.map((end) => end()));
    const path = `/api/queues/${queue.name}`;
    if (queue.redis) {
      const { client, key } = queue.redis;
      for (const id of await client.zrange(key('failed'), '0', '-1')) {
        const reason = String(await client.hget(key(id), 'failedReason'));
        const trace = `UnrecoverableError: ${reason}\n    at Worker.run`;
        await client.hset(key(id), 'stacktrace', JSON.stringify([trace]), 'defa', reason);
      }
    }
    const job = async (board: ServedBoard) =>
      (await board.get(`/api/queues?activeQueue=${queue.name}&status=failed`)).body.queues[0]
        .jobs[0];
    await served([queue.boardQueue(), hidden.boardQueue()], async (board) => {
      const shown = await job(board);
      expect(shown.opts.parent).toMatchObject({ id: expect.any(String) });
      expect(shown.failedReason).toContain(`${hidden.name}:`);
      const found = await board.get(
        `${path}/search?error=${encodeURIComponent(`${hidden.name}:`)}`,
      );
      expect(found.body.jobs).toHaveLength(2);
    });
    for (const queues of [[queue.boardQueue(), hidden.boardQueue(options)], [queue.boardQueue()]]) {
      await served(queues, async (board) => {
        const shown = await job(board);
        expect(shown.failedReason).toBe('child failed');
        if (queue.redis) {
          const trace = 'UnrecoverableError: child failed\n    at Worker.run';
          expect(shown.stacktrace).toEqual([trace]);
          expect(shown.deferredFailure).toBe('child failed');
        }
        expect(shown.opts).not.toHaveProperty('parent');
        const answers = [
          await board.get(`${path}/${shown.id}`),
          await board.get(`${path}/${shown.id}/flow`),
          await board.get(`${path}/search?error=child`),
          await board.get('/api/search?name=middle'),
          await board.get(`${path}/${shown.id}?raw=1`),
        ];
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
        expect(answers[4]?.body.job.raw).toHaveProperty('data');
        expect(answers[2]?.body.jobs).toHaveLength(2);
        expect(JSON.stringify(answers.map(({ body }) => body))).not.toContain('-hidden');
        // The hidden key is not a text of the job, so a search does not tell that it is there.
        for (const error of [`${hidden.name}:`, '-hidden', 'no job has this']) {
          const asked = new URLSearchParams({ error, limit: '1' });
          const { body } = await board.get(`${path}/search?${asked}`);
          expect([error, body.jobs, body.nextCursor]).toEqual([error, [], null]);
        }
        // Nor does a run.
        for (const [error, matched] of [
          ['-hidden', 0],
          ['child', 2],
        ] as const) {
          const filter = { status: 'failed', error };
          const asked = { queueName: queue.name, action: 'remove', filter, dryRun: true };
          let { run } = (await board.send('POST', '/api/bulk', asked)).body;
          await until(async () => {
            ({ run } = (await board.get(`/api/bulk/${run.id}`)).body);
            return run.state !== 'running';
          });
          expect([error, run.matched]).toEqual([error, matched]);
        }
      });
    }
    if (!queue.redis || !hidden.redis) return;
    // The end of the line, by which a key is recognised, is beyond the beginning that is read.
    const reason = `child ${hidden.redis.key('7'.repeat(5_000))} failed`;
    const { client, key } = queue.redis;
    for (const id of await client.zrange(key('failed'), '0', '-1')) {
      await client.hset(key(id), 'failedReason', reason);
    }
    await served([queue.boardQueue()], async (board) => {
      const { body } = await board.get(`${path}/jobs?status=failed`);
      expect(body.jobs).toHaveLength(2);
      expect(JSON.stringify(body)).not.toContain('-hidden');
    });
  });
}

for (const cell of cells) suiteOf(cell, redactionSuite);
