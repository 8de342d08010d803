/**
 * The guards of the commands that change or remove jobs, a row each: what it prevents, the job that shows it, and the
 * commands that leave this job as it is. Every error of such a route has a row here, or its file below.
 */

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { engineRoutes } from '../../../src/board/contract/index.ts';
import type { ErrorKey, Route } from '../../../src/board/contract/index.ts';
import type { QueueOptions } from '../../../src/board/kvq/index.ts';
import { cells } from './cells.ts';
import type { TestQueue } from './cell.ts';
import type { ServedBoard } from './http-board.ts';
import { serveBoard } from './http-board.ts';
import { suiteOf, until, whileActive } from './suite.ts';
import type { Stage, Suite } from './suite.ts';

const minute = 60_000;

type Command = keyof typeof engineRoutes.kvq;
type Values = Readonly<Record<string, unknown>>;

/** The commands, with a body that they accept. */
const commands = {
  retryJob: {},
  cleanJob: {},
  releaseJob: {},
  promoteJob: {},
  updateJobData: { jobData: { changed: true } },
  changeJobDelay: { runAt: Date.now() + 60 * minute },
  changeJobPriority: { priority: 3 },
  removeUnprocessedChildren: {},
  retryJobs: {},
  promoteJobs: {},
  cleanJobs: {},
  emptyQueue: {},
  obliterateQueue: { force: true },
  removeJobScheduler: {},
  startBulk: { action: 'remove', filter: { status: 'waiting' } },
} as const satisfies Partial<Record<Command, Values>>;
type Changing = keyof typeof commands;

const all = Object.keys(commands) as Changing[];
const conditional = ['retryJob', 'cleanJob', 'releaseJob', 'promoteJob', 'updateJobData'] as const;
const edits = ['changeJobDelay', 'changeJobPriority'] as const;
const whole = ['retryJobs', 'promoteJobs', 'cleanJobs', 'emptyQueue', 'obliterateQueue'] as const;

/** A job that is there while a command is sent; on another board than that of its queue alone, where it needs one. */
type Check = (id: string, board?: ServedBoard) => Promise<void>;
type Scene = (suite: Suite, stage: Stage, check: Check) => Promise<void>;

/** Old enough for a clean. */
const old = () => ({ timestamp: Date.now() - 9 * minute });

const added =
  (options: () => object): Scene =>
  async (_suite, { queue }, check) =>
    check(await queue.add('mail', { a: 1 }, options()));

const ended =
  (fails: boolean): Scene =>
  async (_suite, { queue, runJobs }, check) => {
    const id = await queue.add('mail', { a: 1 });
    await runJobs(fails);
    await check(id);
  };

/** A child whose parent, in a queue that is read-only, awaits it. */
const awaited: Scene = async ({ world }, { queue }, check) => {
  const above = await world().queue(`above-${queue.name}`);
  const child = { name: 'child', queue, opts: { jobId: 'child', ...old() } };
  await world().flow?.({ name: 'parent', queue: above, children: [child] });
  const board = await serveBoard([queue.boardQueue(), above.boardQueue({ readOnly: true })]);
  try {
    await check('child', board);
  } finally {
    await board.close();
  }
};

const scenes = {
  waiting: added(old),
  young: added(() => ({ timestamp: Date.now() + 9 * minute })),
  delayed: added(() => ({ delay: 10 * minute })),
  failed: ended(true),
  completed: ended(false),
  active: async (_suite, { queue }, check) => {
    const id = await queue.add('held', {}, old());
    await whileActive(queue, () => check(id));
  },
  'active in a paused queue': async (_suite, { queue }, check) => {
    const id = await queue.add('held', {}, old());
    await whileActive(queue, async () => {
      await queue.pause();
      await check(id);
    });
  },
  'the next run of a scheduler': async (_suite, { queue }, check) =>
    check(await queue.schedule('tick', { pattern: '0 3 1 1 *' })),
  awaited,
  'awaited in a paused queue': (suite, stage, check) =>
    awaited(suite, stage, async (id, board) => {
      await stage.queue.pause();
      await check(id, board);
    }),
} satisfies Record<string, Scene>;

