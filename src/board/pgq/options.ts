/** Options of a `pgq` board, their defaults, and what is refused before anything is opened. */

import type { VisibilityGuard } from '../core/index.ts';
import { checkForms } from './option-forms.ts';
import type { PgBossInstance, PgBossLibrary } from './connect/pg-boss.ts';
import type { PgConnection } from './connect/pg-connection.ts';

/** What a `pgq` board is made of; `instance`, `connection`, or both. */
export interface PgqOptions {
  /** A `PgBoss` of the host's: the board writes through it, and reads through it where there is no `connection`. */
  readonly instance?: PgBossInstance | undefined;
  /** Where the board reads: a connection string, settings of `pg`, or a pool of the host's, which stays the host's. */
  readonly connection?: PgConnection | undefined;
  /** pg-boss's schema: a letter or underscore, then letters, digits and underscores. Default `pgboss`. */
  readonly schema?: string | undefined;
  /** Queues the board is for, by name or by a test of the name; others answer 404. Default: all. */
  readonly queues?: readonly string[] | ((name: string) => boolean) | undefined;
  /** Whether the library's own queues are shown. Default `false`. */
  readonly includeInternalQueues?: boolean | undefined;
  /** What separates the parts of queue names, for grouping. Default: nothing. */
  readonly delimiter?: string | undefined;
  /** Milliseconds a read may take. Default 5000. */
  readonly queryTimeoutMs?: number | undefined;
  /** Where counting a state stops. Default 10000. */
  readonly countCap?: number | undefined;
  /** Whether to write to a schema newer than any that was tested. Default `false`. */
  readonly allowUntestedSchema?: boolean | undefined;
  /** Whether the sender of a request may see a queue; a hidden queue answers as a missing one. */
  readonly visibilityGuard?: VisibilityGuard | undefined;
  /** The module `pg-boss` to write with where there is no `instance`. Default: `import('pg-boss')`. */
  readonly library?: PgBossLibrary | undefined;
}

/** Options with their defaults. */
export interface PgqSettings {
  readonly instance: PgBossInstance | undefined;
  readonly connection: PgConnection | undefined;
  /** As the host wrote it, and as PostgreSQL knows it: pg-boss does not quote it. */
  readonly schema: string;
  readonly catalogSchema: string;
  readonly delimiter: string;
  readonly queryTimeoutMs: number;
  readonly countCap: number;
  readonly allowUntestedSchema: boolean;
  readonly visibilityGuard: VisibilityGuard | undefined;
  readonly library: PgBossLibrary | undefined;
  /** Whether the board is for a queue at all, whoever asks. */
  readonly serves: (name: string) => boolean;
}

/** How the library's own queues begin. */
const internalPrefix = '__pgboss__';
/** Longest identifier PostgreSQL keeps. */
const longestIdentifier = 63;

function positive(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 1 && value <= 2_147_483_647) return value;
  throw new TypeError(`pgq.${name} must be a whole number of at least 1.`);
}

function servedBy(options: PgqOptions): PgqSettings['serves'] {
  const { queues, includeInternalQueues = false } = options;
  const listed = Array.isArray(queues) ? new Set<string>(queues) : undefined;
  const test = typeof queues === 'function' ? queues : undefined;
  return (name) => {
    if (!includeInternalQueues && name.startsWith(internalPrefix)) return false;
    if (listed) return listed.has(name);
    const answer: unknown = test ? test(name) : true;
    if (answer instanceof Promise) throw new TypeError('pgq.queues must answer at once.');
    return Boolean(answer);
  };
}

/**
 * Fills in defaults.
 *
 * @throws TypeError naming the option that cannot work, or where neither `instance` nor `connection` is given.
 */
export function pgqSettings(options: PgqOptions): PgqSettings {
  const { instance, connection, schema = 'pgboss' } = options;
  checkForms(options);
  if (!instance && !connection) {
    throw new TypeError('A pgq board needs pgq.instance, pgq.connection, or both.');
  }
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(schema) || schema.length > longestIdentifier) {
    throw new TypeError(
      'pgq.schema must be a letter or underscore, then letters, digits and underscores; 63 at most.',
    );
  }
  return {
    instance,
    connection,
    schema,
    catalogSchema: schema.toLowerCase(),
    delimiter: options.delimiter ?? '',
    queryTimeoutMs: positive('queryTimeoutMs', options.queryTimeoutMs ?? 5_000),
    countCap: positive('countCap', options.countCap ?? 10_000),
    allowUntestedSchema: options.allowUntestedSchema === true,
    visibilityGuard: options.visibilityGuard,
    library: options.library,
    serves: servedBy(options),
  };
}
