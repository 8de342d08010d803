/** Options of a `pgq` board and their defaults. */

import * as option from '../../lib/option-rows.ts';
import { bossSchema, catalogSchemaOf, withDefaults } from '../../lib/index.ts';
import type { OptionTableOf, WithDefaults } from '../../lib/index.ts';
import type { Predicate } from '../../rules/index.ts';
import type { HookRequest, VisibilityGuard } from '../core/index.ts';
import type { PgBossInstance, PgBossLibrary } from './connect/pg-boss.ts';
import type { PgConnection } from './connect/pg-connection.ts';

/** The condition of the jobs that the sender of a request may see. */
export type JobScope = (request: HookRequest) => Predicate | Promise<Predicate>;

/** Where a value belongs that a formatter of a `pgq` board receives: to a job, or to a schedule. */
export interface PgqValueOwner {
  /** Name of the queue. */
  readonly queueName: string;
  /** Id of the job; absent for a schedule. */
  readonly jobId?: string | undefined;
  /** Key of the schedule; absent for a job. */
  readonly scheduleKey?: string | undefined;
}

/**
 * Functions that replace parts of jobs before they are shown, for example to redact them. They receive a copy, and
 * return the value to show, synchronously. Default: unchanged.
 */
export interface PgqFormatters {
  /** Receives the data of a job or a schedule. */
  readonly data?: ((data: unknown, owner: PgqValueOwner) => unknown) | undefined;
  /** Receives the output of a job: its result, or the error that it failed with. */
  readonly output?: ((output: unknown, owner: PgqValueOwner) => unknown) | undefined;
}

/** Options of a `pgq` board; `instance`, `connection`, or both are required. */
export interface PgqOptions {
  /** A `PgBoss` of the host, for writes, and for reads if `connection` is absent. */
  readonly instance?: PgBossInstance | undefined;
  /** Connection for reads: a connection string, settings of `pg`, or a pool of the host, which the host closes. */
  readonly connection?: PgConnection | undefined;
  /**
   * Whether a connection string or settings lead to a pooler in transaction mode, such as PgBouncer. Default false: the
   * board notices a pooler that refuses startup parameters or named statements.
   */
  readonly pooler?: boolean | undefined;
  /**
   * Name of pg-boss's schema, as in its own option: a letter or underscore, then letters, digits and underscores, or
   * another name in double quotes. Default `pgboss`.
   */
  readonly schema?: string | undefined;
  /** Names of the queues that the board serves, or a synchronous predicate; others respond with 404. Default: all. */
  readonly queues?: readonly string[] | ((name: string) => boolean) | undefined;
  /** Whether the internal queues of the library are shown. Default false. */
  readonly includeInternalQueues?: boolean | undefined;
  /** Separator of the parts of queue names for grouping. Default none. */
  readonly delimiter?: string | undefined;
  /** Timeout of a read in milliseconds. Default 5000. */
  readonly queryTimeoutMs?: number | undefined;
  /**
   * Timeout of a write in milliseconds; the routes that change a whole queue apply it to each of their steps. Default
   * 30000.
   */
  readonly writeTimeoutMs?: number | undefined;
  /**
   * Milliseconds for which requests for all queues share one read; a change through this board ends it at once. Default
   * 500; with 0, only concurrent requests share a read.
   */
  readonly snapshotMs?: number | undefined;
  /** Maximum number of jobs counted per state. Default 10000. */
  readonly countCap?: number | undefined;
  /** Whether the board writes to a schema newer than the tested versions. Default false. */
  readonly allowUntestedSchema?: boolean | undefined;
  /** Whether the sender of a request may see a queue; a hidden queue responds with 404. Default: all are visible. */
  readonly visibilityGuard?: VisibilityGuard | undefined;
  /**
   * The jobs that the sender of a request may see, as a condition on their fields. It holds in every read and command of
   * jobs; others respond like missing ones. A request fails where it returns none. Default: all.
   */
  readonly scope?: JobScope | undefined;
  /** Functions that replace the data and the output of jobs before they are shown. Default none. */
  readonly formatters?: PgqFormatters | undefined;
  /**
   * Parts that a search may read although a formatter replaces them: a search for a value tells which jobs have it.
   * Default none.
   */
  readonly searchable?: readonly (keyof PgqFormatters)[] | undefined;
  /** The module `pg-boss` for writes without an `instance`. Default: `import('pg-boss')`. */
  readonly library?: PgBossLibrary | undefined;
}