interface Guard {
  readonly prevents: string;
  /** The error; absent where the command succeeds and leaves the job. */
  readonly key?: ErrorKey;
  readonly of: readonly Changing[];
  /** The job that shows it. */
  readonly job: keyof typeof scenes;
  readonly queue?: QueueOptions;
  /** Parts of the path, beside those of the job. */
  readonly at?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: (id: string) => Values;
  /** Where it is: the other libraries do not have what it guards. */
  readonly on?: (suite: Suite) => boolean;
}

const onBullMq = ({ current }: Suite): boolean => current;
const onBull = ({ current }: Suite): boolean => !current;
const onRedis = ({ current, cell }: Suite): boolean => current && cell.datastore === 'kv';

const byIds = (action: string) => (id: string) => ({ action, ids: [id], filter: undefined });

const guards: readonly Guard[] = [
  {
    prevents: 'a sender changes what is hidden',
    key: 'QUEUE_NOT_FOUND',
    of: all,
    job: 'waiting',
    queue: { visibilityGuard: () => false },
  },
  {
    prevents: 'a board changes a queue that the host has locked',
    key: 'QUEUE_READ_ONLY',
    of: all,
    job: 'waiting',
    queue: { readOnly: true },
  },
  {
    prevents: 'a command on a job that is gone meets another one',
    key: 'JOB_NOT_FOUND',
    of: [...conditional, 'removeUnprocessedChildren'],
    job: 'delayed',
    at: { jobId: '999999' },
  },
  {
    prevents: 'a command on a job that is gone meets another one',
    key: 'JOB_NOT_FOUND',
    of: edits,
    job: 'delayed',
    at: { jobId: '999999' },
    on: onBullMq,
  },
  ...[{ expectedState: 'waiting' }, { ifUnchanged: 'another' }].flatMap((seen): Guard[] => {
    const row = {
      prevents: `a decision on an old page, by ${Object.keys(seen).join()}`,
      key: 'JOB_CHANGED',
      job: 'delayed',
      body: () => seen,
    } as const;
    return [
      { ...row, of: ['retryJob'], job: 'failed' },
      { ...row, of: conditional.filter((command) => command !== 'retryJob') },
      { ...row, of: edits, on: onBullMq },
    ];
  }),
  {
    prevents: 'a job is taken from its worker',
    key: 'JOB_IS_ACTIVE',
    of: ['cleanJob', 'releaseJob'],
    job: 'active',
  },
  {
    prevents: 'a job is taken from its worker',
    of: ['emptyQueue', 'cleanJobs'],
    job: 'active',
    at: { queueStatus: 'active' },
  },
  {
    prevents: 'a job is taken from its worker',
    of: ['startBulk'],
    job: 'active',
    body: byIds('remove'),
  },
  {
    prevents: 'a schedule ends because its next run is gone',
    key: 'JOB_BELONGS_TO_JOB_SCHEDULER',
    of: ['cleanJob'],
    job: 'the next run of a scheduler',
  },
  {
    prevents: 'a schedule ends because its next run is gone',
    of: ['emptyQueue'],
    job: 'the next run of a scheduler',
  },
  {
    prevents: 'a schedule ends because its next run is gone',
    of: ['startBulk'],
    job: 'the next run of a scheduler',
    body: byIds('remove'),
  },
  {
    prevents: 'a parent that the sender may not change loses a child',
    key: 'JOB_PARENT_PROTECTED',
    of: ['cleanJob'],
    job: 'awaited',
    on: onBullMq,
  },
  {
    prevents: 'a parent that the sender may not change loses a child',
    key: 'JOB_PARENT_PROTECTED',
    of: ['obliterateQueue'],
    job: 'awaited in a paused queue',
    on: onRedis,
  },
  {
    prevents: 'a parent that the sender may not change loses a child',
    of: ['emptyQueue', 'cleanJobs'],
    job: 'awaited',
    at: { queueStatus: 'waiting' },
    on: onBullMq,
  },
  {
    prevents: 'a parent that the sender may not change loses a child',
    of: ['startBulk'],
    job: 'awaited',
    body: byIds('remove'),
    on: onBullMq,
  },
  {
    prevents: 'a clean takes a job that has only just come',
    of: ['cleanJobs'],
    job: 'young',
    at: { queueStatus: 'waiting' },
  },
  {
    prevents: 'a command on one status takes the jobs of another',
    of: ['retryJobs', 'promoteJobs', 'cleanJobs'],
    job: 'waiting',
    at: { queueStatus: 'failed' },
  },
  {
    prevents: 'a job runs again against the will of the host',
    key: 'RETRIES_DISABLED',
    of: ['retryJob', 'retryJobs'],
    job: 'failed',
    queue: { allowRetries: false },
  },
  {
    prevents: 'a job runs again against the will of the host',
    key: 'RETRIES_DISABLED',
    of: ['startBulk'],
    job: 'failed',
    queue: { allowRetries: false },
    body: byIds('retry'),
  },
  {
    prevents: 'a job that has done its work does it again',
    key: 'COMPLETED_RETRIES_DISABLED',
    of: ['retryJob', 'retryJobs'],
    job: 'completed',
    at: { queueStatus: 'completed' },
    queue: { allowCompletedRetries: false },
  },
  {
    prevents: 'a job that has done its work does it again',
    key: 'COMPLETED_RETRIES_DISABLED',
    of: ['startBulk'],
    job: 'completed',
    queue: { allowCompletedRetries: false },
    body: () => ({ action: 'retry', filter: { status: 'completed' } }),
  },
  {
    prevents: 'a job waits twice',
    key: 'JOB_NOT_RETRIABLE',
    of: ['retryJob'],
    job: 'waiting',
  },
  {
    prevents: 'a job that waits is added again',
    key: 'STATUS_NOT_RETRIABLE',
    of: ['retryJobs'],
    job: 'waiting',
    at: { queueStatus: 'waiting' },
  },
  {
    prevents: 'a job that no worker has waits twice',
    key: 'JOB_NOT_ACTIVE',
    of: ['releaseJob'],
    job: 'waiting',
  },
  {
    prevents: 'a job that is due waits twice',
    key: 'JOB_NOT_DELAYED',
    of: ['promoteJob'],
    job: 'waiting',
  },
  {
    prevents: 'a job that is due waits for a time',
    key: 'JOB_NOT_DELAYED',
    of: ['changeJobDelay'],
    job: 'waiting',
    on: onBullMq,
  },
  {
    prevents: 'a job is due at a time that is none',
    key: 'INVALID_RUN_AT',
    of: ['changeJobDelay'],
    job: 'delayed',
    body: () => ({ runAt: 'soon' }),
  },
  {
    prevents: 'a priority breaks the order of the others',
    key: 'INVALID_PRIORITY',
    of: ['changeJobPriority'],
    job: 'waiting',
    body: () => ({ priority: -1 }),
  },
  {
    prevents: 'an option is written that the library does not read',
    key: 'JOB_EDIT_NOT_SUPPORTED',
    of: edits,
    job: 'delayed',
    on: onBull,
  },
  {
    prevents: 'a job without children is taken for a parent',
    key: 'JOB_HAS_NO_UNPROCESSED_CHILDREN',
    of: ['removeUnprocessedChildren'],
    job: 'waiting',
    on: onBullMq,
  },
  {
    prevents: 'a job is taken for a parent in a library that has none',
    key: 'JOB_UNPROCESSED_CHILDREN_NOT_SUPPORTED',
    of: ['removeUnprocessedChildren'],
    job: 'waiting',
    on: onBull,
  },
  {
    prevents: 'a parameter of a listing is taken for a condition',
    key: 'INVALID_QUERY_PARAM',
    of: [...whole, 'startBulk'],
    job: 'waiting',
    at: { queueStatus: 'failed' },
    query: '?name=other',
  },
  {
    prevents: 'a queue in use is removed',
    key: 'QUEUE_NOT_PAUSED',
    of: ['obliterateQueue'],
    job: 'waiting',
  },
  {
    prevents: 'a queue is removed below its workers',
    key: 'QUEUE_HAS_ACTIVE_JOBS',
    of: ['obliterateQueue'],
    job: 'active in a paused queue',
    body: () => ({ force: false }),
  },
  {
    prevents: 'another schedule is removed',
    key: 'JOB_SCHEDULER_NOT_FOUND',
    of: ['removeJobScheduler'],
    job: 'the next run of a scheduler',
    at: { schedulerId: 'other' },
  },
  {
    prevents: 'a run for which the engine has no command removes jobs',
    key: 'BULK_ACTION_NOT_SUPPORTED',
    of: ['startBulk'],
    job: 'waiting',
    body: byIds('cancel'),
  },
];

