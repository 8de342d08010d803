/**
 * Responses of the schema guard: supported and unsupported versions, missing columns, no schema, changes at run time.
 */

import { afterEach, describe, expect, it } from 'vitest';
import { advanceClock } from '../../clock.ts';
import { newestLibrary, oldestLibrary } from './libraries.ts';
import { type BoardUnderTest, type World, makeWorld } from './world.ts';

let world: World | undefined;

afterEach(async () => {
  await world?.close();
  world = undefined;
});

const setVersion = ({ admin }: World, version: number | null) =>
  version === null
    ? admin.query('delete from pgboss.version')
    : admin.query('update pgboss.version set version = $1', [version]);

/** Every route that reads, except info and preview, and two that write. */
async function gated(board: BoardUnderTest): Promise<unknown[]> {
  const id = '00000000-0000-4000-8000-000000000000';
  const answers = [
    ...(await Promise.all(
      [
        'queues',
        'queues/a',
        'queues/a/counts',
        'queues/a/depth',
        'queues/a/jobs',
        `queues/a/jobs/${id}`,
        `queues/a/jobs/${id}/dependencies`,
        `jobs/${id}`,
        'warnings',
        'schedules',
      ].map((path) => board.get(`/api/pgq/${path}`)),
    )),
    await board.send('POST', '/api/pgq/queues/a/jobs', {}),
    await board.send('PUT', '/api/pgq/queues/a/retry-failed'),
  ];
  return answers.map(({ status, body }) => ({ status, ...body }));
}

describe('a schema that cannot be read', () => {
  it.each([
    {
      name: 'version 34',
      break: (made: World) => setVersion(made, 34),
      error: { key: 'ERRORS.PGQ_SCHEMA_UNSUPPORTED', options: { found: 34, min: 35, max: 46 } },
      info: { installed: true, schemaVersion: 34 },
    },
    {
      name: 'no version row',
      break: (made: World) => setVersion(made, null),
      error: { key: 'ERRORS.PGQ_SCHEMA_UNSUPPORTED', options: { found: null, min: 35, max: 46 } },
      info: { installed: true, schemaVersion: null },
    },
    {
      name: 'no schema',
      break: ({ admin }: World) => admin.query('drop schema pgboss cascade'),
      error: { key: 'ERRORS.PGQ_NOT_INSTALLED' },
      info: { installed: false, schemaVersion: null },
    },
    {
      name: 'a required column dropped',
      break: ({ admin }: World) =>
        admin.query('alter table pgboss.queue rename column updated_on to changed_on'),
      error: {
        key: 'ERRORS.PGQ_SCHEMA_INCOMPATIBLE',
        options: { found: 46, missing: 'queue.updated_on' },
      },
      info: { installed: true, schemaVersion: 46 },
    },
  ])('$name', async ({ break: breakSchema, error, info }) => {
    world = await makeWorld(newestLibrary, 'pgq_guard');
    await breakSchema(world);
    const board = await world.board();
    for (const answer of await gated(board)) {
      expect(answer).toEqual({ status: 409, error, code: error.key.replace('ERRORS.', '') });
    }
    const { status, body } = await board.get('/api/pgq/info');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...info,
      readable: false,
      writable: false,
      unavailableReason: error,
      writesDisabledReason: error,
      supportedRange: { min: 35, max: 46 },
      features: { queueCounters: false, warnings: false },
      capabilities: { send: false, schedulePreview: false, bulk: false },
      datastore: { backend: 'sql' },
    });
    const preview = await board.send('POST', '/api/pgq/schedules/preview', {
      expression: '* * * * *',
    });
    expect(preview.status).toBe(200);
    expect(board.log).toEqual([]);
  });
});

it('a function of the library that is missing refuses the commands that call it', async () => {
  world = await makeWorld(newestLibrary, 'pgq_guard');
  await world.boss.createQueue('a');
  await world.admin.query('drop function pgboss.job_now() cascade');
  const board = await world.board();
  const { status, body } = await board.send('POST', '/api/pgq/queues/a/jobs', {});
  expect([status, body]).toEqual([
    409,
    {
      error: { key: 'ERRORS.PGQ_WRITES_DISABLED' },
      code: 'PGQ_WRITES_DISABLED',
      message: {
        key: 'ERRORS.PGQ_SCHEMA_INCOMPATIBLE',
        options: { found: 46, missing: 'pgboss.job_now()' },
      },
    },
  ]);
  expect((await board.send('PUT', '/api/pgq/queues/a/delete-queued', {})).status).toBe(200);
});

