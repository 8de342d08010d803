/**
 * The files of the tests that a run takes. `npm run test:all` and `npx vitest run` with the name of a file take all.
 * CI takes one row of each group of turns, a quarter of the shared files and all others: what commands destroy, guards,
 * scopes and logins are always tried. `npm test` takes the unit tests, and an eighth of all others but those of the turns.
 * `node tools/slowest-tests.ts` shows where the time goes.
 */

import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isCi } from './ci.ts';

/** Long files that try the product as a whole, or in surroundings that few changes touch. */
interface Turns {
  readonly subject: string;
  /** The seed chooses one of the rows. */
  readonly rows: readonly (readonly string[])[];
}

/** A folder whose files take turns one by one. */
interface Shared {
  readonly folder: string;
  /** The files of every run, without their ending. */
  readonly always?: readonly string[];
}

/** The parts that suites leave out of `npm test`, by `newestOf`. */
export const leftOfSuites: readonly string[] = [
  'older versions: BullMQ 5, pg-boss 12.24 and 12.35, Prisma 6, TypeORM 0.3',
];

/** The parts that suites leave to `npm run test:all`, weekly: by `sharedOut` and `isSharedOut`. */
export const leftToAll: readonly string[] = [
  'beside the corpus and the differential suites, each adapter on all but one database, which the seed chooses',
  'every other kind of connection to pg-boss, which the seed chooses',
  'one of Bull and BullMQ 5, which the seed chooses',
  'the model of the commands on two of four stores of jobs and on one of two versions of pg-boss, which the seed chooses',
  'the undo of runs on every other store, which the seed chooses',
  'two of three projects of generators for `sluice init`, which the seed chooses',
];

export const turns: readonly Turns[] = [
  {
    subject: 'the package from its tarball in fresh folders, and the guides',
    rows: [
      ['newcomer/templates.test.ts'],
      ['newcomer/frameworks.test.ts'],
      ['newcomer/bundlers.test.ts'],
      ['newcomer/fresh-machine.test.ts'],
      ['newcomer/init.test.ts'],
      ['newcomer/{board-command,boards,prisma-floats,repeated-rows}.test.ts'],
      ['newcomer/{empty-folder,quick-starts,versions}.test.ts'],
      ['docs/guides/*.test.ts'],
    ],
  },
  {
    subject:
      'the corpus on further servers, known schemas, generated tenants, and plans on a million rows',
    rows: [
      ['matrix/servers.test.ts'],
      ['matrix/irregular.test.ts'],
      ['matrix/prisma.test.ts'],
      ['matrix/floats.test.ts'],
      ['sql/executors.test.ts', 'matrix/lacking-keys.test.ts'],
      ['hostile/cursors.test.ts', 'prisma/generator.test.ts'],
      ['matrix/{outages,outdated-plans,server-away,time-limits}.test.ts'],
      ['existing/other-schemas.test.ts'],
      ['existing/{chinook,northwind,odd-types,pagila,ten-models}.test.ts'],
      ['hostile/tenant.test.ts'],
      ['plans/postgresql.test.ts'],
      ['plans/mysql.test.ts'],
      ['plans/sqlite.test.ts'],
    ],
  },
  {
    subject: 'every screen, and the dashboard beside queues, servers and people',
    rows: [
      ['dashboard/screens/accessibility.test.ts'],
      ['dashboard/screens/looks.test.ts'],
      ['dashboard/screens/four-widths.test.ts'],
      ['dashboard/screens/narrow.test.ts', 'dashboard/{permissions,trouble}.test.ts'],
      ['dashboard/{hostile-text,large,paths}.test.ts'],
      ['dashboard/{cluster,late-answers,network,outage,session}.test.ts'],
      ['dashboard/{course,mounts,reference,runs,schedules,texts-of-jobs,timeline}.test.ts'],
      ['dashboard/{columns,errors,long-list,names,redraw,sidebar,tabs,tasks,views,widths}.test.ts'],
      ['dashboard/{add-job,asks,attention,guards,metrics,warnings,workers}.test.ts'],
    ],
  },
  {
    subject: 'many jobs, ledgers, and boards, recorders and servers that stop, move or fail',
    rows: [
      ['board/kvq/bulk.test.ts'],
      ['board/{kvq,pgq}/errors.test.ts'],
      ['board/{kvq,pgq}/ledger.test.ts'],
      ['board/runs/processes.test.ts'],
      ['board/runs/undo.test.ts'],
      ['board/pgq/purge.test.ts'],
      ['board/kvq/heavy.test.ts'],
      ['board/pgq/{busy,frozen,moving,outage}.test.ts'],
      ['metrics/processes/*.test.ts', 'metrics/redis-store.test.ts'],
      [
        'auth/{browser-tabs,outage}.test.ts',
        'board/kvq/{cluster,cluster-failover,postgresql-faults}.test.ts',
      ],
    ],
  },
  {
    subject: 'packaging, types, the command line, clusters, the demo and the site',
    rows: [
      ['prisma/source.test.ts'],
      ['cli/init/init.test.ts'],
      ['cli/board-redis.test.ts', 'package/{boards,chart}.test.ts'],
      ['package/exports.test.ts'],
      ['package/weight.test.ts', 'types/types.test.ts'],
      ['unit/extensibility/places-left.test.ts'],
      ['package/resolution.test.ts'],
      ['package/costs.test.ts', 'types/type-budget.test.ts'],
      ['scale/{board-standby,galera}.test.ts'],
      ['scale/replicas.test.ts'],
      ['scale/{board-pgbouncer,pgbouncer}.test.ts'],
      ['demo/pages.test.ts'],
      ['demo/demo.test.ts'],
      ['site/{board,playground}.test.ts'],
      ['demo/boards.test.ts', 'auth/instances.test.ts', 'board/kvq/memory.test.ts'],
    ],
  },
];