/** The errors of these commands that other files show. */
const shownBy: Readonly<Partial<Record<ErrorKey, string>>> = {
  BULK_LIMIT: 'test/board/core/bulk-runs.test.ts',
  BULK_NOT_FOUND: 'test/board/runs-of-others.ts',
  BULK_RUNNING: 'test/board/kvq/bulk-runs.test.ts',
  OUTCOME_UNKNOWN: 'test/board/kvq/full-store.test.ts',
  SEARCH_FIELD_CLOSED: 'test/board/kvq/redaction.test.ts',
};

/** Errors that a route shares with others of its kind, and that it cannot have: it takes no conditions. */
const never: Readonly<Partial<Record<Changing, readonly ErrorKey[]>>> = {
  removeUnprocessedChildren: ['JOB_CHANGED'],
};

/** A job as the library reads it. */
const storedAs = async (queue: TestQueue, id: string) => ({
  state: await queue.state(id),
  job: JSON.stringify(await queue.described(id)),
});

async function send(
  board: ServedBoard,
  queueName: string,
  command: Changing,
  guard: Guard,
  id = '',
) {
  const { path, method }: Route = engineRoutes.kvq[command];
  const { at = {}, body, query = '' } = guard;
  const values: Readonly<Record<string, string>> = {
    queueName,
    jobId: id,
    queueStatus: 'failed',
    schedulerId: 'tick',
    ...at,
  };
  const route = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
  const given: Values = { ...commands[command], ...body?.(id) };
  const answer = await board.send(method, `${route}${query}`, {
    ...given,
    ...(command === 'startBulk' && { queueName }),
  });
  const run = (answer.body as { run?: { id: string } } | undefined)?.run;
  if (run) {
    await until(async () => {
      const { body: now } = await board.get(`/api/bulk/${run.id}`);
      return now.run.state !== 'running';
    });
  }
  return answer;
}

