/** A read-only role: reads work, every command is refused with its reason, and no DDL is run. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newestLibrary } from './libraries.ts';
import { recordStatements } from './statements.ts';
import { type BoardUnderTest, type World, makeWorld } from './world.ts';

const role = `sluice_reader_${process.pid}`;
const reason = { key: 'ERRORS.PGQ_WRITER_UNAVAILABLE' };

let world: World;
let board: BoardUnderTest;
let id: string;
let url: string;

beforeAll(async () => {
  world = await makeWorld(newestLibrary, 'pgq_roles');
  await world.boss.createQueue('a');
  id = (await world.boss.send('a', {})) as string;
  for (const statement of [
    `create role ${role} login`,
    `grant usage on schema pgboss to ${role}`,
    `grant select on all tables in schema pgboss to ${role}`,
  ]) {
    await world.admin.query(statement);
  }
  const address = new URL(world.url);
  address.username = role;
  url = address.href;
  board = await world.board({ connection: url });
});
afterAll(async () => {
  await world?.admin.query(`drop owned by ${role}`);
  await world?.admin.query(`drop role ${role}`);
  await world?.close();
});

describe('a role with only SELECT', () => {
  it('reads everything', async () => {
    const recording = recordStatements();
    for (const path of [
      'info',
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
    ]) {
      const { status } = await board.get(`/api/pgq/${path}`);
      expect([path, status]).toEqual([path, 200]);
    }
    recording.stop();
    const statements = recording.take();
    expect(statements.length).toBeGreaterThan(15);
    for (const { text } of statements) expect(text.trim()).toMatch(/^select /i);
  });

  it('is refused every command with the reason', async () => {
    const commands: readonly (readonly [string, string, unknown?])[] = [
      ['POST', 'queues/a/jobs', {}],
      ...['retry', 'cancel', 'resume', 'remove'].flatMap((command) => [
        ['PUT', `queues/a/jobs/${command}`, { ids: [id] }] as const,
        ['PUT', `queues/a/jobs/${id}/${command}`] as const,
      ]),
      ['PUT', 'queues/a/retry-failed'],
      ['PUT', 'queues/a/delete-queued'],
      ['PUT', 'queues/a/delete-stored'],
      ['PUT', 'queues/a/schedules', { cron: '* * * * *' }],
      ['PUT', 'queues/a/schedules/remove', {}],
    ];
    for (const [method, path, body] of commands) {
      const answer = await board.send(method, `/api/pgq/${path}`, body);
      expect([path, answer.status, answer.body]).toEqual([
        path,
        409,
        {
          error: { key: 'ERRORS.PGQ_WRITES_DISABLED' },
          code: 'PGQ_WRITES_DISABLED',
          message: reason,
        },
      ]);
    }
    const { body } = await board.get('/api/pgq/info');
    expect(body).toMatchObject({ readable: true, writable: false, writesDisabledReason: reason });
  });

  it('is refused to undo a run', async () => {
    await world.boss.createQueue('undone');
    await world.boss.send('undone', {});
    await world.admin.query(`update pgboss.job set state = 'failed' where name = 'undone'`);
    const body = { queueName: 'undone', action: 'retry', all: true };
    const begun = await (await world.board()).send('POST', '/api/bulk', body);
    await world.admin.query(`grant select on all tables in schema pgboss to ${role}`);
    const path = `/api/bulk/${String(begun.body['run']?.['id'])}`;
    await expect
      .poll(async () => (await board.get(path)).body['run'])
      .toMatchObject({ state: 'completed', undoable: true });
    const { status, body: refused } = await board.send('POST', `${path}/undo`);
    expect([status, refused['code']]).toEqual([409, 'PGQ_WRITES_DISABLED']);
  });

  it('is refused the same when the instance has the role', async () => {
    const boss = new newestLibrary.module.PgBoss({
      connectionString: url,
      migrate: false,
      supervise: false,
      schedule: false,
    });
    boss.on('error', () => undefined);
    await boss.start();
    try {
      const own = await world.board({ connection: undefined, instance: boss });
      expect((await own.get('/api/pgq/queues/a/jobs')).status).toBe(200);
      const answer = await own.send('POST', '/api/pgq/queues/a/jobs', {});
      expect([answer.status, answer.body]).toEqual([
        409,
        {
          error: { key: 'ERRORS.PGQ_WRITES_DISABLED' },
          code: 'PGQ_WRITES_DISABLED',
          message: reason,
        },
      ]);
    } finally {
      await boss.stop({ graceful: false });
    }
  });

  it('without access to the schema gets the response that nothing is installed', async () => {
    await world.admin.query(`revoke usage on schema pgboss from ${role}`);
    const blind = await world.board({ connection: url });
    const { status, body } = await blind.get('/api/pgq/queues');
    expect([status, body]).toEqual([
      409,
      { error: { key: 'ERRORS.PGQ_NOT_INSTALLED' }, code: 'PGQ_NOT_INSTALLED' },
    ]);
  });
});

describe('a board is writable only where every write would work', () => {
  const writer = `sluice_writer_${process.pid}`;
  let address: URL;

  beforeAll(async () => {
    await world.boss.createQueue('parted', { partition: true });
    for (const statement of [
      `create role ${writer} login`,
      `grant usage on schema pgboss to ${writer}`,
      `grant select, insert, update, delete on all tables in schema pgboss to ${writer}`,
    ]) {
      await world.admin.query(statement);
    }
    address = new URL(world.url);
    address.username = writer;
  });
  afterAll(async () => {
    await world.admin.query(`drop owned by ${writer}`);
    await world.admin.query(`drop role ${writer}`);
  });

  const info = async () => {
    const made = await world.board({ connection: address.href });
    const { body } = await made.get('/api/pgq/info');
    const { writable, capabilities } = body;
    return { writable, send: capabilities?.['send'], schedule: capabilities?.['scheduleWrite'] };
  };

  it.each([
    ['with all rights', undefined, undefined, { writable: true, send: true, schedule: true }],
    [
      'without a right on the table of a partitioned queue',
      'revoke delete on %I from %W',
      'grant delete on %I to %W',
      { writable: false, send: false, schedule: false },
    ],
    [
      'without a right on schedules',
      'revoke update on pgboss.schedule from %W',
      'grant update on pgboss.schedule to %W',
      { writable: false, send: true, schedule: false },
    ],
    [
      'on a read-only database',
      'alter role %W set default_transaction_read_only = on',
      'alter role %W reset default_transaction_read_only',
      { writable: false, send: false, schedule: false },
    ],
  ])('%s', async (_, before, after, expected) => {
    const { rows } = await world.admin.query<{ name: string }>(
      `select 'pgboss.' || quote_ident(table_name) as name from pgboss.queue where name = 'parted'`,
    );
    const run = async (statement: string | undefined): Promise<void> => {
      if (statement === undefined) return;
      const [table] = rows;
      await world.admin.query(statement.replace('%I', table?.name ?? '').replace('%W', writer));
    };
    await run(before);
    try {
      expect(await info()).toEqual(expected);
    } finally {
      await run(after);
    }
  });
});