describe('a schema in the range', () => {
  it.each([36, 46])(
    'of version %i is read; commands require the same version of the library',
    async (version) => {
      world = await makeWorld(newestLibrary, 'pgq_guard');
      await world.boss.createQueue('a');
      await setVersion(world, version);
      const board = await world.board();
      expect((await board.get('/api/pgq/queues')).status).toBe(200);
      const sent = await board.send('POST', '/api/pgq/queues/a/jobs', {});
      const info = await board.get('/api/pgq/info');
      if (version === 46) {
        expect(sent.status).toBe(200);
        expect(info.body).toMatchObject({ writable: true, writesDisabledReason: null });
        return;
      }
      const reason = {
        key: 'ERRORS.PGQ_SCHEMA_MISMATCH',
        options: { found: version, expected: 46 },
      };
      expect([sent.status, sent.body]).toEqual([
        409,
        {
          error: { key: 'ERRORS.PGQ_WRITES_DISABLED' },
          code: 'PGQ_WRITES_DISABLED',
          message: reason,
        },
      ]);
      expect(info.body).toMatchObject({
        writable: false,
        writesDisabledReason: reason,
        capabilities: { send: false, scheduleWrite: false, schedulePreview: true },
      });
      // The host has chosen the version of its instance.
      const own = await world.board({ instance: world.boss });
      expect((await own.send('POST', '/api/pgq/queues/a/jobs', {})).status).toBe(200);
    },
  );

  it('newer than any tested version is read; commands require an option', async () => {
    world = await makeWorld(newestLibrary, 'pgq_guard');
    await world.boss.createQueue('a');
    await setVersion(world, 47);
    const board = await world.board({ instance: world.boss });
    expect((await board.get('/api/pgq/queues')).status).toBe(200);
    const reason = { key: 'ERRORS.PGQ_SCHEMA_UNTESTED', options: { found: 47, max: 46 } };
    const sent = await board.send('POST', '/api/pgq/queues/a/jobs', {});
    expect([sent.status, sent.body['message']]).toEqual([409, reason]);
    const info = await board.get('/api/pgq/info');
    expect(info.body).toMatchObject({
      untested: true,
      readable: true,
      writesDisabledReason: reason,
    });
    const allowed = await world.board({ instance: world.boss, allowUntestedSchema: true });
    expect((await allowed.send('POST', '/api/pgq/queues/a/jobs', {})).status).toBe(200);
    // Another version of the library is refused regardless of the option.
    const alone = await world.board({ allowUntestedSchema: true });
    const refused = await alone.send('POST', '/api/pgq/queues/a/jobs', {});
    expect(refused.body['message']?.['key']).toBe('ERRORS.PGQ_SCHEMA_MISMATCH');
  });

  it('newer than any tested version takes the commands of a library of its own version', async () => {
    world = await makeWorld(newestLibrary, 'pgq_guard');
    await world.boss.createQueue('a');
    await setVersion(world, 47);
    const { PgBoss, getConstructionPlans } = newestLibrary.module;
    const library = {
      PgBoss,
      getConstructionPlans: (schema?: string) =>
        getConstructionPlans(schema).replaceAll('46', '47'),
    };
    for (const options of [{ library }, { library, instance: world.boss }]) {
      const board = await world.board(options);
      expect((await board.send('POST', '/api/pgq/queues/a/jobs', {})).status).toBe(200);
      const info = await board.get('/api/pgq/info');
      expect(info.body).toMatchObject({ untested: true, writable: true });
    }
  });

  it('that lacks the columns of features is shown without them', async () => {
    world = await makeWorld(newestLibrary, 'pgq_guard');
    const { admin, boss } = world;
    await boss.createQueue('a');
    await boss.schedule('a', '* * * * *');
    const id = await boss.send('a', { n: 1 });
    for (const statement of [
      'drop table pgboss.warning',
      'drop table pgboss.queue_stats',
      'alter table pgboss.job_dependency rename to edges',
      'alter table pgboss.schedule drop column last_job_id',
      'alter table pgboss.queue rename column ready_history to old_history',
      'alter table pgboss.queue rename column total_count to old_count',
      'alter table pgboss.job rename column source_retry_count to old_retry_count',
      'alter table pgboss.job rename column priority to old_priority',
    ]) {
      await admin.query(statement);
    }
    const board = await world.board();
    const info = await board.get('/api/pgq/info');
    const gone = [
      'queueCounters',
      'readyHistory',
      'scheduleKind',
      'dependencies',
      'deadLetterSource',
      'queueDepth',
      'warnings',
    ];
    expect(info.body['disabledFeatures']).toEqual(gone);
    expect(info.body['features']).toMatchObject({ schedules: true, warnings: false });
    expect(info.body).toMatchObject({ persistQueueStats: false, persistWarnings: false });
    const queue = await board.get('/api/pgq/queues/a');
    expect(queue.body['queue']).toMatchObject({ readyHistory: [], scheduleCount: 1 });
    const job = await board.get(`/api/pgq/queues/a/jobs/${id}`);
    expect(job.body['job']).toMatchObject({ priority: 0, deadLetterSource: null });
    expect((await board.get('/api/pgq/queues/a/jobs?filter[priority][eq]=1')).status).toBe(400);
    const edges = await board.get(`/api/pgq/queues/a/jobs/${id}/dependencies`);
    expect(edges.body).toEqual({ dependencies: [], dependents: [] });
    const schedules = await board.get('/api/pgq/schedules');
    expect(schedules.body['schedules']).toMatchObject([{ kind: 'cron', lastJobId: null }]);
    for (const [path, feature] of [
      ['queues/a/depth', 'queueDepth'],
      ['warnings', 'warnings'],
    ] as const) {
      const { status, body } = await board.get(`/api/pgq/${path}`);
      expect([status, body]).toEqual([
        409,
        {
          error: { key: 'ERRORS.PGQ_FEATURE_UNAVAILABLE', options: { feature } },
          code: 'PGQ_FEATURE_UNAVAILABLE',
        },
      ]);
    }
  });

  it('without a table of schedules has none, and takes none', async () => {
    world = await makeWorld(newestLibrary, 'pgq_guard');
    await world.boss.createQueue('a');
    await world.admin.query('drop table pgboss.schedule');
    const board = await world.board();
    expect((await board.get('/api/pgq/schedules')).body).toEqual({ schedules: [] });
    expect((await board.get('/api/pgq/queues')).body['queues']?.length).toEqual(1);
    const put = await board.send('PUT', '/api/pgq/queues/a/schedules', { cron: '* * * * *' });
    expect([put.status, put.body['error']]).toEqual([
      409,
      { key: 'ERRORS.PGQ_FEATURE_UNAVAILABLE', options: { feature: 'schedules' } },
    ]);
    const removed = await board.send('PUT', '/api/pgq/queues/a/schedules/remove', {});
    expect(removed.status).toBe(404);
  });

  it('that changes while the board runs is checked again', async () => {
    world = await makeWorld(oldestLibrary, 'pgq_guard');
    await world.boss.createQueue('a');
    const board = await world.board();
    expect((await board.get('/api/pgq/queues')).status).toBe(200);
    await world.admin.query('alter table pgboss.queue rename column notify to told');
    expect((await board.get('/api/pgq/queues')).status).toBe(200);
    await world.admin.query('drop schema pgboss cascade');
    const gone = await board.get('/api/pgq/queues');
    expect(gone.body['error']?.['key']).toBe('ERRORS.PGQ_NOT_INSTALLED');
  });
});