function guardTable(suite: Suite): void {
  for (const guard of guards) {
    const { prevents, key, of, job, on } = guard;
    if (on && !on(suite)) continue;
    for (const command of of) {
      suite.test(`guard of ${command}: ${prevents} (${key ?? 'left'}, ${job})`, async () => {
        const stage = await suite.start(guard.queue);
        const scene: Scene = scenes[job];
        await scene(suite, stage, async (id, board = stage.board) => {
          const before = await storedAs(stage.queue, id);
          const { status, body } = await send(board, stage.queue.name, command, guard, id);
          if (key) expect(body?.error?.key).toBe(`ERRORS.${key}`);
          else expect(status).toBeLessThan(300);
          expect(before.state).not.toMatch(/unknown|undefined/);
          expect(await storedAs(stage.queue, id)).toEqual(before);
        });
      });
    }
  }
}

for (const cell of cells) suiteOf(cell, guardTable);

/** Routes that change or remove jobs, and not what is around them. */
const changes = /^(?:job\.(?!read|add)|jobs\.|queue\.obliterate|schedule\.remove)/;

it('has every command of the contract', () => {
  const routes = Object.entries<Route>(engineRoutes.kvq).filter(
    ([name, { action, access }]) =>
      access === 'write' && (changes.test(action) || name === 'startBulk'),
  );
  expect(routes.map(([name]) => name).toSorted()).toEqual([...all].toSorted());
});

it.each(all)('has a row of each error of %s', (command) => {
  const rows = guards.filter(({ of }) => of.includes(command)).map(({ key }) => key);
  const { errors }: Route = engineRoutes.kvq[command];
  const missing = errors.filter(
    (key) => !rows.includes(key) && !shownBy[key] && !never[command]?.includes(key),
  );
  expect(missing).toEqual([]);
});

it.each(Object.entries(shownBy))('%s is named by %s', (key, file) => {
  expect(readFileSync(file, 'utf8')).toContain(key);
});
