/** The query rules of all listings, compiled for the columns of a schema. */

import {
  type CompiledQueryRules,
  type FilterRule,
  type ModelScopes,
  type OperatorName,
  type Predicate,
  type QueryRulesDeclaration,
  type QuerySettings,
  defineQueryRules,
} from '../../../rules/index.ts';
import type { ColumnPath } from '../../core/index.ts';
import type { SchemaRegistry } from '../../../schema/index.ts';
import type { PgqModel, PgqTables } from '../schema/tables.ts';
import { messagePaths } from './search-rules.ts';

/** The parts of a list of jobs that a request asks for. */
export interface WantedFields {
  readonly brief?: boolean;
  readonly columns?: readonly ColumnPath[] | undefined;
}

/** The rules of the board's reads. */
export interface ListingRules {
  /** Queues with all fields of a summary; all of them, or one by name. */
  readonly queues: CompiledQueryRules;
  /** Only the names of queues. */
  readonly queueNames: CompiledQueryRules;
  /** Jobs of one queue by page. */
  readonly jobs: CompiledQueryRules;
  /** The same where the index of the listing exists: several states are read one by one, and merged. */
  readonly jobsByState: CompiledQueryRules;
  /**
   * The fields of a list of jobs, for a request to `jobs`, `jobsByState` and the search that wants more; undefined for those
   * that a list has of itself.
   */
  listFields(wanted: WantedFields): string | undefined;
  /** One job with all of its fields. */
  readonly job: CompiledQueryRules;
  /** One job in any queue, with the fields of a summary. */
  readonly anyJob: CompiledQueryRules;
  /** Ids and states of jobs, for commands. */
  readonly jobStates: CompiledQueryRules;
  /** Jobs that run, of any queue: when they began, and when their workers last reported. */
  readonly running: CompiledQueryRules;
  /** Jobs of one state, counted up to the cap. */
  readonly cappedJobs: CompiledQueryRules;
  /** Jobs of some states, counted exactly. */
  readonly countedJobs: CompiledQueryRules;
  /** Dependencies between jobs, in either direction. */
  readonly dependencies: CompiledQueryRules;
  readonly schedules: CompiledQueryRules;
  /** The queue of every schedule, for counting schedules per queue. */
  readonly scheduleQueues: CompiledQueryRules;
  readonly warnings: CompiledQueryRules;
  /** Processes that run pg-boss, newest first. */
  readonly instances: CompiledQueryRules;
}

/** Row limit of a listing without pages; beyond any real number of queues or schedules. */
const everyRow = 1_000_000;
/** Maximum number of dependencies shown per job and direction. */
export const maxDependencies = 10_000;
/** Maximum number of processes shown, the latest first. */
export const maxInstances = 1_000;
/** Maximum number of running jobs that are read at once, the first to be created. */
const maxRunning = 1_000;
/** Rows that a search examines at once. */
export const examinedRows = 2_000;
/** Jobs that a command reads per batch. Where statistics are old, a statement over some ids may read the whole queue. */
export const commandBatch = 5_000;

/** Jobs of a part of a run by filter at most: each part reads pages of the table all over. */
export const largestPart = 50_000;

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

/** Fields of a list of jobs in brief, which a request has to ask for. */
const brief: readonly string[] = ['dataBrief', 'reasonBrief'];

/** Fields that a list has only as columns which a request asks for. */
export const columnFields: readonly string[] = [
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
];

/** Fields that lists have not of themselves. */
const detail = new Set([
  ...brief,
  ...columnFields,
  'data',
  'output',
  'dataText',
  'outputText',
  'deadLetter',
  'blocking',
  'pendingDependencies',
]);

const askedFor: readonly string[] = [...brief, ...columnFields];

/** The part of the rules that the options of a board decide. */
export interface ListingLimits {
  readonly countCap: number;
  /** Whether every plan over jobs has a scope. */
  readonly scoped: boolean;
}

/** The scope of a request is the condition itself. */
const jobScopes: ModelScopes<{ readonly jobs: Predicate }> = { job: ({ jobs }) => jobs };

/** The filters of jobs whose columns a schema has. */
function filtersOf(paths: readonly string[]): FilterRule[] {
  return Object.entries(jobFilters)
    .filter(([path]) => paths.includes(path))
    .map(([path, operators]) => ({ path, operators }));
}