const defaults = {
  pooler: false,
  schema: 'pgboss',
  delimiter: '',
  queryTimeoutMs: 5_000,
  writeTimeoutMs: 30_000,
  snapshotMs: 500,
  countCap: 10_000,
  allowUntestedSchema: false,
  formatters: {},
  searchable: [],
} satisfies PgqOptions;

/** Options with their defaults. */
export interface PgqSettings extends Omit<
  WithDefaults<PgqOptions, typeof defaults>,
  'queues' | 'includeInternalQueues'
> {
  /** The form of the name of the schema in the catalog. */
  readonly catalogSchema: string;
  /** Whether the board serves a queue to any sender. */
  readonly serves: (name: string) => boolean;
  /** Whether the host has chosen the queues that the board serves. */
  readonly servesSome: boolean;
}

/** Prefix of the library's internal queues. */
export const internalPrefix = '__pgboss__';

/** Maximum of PostgreSQL's `integer`. */
const largestInteger = 2_147_483_647;

const formatterTable = {
  data: option.func,
  output: option.func,
} satisfies OptionTableOf<PgqFormatters>;

/** The types of the options; checked by `createBoard`. */
export const pgqOptionTable = {
  instance: option.withMethods('a PgBoss', 'getDb'),
  connection: {
    expected: 'a connection string, settings of pg or a pool',
    fits: (value) => option.string.fits(value) || option.plainObject.fits(value),
  },
  schema: bossSchema,
  pooler: option.boolean,
  queues: option.either(option.listOf(option.string), option.func),
  includeInternalQueues: option.boolean,
  delimiter: option.string,
  queryTimeoutMs: option.wholeNumber(1, largestInteger),
  writeTimeoutMs: option.wholeNumber(1_000, largestInteger),
  snapshotMs: option.wholeNumber(0, largestInteger),
  countCap: option.wholeNumber(1, largestInteger),
  allowUntestedSchema: option.boolean,
  visibilityGuard: option.func,
  scope: option.func,
  formatters: option.objectOf(formatterTable),
  searchable: option.listOf(option.oneOf('data', 'output')),
  library: option.withMethods('the module pg-boss', 'PgBoss'),
} satisfies OptionTableOf<PgqOptions>;

function servedBy(options: PgqOptions): PgqSettings['serves'] {
  const { queues, includeInternalQueues = false } = options;
  const listed = Array.isArray(queues) ? new Set<string>(queues) : undefined;
  const test = typeof queues === 'function' ? queues : undefined;
  return (name) => {
    if (!includeInternalQueues && name.startsWith(internalPrefix)) return false;
    if (listed) return listed.has(name);
    const answer: unknown = test ? test(name) : true;
    if (answer instanceof Promise) throw new TypeError('"pgq.queues" must not return a promise');
    return Boolean(answer);
  };
}

/**
 * Fills in defaults; the options have been checked against their table.
 *
 * @throws {TypeError} when neither `instance` nor `connection` is given
 */
export function pgqSettings(options: PgqOptions): PgqSettings {
  if (!options.instance && !options.connection) {
    throw new TypeError('A pgq board requires "pgq.instance", "pgq.connection" or both');
  }
  const settings = withDefaults(options, defaults);
  return {
    ...settings,
    catalogSchema: catalogSchemaOf(settings.schema),
    serves: servedBy(options),
    servesSome: options.queues !== undefined,
  };
}
