/**
 * The tests that `npm test` leaves to CI: files that cost minutes and try the product as a whole, in surroundings that
 * few changes touch. `npm run test:all` and `npx vitest run` with the name of a file run them, and `.ci/run` does but for
 * those that take turns.
 * `node tools/slowest-tests.ts` shows where the time goes.
 */

import { isCi } from './ci.ts';

/** Files, and what costs the time. */
interface LeftToCi {
  readonly files: string;
  readonly reason: string;
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
  'the model of the commands on one of two versions of pg-boss, which the seed chooses',
  'two of three projects of generators for `sluice init`, which the seed chooses',
];

/** Groups of files that take turns: of each, CI runs one row, which the seed chooses, and `npm run test:all` all. */
export const turnsOfCi: readonly (readonly (readonly string[])[])[] = [
  [
    ['newcomer/templates.test.ts'],
    ['newcomer/frameworks.test.ts'],
    ['newcomer/bundlers.test.ts'],
    ['newcomer/fresh-machine.test.ts'],
    ['newcomer/init.test.ts'],
    ['newcomer/{board-command,boards,empty-folder,prisma-floats,quick-starts}.test.ts'],
    ['docs/guides/*.test.ts'],
  ],
  [
    ['matrix/servers.test.ts'],
    ['matrix/irregular.test.ts'],
    ['matrix/prisma.test.ts'],
    ['matrix/floats.test.ts'],
    ['sql/executors.test.ts', 'matrix/lacking-keys.test.ts'],
    ['hostile/cursors.test.ts', 'prisma/generator.test.ts'],
    ['matrix/{outages,outdated-plans,server-away,time-limits}.test.ts'],
  ],
  [
    ['existing/other-schemas.test.ts'],
    ['existing/{chinook,northwind,odd-types,pagila,ten-models}.test.ts'],
    ['hostile/tenant.test.ts'],
    ['plans/postgresql.test.ts'],
    ['plans/mysql.test.ts'],
    ['plans/sqlite.test.ts'],
  ],
  [
    ['dashboard/screens/accessibility.test.ts'],
    ['dashboard/screens/{looks,narrow}.test.ts'],
    ['dashboard/{hostile-text,large,paths,permissions}.test.ts'],
    ['dashboard/{cluster,late-answers,network,outage,session}.test.ts'],
    ['dashboard/{course,mounts,reference,runs,schedules,texts-of-jobs,timeline}.test.ts'],
    ['dashboard/{columns,errors,long-list,names,redraw,sidebar,tabs,tasks,views,widths}.test.ts'],
    ['dashboard/{add-job,asks,attention,guards,metrics,trouble,warnings,workers}.test.ts'],
  ],
  [
    ['board/kvq/bulk.test.ts'],
    ['board/{kvq,pgq}/errors.test.ts'],
    ['board/runs/processes.test.ts'],
    ['board/runs/undo.test.ts'],
    ['board/pgq/purge.test.ts', 'board/kvq/heavy.test.ts'],
    ['board/pgq/{busy,frozen,moving,outage}.test.ts'],
    ['metrics/processes/*.test.ts', 'metrics/redis-store.test.ts'],
    [
      'auth/{browser-tabs,outage}.test.ts',
      'board/kvq/{cluster,cluster-failover,postgresql-faults}.test.ts',
    ],
  ],
  [
    ['prisma/source.test.ts'],
    ['cli/init/init.test.ts'],
    ['cli/board-redis.test.ts', 'package/{boards,chart}.test.ts'],
    ['package/{exports,weight}.test.ts'],
    ['unit/extensibility/places-left.test.ts'],
    ['package/resolution.test.ts'],
    ['package/costs.test.ts', 'types/type-budget.test.ts'],
    ['scale/{board-standby,galera}.test.ts'],
    ['scale/replicas.test.ts'],
    ['scale/{board-pgbouncer,pgbouncer}.test.ts'],
    ['demo/pages.test.ts'],
    ['demo/demo.test.ts'],
    ['site/playground.test.ts', 'site/board.test.ts'],
    ['demo/boards.test.ts', 'auth/instances.test.ts', 'board/kvq/memory.test.ts'],
  ],
];

