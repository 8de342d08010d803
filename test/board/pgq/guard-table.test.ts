/**
 * The guards of the commands that change or remove jobs, a row each: what it prevents, the job that shows it, and the
 * commands that leave this job as it is. Every error of such a route has a row here, or its file below.
 */

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engineRoutes } from '../../../src/board/contract/index.ts';
import type { ErrorKey, Route } from '../../../src/board/contract/index.ts';
import type { PgqOptions } from '../../../src/board/pgq/index.ts';
import { newestOf } from '../../setup/left-to-ci.ts';
import { type Library, middleLibrary, newestLibrary, oldestLibrary } from './libraries.ts';
import { type World, makeWorld } from './world.ts';

type Command = keyof typeof engineRoutes.pgq;

const singles = ['retryPgqJob', 'cancelPgqJob', 'resumePgqJob', 'removePgqJob'] as const;
const several = ['retryPgqJobs', 'cancelPgqJobs', 'resumePgqJobs', 'removePgqJobs'] as const;
const whole = ['retryFailedPgqJobs', 'deleteQueuedPgqJobs', 'deleteStoredPgqJobs'] as const;
const all = [...singles, ...several, ...whole, 'removePgqSchedule', 'startBulk'] as const;
type Changing = (typeof all)[number];

/** The id of no job. */
const nobody = '00000000-0000-4000-8000-000000000000';

/** Makes a job; its id. */
type Scene = (world: World, queue: string) => Promise<string>;

const sent: Scene = async ({ boss }, queue) => String(await boss.send(queue, { a: 1 }));

const active: Scene = async (world, queue) => {
  const id = await sent(world, queue);
  await world.boss.fetch(queue);
  return id;
};

const scenes = {
  created: sent,
  active,
  completed: async (world, queue) => {
    const id = await active(world, queue);
    await world.boss.complete(queue, id);
    return id;
  },
  failed: async (world, queue) => {
    const id = await active(world, queue);
    await world.boss.fail(queue, id);
    return id;
  },
  cancelled: async (world, queue) => {
    const id = await sent(world, queue);
    await world.boss.cancel(queue, id);
    return id;
  },
  'created, for which another waits': async ({ boss }, queue) => {
    const other = `${queue}-other`;
    await boss.createQueue(other);
    const { parent } = await boss.flow([
      { ref: 'parent', name: queue },
      { ref: 'child', name: other, dependsOn: ['parent'] },
    ]);
    return String(parent);
  },
} satisfies Record<string, Scene>;

interface Guard {
  readonly prevents: string;
  /** The error; absent where the command succeeds and leaves the job. */
  readonly key?: ErrorKey;
  readonly of: readonly Changing[];
  /** The job that shows it. */
  readonly job: keyof typeof scenes;
  readonly board?: Partial<PgqOptions>;
  /** Instead of the id of the job. */
  readonly id?: string;
  readonly query?: string;
  readonly body?: (id: string) => object;
}

const byIds = (action: string) => (id: string) => ({ action, ids: [id], all: undefined });

/** The commands that take no job in a state. */
const refusing = {
  created: ['retry', 'resume'],
  active: ['retry', 'resume', 'remove'],
  completed: ['retry', 'cancel', 'resume'],
  failed: ['cancel', 'resume'],
  cancelled: ['retry', 'cancel'],
} as const;

const ofStates = Object.entries(refusing).flatMap(([state, actions]) =>
  actions.flatMap((action): Guard[] => {
    const job = state as keyof typeof refusing;
    const prevents = `a job that is ${state} is taken for another`;
    const [one, many] = [`${action}PgqJob`, `${action}PgqJobs`] as [Changing, Changing];
    const key = action === 'remove' ? 'JOB_IS_ACTIVE' : 'PGQ_JOB_STATE_CONFLICT';
    return [
      { prevents, key, of: [one], job },
      { prevents, of: [many], job },
      { prevents, of: ['startBulk'], job, body: byIds(action) },
      { prevents, of: ['startBulk'], job, body: () => ({ action, all: true }) },
    ];
  }),
);

const guards: readonly Guard[] = [
  {
    prevents: 'a sender changes what is hidden',
    key: 'QUEUE_NOT_FOUND',
    of: all,
    job: 'created',
    board: { visibilityGuard: () => false },
  },
  {
    prevents: 'a command on a job that is gone meets another one',
    key: 'JOB_NOT_FOUND',
    of: singles,
    job: 'created',
    id: nobody,
  },
  {
    prevents: 'a command on a job that is gone meets another one',
    of: several,
    job: 'created',
    id: nobody,
  },
  {
    prevents: 'an id that is none reaches the database',
    key: 'INVALID_QUERY_PARAM',
    of: singles,
    job: 'created',
    id: 'none',
  },
  ...[{ expectedState: 'active' }, { ifUnchanged: 'another' }].map((seen): Guard => ({
    prevents: `a decision on an old page, by ${Object.keys(seen).join()}`,
    key: 'JOB_CHANGED',
    of: singles,
    job: 'created',
    body: () => seen,
  })),
  ...ofStates,
  {
    prevents: 'a command on the whole queue takes a job from its worker',
    of: whole,
    job: 'active',
  },
  {
    prevents: 'a command on one state takes the jobs of another',
    of: ['retryFailedPgqJobs', 'deleteStoredPgqJobs'],
    job: 'created',
  },
  {
    prevents: 'a command on one state takes the jobs of another',
    of: ['deleteQueuedPgqJobs', 'retryFailedPgqJobs'],
    job: 'completed',
  },
  {
    prevents: 'a job waits forever for one that is gone',
    key: 'PGQ_JOB_HAS_DEPENDENTS',
    of: ['removePgqJob', 'removePgqJobs'],
    job: 'created, for which another waits',
  },
  {
    prevents: 'a job waits forever for one that is gone',
    of: ['deleteQueuedPgqJobs', 'startBulk'],
    job: 'created, for which another waits',
  },
  {
    prevents: 'a command on a hundred jobs holds thousands',
    key: 'PGQ_BULK_LIMIT',
    of: several,
    job: 'created',
    body: (id) => ({ ids: Array.from({ length: 101 }, () => id) }),
  },
  {
    prevents: 'a parameter of a listing is taken for a condition',
    key: 'INVALID_QUERY_PARAM',
    of: [...several, ...whole, 'startBulk'],
    job: 'created',
    query: '?state=failed',
  },
  {
    prevents: 'another schedule is removed',
    key: 'JOB_SCHEDULER_NOT_FOUND',
    of: ['removePgqSchedule'],
    job: 'created',
  },
  {
    prevents: 'a run for which the engine has no command removes jobs',
    key: 'BULK_ACTION_NOT_SUPPORTED',
    of: ['startBulk'],
    job: 'created',
    body: byIds('promote'),
  },
];