describe('permissions that change while the board runs', () => {
  const role = `sluice_granted_${process.pid}`;
  const paths = ['info', 'queues', 'queues/a', 'queues/a/depth', 'queues/a/jobs', 'warnings'];

  afterEach(async () => {
    await world?.admin.query(`drop owned by ${role}`);
    await world?.admin.query(`drop role ${role}`);
  });

  it('are noticed: revoked ones at the next statement, granted ones within ten seconds', async () => {
    world = await makeWorld(newestLibrary, 'pgq_grants');
    const { admin } = world;
    await world.boss.createQueue('a');
    await admin.query(`create role ${role} login`);
    await admin.query(`grant usage on schema pgboss to ${role}`);
    await admin.query(`grant select on all tables in schema pgboss to ${role}`);
    const url = new URL(world.url);
    url.username = role;
    const board = await world.board({ connection: url.href });
    const statuses = async () => {
      const found = [];
      for (const path of paths) found.push((await board.get(`/api/pgq/${path}`)).status);
      return found;
    };
    expect(await statuses()).toEqual([200, 200, 200, 200, 200, 200]);
    await admin.query(`revoke select on pgboss.queue_stats, pgboss.warning from ${role}`);
    expect(await statuses()).toEqual([200, 200, 200, 409, 200, 409]);
    const without = await board.get('/api/pgq/info');
    expect(without.body['disabledFeatures']).toEqual(['queueDepth', 'warnings']);
    await admin.query(`revoke select on pgboss.queue from ${role}`);
    const refused = await board.get('/api/pgq/queues');
    expect([refused.status, refused.body['error']?.['key']]).toEqual([
      409,
      'ERRORS.PGQ_SCHEMA_INCOMPATIBLE',
    ]);
    await admin.query(
      `grant select, insert, update, delete on all tables in schema pgboss to ${role}`,
    );
    const sent = async () => (await board.send('POST', '/api/pgq/queues/a/jobs', {})).status;
    advanceClock(10_000);
    expect(await sent()).toBe(200);
    expect(await statuses()).toEqual([200, 200, 200, 200, 200, 200]);
    expect(board.log.filter((line) => !line.startsWith('Listings of jobs'))).toEqual([]);
  });
});