export const shared: readonly Shared[] = [
  {
    folder: 'board/kvq',
    always: [
      'bulk-runs',
      'conditions',
      'guard-table',
      'guards',
      'hostile-bodies',
      'job-changes',
      'obliterate',
      'once',
      'permissions',
      'queue-changes',
      'redaction',
      'scheduler-writes',
      'schedulers',
      'sql-races',
      'undo',
    ],
  },
  {
    folder: 'board/pgq',
    always: [
      'bulk-runs',
      'command-statements',
      'commands',
      'commit',
      'guard-table',
      'guard',
      'held-commands',
      'hidden',
      'holds',
      'hostile-bodies',
      'locked-rows',
      'permissions',
      'purge-limits',
      'redaction',
      'roles',
      'scope',
      'swept-runs',
      'undo',
    ],
  },
  {
    folder: 'matrix',
    always: ['cells', 'corpus', 'scopes-mysql', 'scopes-postgresql', 'scopes-sqlite'],
  },
  { folder: 'board/contract', always: ['body-bounds', 'contract', 'random-requests', 'requests'] },
  { folder: 'http/mounts', always: ['endpoints', 'guarded-parts', 'guards', 'refused-bodies'] },
  { folder: 'dashboard' },
  { folder: 'sql', always: ['failed-transaction', 'lent-connections', 'tenant-forms'] },
  { folder: 'typeorm' },
  { folder: 'prisma', always: ['own-queries'] },
  { folder: 'drizzle' },
  { folder: 'profile' },
  { folder: 'companions' },
  { folder: 'cli', always: ['guards', 'weak-secrets'] },
  { folder: 'metrics' },
];

const isOn = (name: string): boolean => process.env[name] === '1';

/** Whether this run leaves them out: `npm test` on a developer's machine. */
export const isQuick = isOn('SLUICE_QUICK') && !isCi;

/** Whether suites leave out what the seed does not choose: in CI and in `npm test`, not for a file by its name. */
export const isSharedOut =
  (isCi || isOn('SLUICE_QUICK')) && !isOn('SLUICE_ALL') && !isOn('SLUICE_LONG');

const root = fileURLToPath(new URL('../..', import.meta.url));

const filesOf = (pattern: string): readonly string[] =>
  globSync(`test/${pattern}`, { cwd: root }).toSorted();

const inTurns = (): ReadonlySet<string> =>
  new Set(turns.flatMap(({ rows }) => rows.flat(2).flatMap(filesOf)));

/** The files that take turns one by one: CI runs each fourth, `npm test` each eighth. */
export function sharedFiles(run: 'ci' | 'quick'): readonly string[] {
  const others = inTurns();
  const files =
    run === 'quick'
      ? filesOf('!(unit)/**/*.test.ts')
      : shared.flatMap(({ folder, always = [] }) =>
          filesOf(`${folder}/*.test.ts`).filter(
            (file) => !always.some((name) => file.endsWith(`/${name}.test.ts`)),
          ),
        );
  return files.filter((file) => !others.has(file));
}

/** Seeds after which the files take their turns: the cells of suites are chosen by the remainders of 2 and 3. */
export const seedsOfFiles = 6;

/** The files that a run of the seed leaves out: CI and `npm test`, and no other. */
export function leftOut(
  seed: number,
  run: 'ci' | 'quick' = isCi ? 'ci' : 'quick',
): readonly string[] {
  const turn = Math.floor(seed / seedsOfFiles);
  const rows = turns.flatMap((group, at) =>
    group.rows.filter((_, row) => run === 'quick' || row !== (turn + at) % group.rows.length),
  );
  const every = run === 'quick' ? 8 : 4;
  return [
    ...rows.flat().map((files) => `test/${files}`),
    ...sharedFiles(run).filter((_, at) => (turn + at) % every !== 0),
  ];
}

/** The cells of a suite; a quick run leaves out those of older versions. */
export const newestOf = <Cell>(
  cells: readonly Cell[],
  isOlder: (cell: Cell) => boolean,
): readonly Cell[] => (isQuick ? cells.filter((cell) => !isOlder(cell)) : cells);