/** The errors of these commands that other files show. */
const shownBy: Readonly<Partial<Record<ErrorKey, string>>> = {
  BULK_LIMIT: 'test/board/core/bulk-runs.test.ts',
  BULK_NOT_FOUND: 'test/board/runs-of-others.ts',
  BULK_RUNNING: 'test/board/core/bulk-runs.test.ts',
  OUTCOME_UNKNOWN: 'test/board/pgq/held-commands.test.ts',
  PGQ_NOT_INSTALLED: 'test/board/pgq/guard.test.ts',
  PGQ_QUERY_TIMEOUT: 'test/board/pgq/commit.test.ts',
  PGQ_SCHEMA_INCOMPATIBLE: 'test/board/pgq/guard.test.ts',
  PGQ_SCHEMA_UNSUPPORTED: 'test/board/pgq/guard.test.ts',
  PGQ_WRITES_DISABLED: 'test/board/pgq/roles.test.ts',
  SEARCH_FIELD_CLOSED: 'test/board/pgq/redaction.test.ts',
};

/** Errors that a route shares with others: queues of the other engine refuse retries, and a removal only active jobs. */
const never: Readonly<Partial<Record<Changing, readonly ErrorKey[]>>> = {
  startBulk: ['COMPLETED_RETRIES_DISABLED', 'QUEUE_READ_ONLY', 'RETRIES_DISABLED'],
  removePgqJob: ['PGQ_JOB_STATE_CONFLICT'],
};

function requestOf(command: Changing, queueName: string, id: string, guard: Guard) {
  const { path, method }: Route = engineRoutes.pgq[command];
  const values: Readonly<Record<string, string>> = { queueName, jobId: id };
  const route = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
  const many: readonly Changing[] = several;
  const body = {
    ...(many.includes(command) && { ids: [id] }),
    ...(command === 'startBulk' && { queueName, action: 'remove', all: true }),
    ...(command === 'removePgqSchedule' && { key: 'other' }),
    ...guard.body?.(id),
  };
  return [method, `${route}${guard.query ?? ''}`, body] as const;
}

let number = 0;

describe.each(
  newestOf<Library>(
    [newestLibrary, middleLibrary, oldestLibrary],
    (library) => library !== newestLibrary,
  ),
)('with $name', (library) => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld(library, 'pgq_guard_table');
  });
  afterAll(() => world?.close());

  const rows = guards.flatMap((guard) =>
    guard.of.map((command) => ({ ...guard, command, told: guard.key ?? 'left' })),
  );
  it.each(rows)('guard of $command: $prevents ($told, $job)', async (guard) => {
    const { command, key, job } = guard;
    number += 1;
    const queue = `guard-${number}`;
    await world.boss.createQueue(queue, { retryLimit: 0 });
    const id = await scenes[job](world, queue);
    const stored = async () =>
      (await world.admin.query('select * from pgboss.job where id = $1', [id])).rows;
    const before = await stored();
    expect(before).toHaveLength(1);
    const board = await world.board(guard.board);
    const { status, body } = await board.send(...requestOf(command, queue, guard.id ?? id, guard));
    if (key) expect(body['error']?.['key']).toBe(`ERRORS.${key}`);
    else expect([status < 300 || status === 404, body]).toEqual([true, body]);
    const run = body['run']?.['id'];
    if (run) {
      await expect
        .poll(async () => (await board.get(`/api/bulk/${String(run)}`)).body['run']?.['state'])
        .toBe('completed');
    }
    expect(await stored()).toEqual(before);
    await board.close();
  });
});

/** Routes that change or remove jobs, and not what is around them. */
const changes = /^(?:job\.(?!read|add)|jobs\.|schedule\.remove)/;

it('has every command of the contract', () => {
  const routes = Object.entries<Route>(engineRoutes.pgq).filter(
    ([name, { action, access }]) =>
      access === 'write' && (changes.test(action) || name === 'startBulk'),
  );
  expect(routes.map(([name]) => name).toSorted()).toEqual([...all].toSorted());
});

it.each(all)('has a row of each error of %s', (command) => {
  const rows = guards.filter(({ of }) => of.includes(command)).map(({ key }) => key);
  const { errors }: Route = engineRoutes.pgq[command satisfies Command];
  const missing = errors.filter(
    (key) => !rows.includes(key) && !shownBy[key] && !never[command]?.includes(key),
  );
  expect(missing).toEqual([]);
});

it.each(Object.entries(shownBy))('%s is named by %s', (key, file) => {
  expect(readFileSync(file, 'utf8')).toContain(key);
});
