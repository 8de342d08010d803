/** Options of a `pgq` board and their defaults. */

import * as option from '../../lib/option-rows.ts';
import type { OptionTableOf } from '../../lib/index.ts';
import type { VisibilityGuard } from '../core/index.ts';
import type { PgBossInstance, PgBossLibrary } from './connect/pg-boss.ts';
import type { PgConnection } from './connect/pg-connection.ts';

/** Options of a `pgq` board; `instance`, `connection`, or both are required. */
export interface PgqOptions {
  /** A `PgBoss` of the host, for writes, and for reads if `connection` is absent. */
  readonly instance?: PgBossInstance | undefined;
  /** Connection for reads: a connection string, settings of `pg`, or a pool of the host, which the host closes. */
  readonly connection?: PgConnection | undefined;
  /** Name of pg-boss's schema: a letter or underscore, then letters, digits and underscores. Default `pgboss`. */
  readonly schema?: string | undefined;
  /** Names of the queues that the board serves, or a synchronous predicate; others respond with 404. Default: all. */
  readonly queues?: readonly string[] | ((name: string) => boolean) | undefined;
  /** Whether the internal queues of the library are shown. Default false. */
  readonly includeInternalQueues?: boolean | undefined;
  /** Separator of the parts of queue names for grouping. Default none. */
  readonly delimiter?: string | undefined;
  /** Timeout of a read in milliseconds. Default 5000. */
  readonly queryTimeoutMs?: number | undefined;
  /** Maximum number of jobs counted per state. Default 10000. */
  readonly countCap?: number | undefined;
  /** Whether the board writes to a schema newer than the tested versions. Default false. */
  readonly allowUntestedSchema?: boolean | undefined;
  /** Whether the sender of a request may see a queue; a hidden queue responds with 404. Default: all are visible. */
  readonly visibilityGuard?: VisibilityGuard | undefined;
  /** The module `pg-boss` for writes without an `instance`. Default: `import('pg-boss')`. */
  readonly library?: PgBossLibrary | undefined;
}

/** Options with their defaults. */
export interface PgqSettings {
  readonly instance: PgBossInstance | undefined;
  readonly connection: PgConnection | undefined;
  /** The name as given, and its catalog form: pg-boss does not quote it. */
  readonly schema: string;
  readonly catalogSchema: string;
  readonly delimiter: string;
  readonly queryTimeoutMs: number;
  readonly countCap: number;
  readonly allowUntestedSchema: boolean;
  readonly visibilityGuard: VisibilityGuard | undefined;
  readonly library: PgBossLibrary | undefined;
  /** Whether the board serves a queue to any sender. */
  readonly serves: (name: string) => boolean;
}

/** Prefix of the library's internal queues. */
const internalPrefix = '__pgboss__';
/** Maximum length of a PostgreSQL identifier. */
const maxIdentifierLength = 63;

/** Maximum of PostgreSQL's `integer`. */
const largestInteger = 2_147_483_647;

/** The types of the options; checked by `createBoard`. */
export const pgqOptionTable = {
  instance: option.withMethods('a PgBoss', 'getDb'),
  connection: {
    expected: 'a connection string, settings of pg or a pool',
    fits: (value) => option.string.fits(value) || option.plainObject.fits(value),
  },
  schema: {
    expected:
      'a letter or underscore, then letters, digits and underscores, at most 63 characters in all',
    fits: (value) =>
      typeof value === 'string' &&
      /^[A-Za-z_][A-Za-z0-9_]*$/.test(value) &&
      value.length <= maxIdentifierLength,
  },
  queues: option.either(option.listOf(option.string), option.func),
  includeInternalQueues: option.boolean,
  delimiter: option.string,
  queryTimeoutMs: option.wholeNumber(1, largestInteger),
  countCap: option.wholeNumber(1, largestInteger),
  allowUntestedSchema: option.boolean,
  visibilityGuard: option.func,
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
  const { instance, connection, schema = 'pgboss' } = options;
  if (!instance && !connection) {
    throw new TypeError('A pgq board requires "pgq.instance", "pgq.connection" or both');
  }
  return {
    instance,
    connection,
    schema,
    catalogSchema: schema.toLowerCase(),
    delimiter: options.delimiter ?? '',
    queryTimeoutMs: options.queryTimeoutMs ?? 5_000,
    countCap: options.countCap ?? 10_000,
    allowUntestedSchema: options.allowUntestedSchema ?? false,
    visibilityGuard: options.visibilityGuard,
    library: options.library,
    serves: servedBy(options),
  };
}
