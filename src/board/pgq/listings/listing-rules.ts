/** The query rules of all listings, compiled for the columns of a schema. */

import {
  type CompiledQueryRules,
  type FilterRule,
  type OperatorName,
  type QueryRulesDeclaration,
  type QuerySettings,
  defineQueryRules,
} from '../../../rules/index.ts';
import type { SchemaRegistry } from '../../../schema/index.ts';
import type { PgqModel, PgqTables } from '../schema/tables.ts';

/** The rules of the board's reads. */
export interface ListingRules {
  /** Queues with all fields of a summary; all of them, or one by name. */
  readonly queues: CompiledQueryRules;
  /** Only the names of queues. */
  readonly queueNames: CompiledQueryRules;
  /** Jobs of one queue by page. */
  readonly jobs: CompiledQueryRules;
  /** One job with all of its fields. */
  readonly job: CompiledQueryRules;
  /** One job in any queue, with the fields of a summary. */
  readonly anyJob: CompiledQueryRules;
  /** Ids and states of jobs, for commands. */
  readonly jobStates: CompiledQueryRules;
  /** Jobs of one state, counted up to the cap. */
  readonly cappedJobs: CompiledQueryRules;
  /** Jobs in some states, counted without a cap. */
  readonly countedJobs: CompiledQueryRules;
  /** Dependencies between jobs, in either direction. */
  readonly dependencies: CompiledQueryRules;
  readonly schedules: CompiledQueryRules;
  /** The queue of every schedule, for counting schedules per queue. */
  readonly scheduleQueues: CompiledQueryRules;
  readonly warnings: CompiledQueryRules;
}

/** Row limit of a listing without pages; beyond any real number of queues or schedules. */
const everyRow = 1_000_000;
/** Maximum number of dependencies shown per job and direction. */
export const maxDependencies = 10_000;
/** Jobs that a command reads per batch. */
export const commandBatch = 1_000;

const same: readonly OperatorName[] = ['eq', 'ne', 'in', 'notIn'];
const ordered: readonly OperatorName[] = [...same, 'gt', 'gte', 'lt', 'lte', 'between'];
const text: readonly OperatorName[] = [...ordered, 'like', 'notLike', 'isNull'];

/** Filters of jobs besides the documented parameters. */
const jobFilters: { readonly [path: string]: readonly OperatorName[] } = {
  state: same,
  id: same,
  singletonKey: text,
  priority: ordered,
  retryCount: ordered,
  groupId: text,
  createdOn: ordered,
  startAfter: ordered,
  startedOn: [...ordered, 'isNull'],
  completedOn: [...ordered, 'isNull'],
};

/** Fields that only `GET .../jobs/{jobId}` returns. */
const detail = new Set([
  'data',
  'output',
  'policy',
  'retryDelay',
  'retryBackoff',
  'retryDelayMax',
  'expireInSeconds',
  'deleteAfterSeconds',
  'keepUntil',
  'singletonOn',
  'groupTier',
  'heartbeatSeconds',
  'heartbeatOn',
  'deadLetter',
  'blocking',
  'pendingDependencies',
]);

/** Compiles the rules for the fields of the registry. */
export function listingRules(
  registry: SchemaRegistry,
  tables: PgqTables,
  countCap: number,
): ListingRules {
  const fieldsOf = (model: PgqModel): string[] =>
    (registry.get(model)?.fields ?? []).map((field) => field.path);
  const compile = (
    model: PgqModel,
    fields: readonly string[],
    declaration: Omit<QueryRulesDeclaration, 'fields'>,
    settings: QuerySettings = {},
  ) =>
    defineQueryRules(
      registry,
      model,
      {
        ...declaration,
        pagination: { mode: 'keyset', maxUnpaginatedRows: everyRow, ...declaration.pagination },
        fields: { root: { allowed: fields, default: fields } },
      },
      { families: ['postgresql'], ...settings },
    );
  const jobs = fieldsOf('job');
  const summary = jobs.filter((path) => !detail.has(path));
  const filters: FilterRule[] = Object.entries(jobFilters)
    .filter(([path]) => jobs.includes(path))
    .map(([path, operators]) => ({ path, operators }));
  const inQueue: FilterRule = { path: 'queueName', operators: ['eq'] };
  const byState: FilterRule[] = [inQueue, { path: 'state', operators: ['eq', 'in'] }];
  const byName: FilterRule[] = [{ path: 'name', operators: ['eq'] }];
  const pages = { defaultPerPage: 1, maxPerPage: commandBatch };
  return {
    queues: compile('queue', fieldsOf('queue'), { filters: byName }),
    queueNames: compile('queue', ['name'], { filters: byName }),
    jobs: compile(
      'job',
      summary,
      { filters: [inQueue, ...filters], sorts: ['createdOn', 'id'] },
      { defaultPerPage: 20, maxPerPage: 100, allowUnpaginated: false },
    ),
    job: compile(
      'job',
      jobs,
      { filters: [inQueue, { path: 'id', operators: ['eq'] }] },
      { defaultPerPage: 1 },
    ),
    anyJob: compile(
      'job',
      summary,
      { filters: [inQueue, { path: 'id', operators: ['eq'] }] },
      { defaultPerPage: 1 },
    ),
    jobStates: compile(
      'job',
      // A cursor holds the sort fields, so they are shown.
      ['id', 'state', 'createdOn'],
      {
        filters: [...byState, { path: 'id', operators: ['eq', 'in'] }],
        sorts: ['createdOn', 'id'],
      },
      pages,
    ),
    cappedJobs: compile(
      'job',
      ['id'],
      { filters: byState, pagination: { mode: 'offset', count: { capped: countCap } } },
      pages,
    ),
    countedJobs: compile(
      'job',
      ['id'],
      { filters: byState, pagination: { mode: 'offset', count: 'exact' } },
      pages,
    ),
    dependencies: compile(
      'dependency',
      fieldsOf('dependency'),
      {
        filters: Object.keys(tables.dependency.columns).map((path) => ({
          path,
          operators: ['eq'] as const,
        })),
      },
      { defaultPerPage: maxDependencies, maxPerPage: maxDependencies },
    ),
    schedules: compile('schedule', fieldsOf('schedule'), {
      filters: [
        { path: 'queueName', operators: ['eq'] },
        { path: 'key', operators: ['eq'] },
      ],
    }),
    scheduleQueues: compile('schedule', registry.get('schedule')?.primaryKey ?? ['queueName'], {
      filters: [{ path: 'queueName', operators: ['eq'] }],
    }),
    warnings: compile(
      'warning',
      fieldsOf('warning'),
      { filters: [{ path: 'type', operators: ['eq'] }], sorts: ['createdOn', 'id'] },
      { defaultPerPage: 25, maxPerPage: 100, allowUnpaginated: false },
    ),
  };
}