/** Compiles the rules of the jobs of all queues, with filters on typed paths. */
export function searchRules(
  registry: SchemaRegistry,
  { scoped }: ListingLimits,
  paths: readonly FilterRule[],
): CompiledQueryRules {
  const fields = (registry.get('job')?.fields ?? []).flatMap(({ path, internal }) =>
    internal ? [] : [path],
  );
  const summary = fields.filter((path) => !detail.has(path));
  // The message of an error is at one of several paths.
  const hasMessage = paths.some(({ path }) => path === 'output.value.message');
  return defineQueryRules(
    registry,
    'job',
    {
      filters: [...filtersOf(fields), ...paths],
      sorts: ['createdOn', 'id'],
      pagination: { mode: 'keyset' },
      ...(hasMessage && { groups: { depth: 1, terms: Object.keys(messagePaths).length } }),
      fields: {
        root: {
          allowed: [...summary, ...askedFor.filter((path) => fields.includes(path))],
          default: summary,
        },
      },
    },
    {
      families: ['postgresql'],
      ...(scoped && { scopes: jobScopes }),
      defaultPerPage: 20,
      maxPerPage: largestPart,
      allowUnpaginated: false,
      // Groups alone bring a budget.
      limits: { cost: 1_000 },
    },
  );
}

/** Compiles the rules for the fields of the registry. */
export function listingRules(
  registry: SchemaRegistry,
  tables: PgqTables,
  { countCap, scoped }: ListingLimits,
): ListingRules {
  const fieldsOf = (model: PgqModel): string[] =>
    (registry.get(model)?.fields ?? []).map((field) => field.path);
  const compile = (
    model: PgqModel,
    fields: readonly string[],
    declaration: Omit<QueryRulesDeclaration, 'fields'>,
    settings: QuerySettings = {},
    askedFor: readonly string[] = [],
  ) =>
    defineQueryRules(
      registry,
      model,
      {
        ...declaration,
        pagination: { mode: 'keyset', maxUnpaginatedRows: everyRow, ...declaration.pagination },
        fields: { root: { allowed: [...fields, ...askedFor], default: fields } },
      },
      {
        families: ['postgresql'],
        ...(scoped && model === 'job' && { scopes: jobScopes }),
        ...settings,
      },
    );
  const jobs = fieldsOf('job');
  const summary = jobs.filter((path) => !detail.has(path));
  const asked = askedFor.filter((path) => jobs.includes(path));
  const filters = filtersOf(jobs);
  const inQueue: FilterRule = { path: 'queueName', operators: ['eq'] };
  const byState: FilterRule[] = [inQueue, { path: 'state', operators: ['eq', 'in'] }];
  const byName: FilterRule[] = [{ path: 'name', operators: ['eq'] }];
  const pages = { defaultPerPage: 1, maxPerPage: commandBatch };
  const ofQueue = { filters: [inQueue, ...filters], sorts: ['createdOn', 'id'] };
  const pagesOfJobs = { defaultPerPage: 20, maxPerPage: 100, allowUnpaginated: false };
  return {
    queues: compile('queue', fieldsOf('queue'), { filters: byName }),
    queueNames: compile('queue', ['name'], {
      filters: [{ path: 'name', operators: ['eq', 'like'] }],
    }),
    jobs: compile('job', summary, ofQueue, pagesOfJobs, asked),
    jobsByState: compile(
      'job',
      summary,
      { ...ofQueue, pagination: { mergeBy: 'state' } },
      pagesOfJobs,
      asked,
    ),
    listFields: ({ brief: isBrief = false, columns = [] }) => {
      const named = new Set(columns.map(([name]) => name));
      const fields = asked.filter((path) => (brief.includes(path) ? isBrief : named.has(path)));
      return fields.length === 0 ? undefined : [...summary, ...fields].join(',');
    },
    job: compile(
      'job',
      // Values are read as texts.
      jobs.filter((path) => path !== 'data' && path !== 'output' && !brief.includes(path)),
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
      ['id', 'queueName', 'state', 'createdOn'],
      {
        filters: [...byState, { path: 'id', operators: ['eq', 'in'] }],
        sorts: ['createdOn', 'id'],
      },
      pages,
    ),
    running: compile(
      'job',
      ['id', 'queueName', 'createdOn', 'startedOn', 'heartbeatSeconds', 'heartbeatOn'].filter(
        (path) => jobs.includes(path),
      ),
      { filters: byState, sorts: ['createdOn', 'id'] },
      { defaultPerPage: maxRunning, maxPerPage: maxRunning },
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
      { filters: byState, pagination: { mode: 'offset' } },
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
    instances: compile(
      'instance',
      fieldsOf('instance'),
      { sorts: ['startedOn', 'id'] },
      { defaultPerPage: maxInstances, maxPerPage: maxInstances },
    ),
  };
}