export const leftToCi: readonly LeftToCi[] = [
  {
    files: 'test/newcomer/*.test.ts',
    reason:
      'each framework, quick start and board in a fresh folder, and `sluice init` in the projects of generators, from the tarball',
  },
  { files: 'test/package/resolution.test.ts', reason: 'the tarball in each compiler and mode' },
  { files: 'test/package/chart.test.ts', reason: 'the Helm chart, rendered and started' },
  { files: 'test/package/costs.test.ts', reason: 'the processor time of each import' },
  { files: 'test/scale/*.test.ts', reason: 'clusters, replicas and poolers that start and end' },
  {
    files: 'test/dashboard/screens/*.test.ts',
    reason: 'every screen: comparison of pictures, and axe in each theme and size',
  },
  {
    files: 'test/dashboard/{hostile-text,large}.test.ts',
    reason: 'every screen with hostile and with large values',
  },
  { files: 'test/dashboard/mounts.test.ts', reason: 'the dashboard in each framework' },
  {
    files: 'test/dashboard/{cluster,late-answers,network,outage,redraw,session,tabs}.test.ts',
    reason: 'a dashboard whose servers, networks or sessions end',
  },
  {
    files: 'test/dashboard/{paths,permissions}.test.ts',
    reason: 'every screen for people who may do little, and for odd names',
  },
  {
    files:
      'test/dashboard/{attention,guards,metrics,names,reference,runs,schedules,tasks,texts-of-jobs,trouble,views,warnings,widths,workers}.test.ts',
    reason: 'screens of the dashboard beside queues and jobs',
  },
  {
    files: 'test/demo/{boards,pages}.test.ts',
    reason: 'the demo on another Redis, and each of its pages in a browser',
  },
  {
    files: 'test/auth/{browser-tabs,instances,outage}.test.ts',
    reason: 'logins in several tabs and instances, and while a provider is away',
  },
  {
    files: 'test/board/kvq/{cluster,cluster-failover,postgresql-faults}.test.ts',
    reason: 'boards of a cluster, and of servers that fail',
  },
  {
    files: 'test/board/runs/{processes,undo}.test.ts',
    reason: 'runs of boards, and their undo, whose processes are killed, stopped and started',
  },
  {
    files: 'test/site/{board,playground}.test.ts',
    reason: 'the playground and the recorded board of the site, in a browser',
  },
  { files: 'test/hostile/tenant.test.ts', reason: 'generated requests of tenants, beside scopes' },
  {
    files: 'test/board/pgq/{busy,frozen,moving,outage}.test.ts',
    reason: 'boards whose database is busy, stops, moves or goes away',
  },
  {
    files: 'test/matrix/{outages,outdated-plans,server-away,time-limits}.test.ts',
    reason: 'lists whose database is slow, changes or goes away, on every adapter',
  },
  { files: 'test/existing/*.test.ts', reason: 'schemas of known applications, pulled and listed' },
  {
    files: 'test/types/type-budget.test.ts',
    reason: 'the compiler, once for each adapter and size',
  },
  {
    files: 'test/unit/extensibility/places-left.test.ts',
    reason: 'the compiler over the sources with a new operator, family and ORM',
  },
  { files: 'test/board/kvq/memory.test.ts', reason: 'the memory of a board over many requests' },
  {
    files: 'test/metrics/processes/*.test.ts',
    reason: 'recorders in processes that are stopped and started',
  },
  {
    files: 'test/types/types.test.ts',
    reason: 'type tests, which `npm run check` compiles too',
  },
  {
    files: 'test/matrix/prisma.test.ts',
    reason: 'the corpus on an older Prisma and with its own queries',
  },
  { files: 'test/plans/*.test.ts', reason: 'the plans of lists on a million rows' },
  { files: 'test/matrix/servers.test.ts', reason: 'the corpus on further server versions' },
  {
    files: 'test/matrix/irregular.test.ts',
    reason: 'walks and generated requests in a world of its own, of every adapter',
  },
];

const isOn = (name: string): boolean => process.env[name] === '1';

/** Whether this run leaves them out: `npm test` on a developer's machine. */
export const isQuick = isOn('SLUICE_QUICK') && !isCi;

/** Whether suites leave out what the seed does not choose: in CI and in `npm test`, not for a file by its name. */
export const isSharedOut =
  (isCi || isOn('SLUICE_QUICK')) && !isOn('SLUICE_ALL') && !isOn('SLUICE_LONG');

/** The files that are not in turn in a run of the seed: of CI, and none elsewhere. */
export const outOfTurn = (seed: number, isShared = isCi && isSharedOut): readonly string[] =>
  isShared
    ? turnsOfCi.flatMap((rows, group) =>
        rows
          .filter((_, at) => at !== (seed + group) % rows.length)
          .flat()
          .map((files) => `test/${files}`),
      )
    : [];

/** The cells of a suite; a quick run leaves out those of older versions. */
export const newestOf = <Cell>(
  cells: readonly Cell[],
  isOlder: (cell: Cell) => boolean,
): readonly Cell[] => (isQuick ? cells.filter((cell) => !isOlder(cell)) : cells);