it('a right to write that is granted while the board runs is noticed within ten seconds', async () => {
  const writer = `sluice_writes_${process.pid}`;
  world = await makeWorld(newestLibrary, 'pgq_writes');
  const { admin } = world;
  await world.boss.createQueue('a');
  await admin.query(
    `create role ${writer} login; grant usage on schema pgboss to ${writer};
     grant select on all tables in schema pgboss to ${writer}`,
  );
  try {
    const url = new URL(world.url);
    url.username = writer;
    const board = await world.board({ connection: url.href });
    const sent = async () => (await board.send('POST', '/api/pgq/queues/a/jobs', {})).status;
    expect(await sent()).toBe(409);
    await admin.query(`grant insert, update, delete on all tables in schema pgboss to ${writer}`);
    advanceClock(10_000);
    expect(await sent()).toBe(200);
  } finally {
    await admin.query(`drop owned by ${writer}; drop role ${writer}`);
  }
});

it('an instance of the host decides on commands, where the board reads a replica', async () => {
  world = await makeWorld(newestLibrary, 'pgq_replica');
  await world.boss.createQueue('a');
  const replica = new URL(world.url);
  replica.searchParams.set('options', '-c default_transaction_read_only=on');
  const board = await world.board({ connection: replica.href, instance: world.boss });
  expect((await board.get('/api/pgq/queues/a')).status).toBe(200);
  expect((await board.send('POST', '/api/pgq/queues/a/jobs', {})).status).toBe(200);
});

describe('a read-only board', () => {
  it('mounts no command and reports why', async () => {
    world = await makeWorld(newestLibrary, 'pgq_guard');
    await world.boss.createQueue('a');
    const board = await world.board({}, { readOnly: true });
    expect((await board.send('POST', '/api/pgq/queues/a/jobs', {})).status).toBe(404);
    expect((await board.send('PUT', '/api/pgq/queues/a/retry-failed')).status).toBe(404);
    const preview = await board.send('POST', '/api/pgq/schedules/preview', {
      expression: '* * * * *',
    });
    expect(preview.status).toBe(200);
    const { body } = await board.get('/api/pgq/info');
    expect(body).toMatchObject({
      readOnly: true,
      writable: false,
      writesDisabledReason: { key: 'ERRORS.QUEUE_READ_ONLY' },
      capabilities: { send: false, bulk: false, schedulePreview: true },
    });
  });
});
