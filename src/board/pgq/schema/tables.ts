/** pg-boss's tables as tables of `sluice/sql`, with the columns of all supported schema versions. */

import { type SqlTable, type SqlTables, sqlTables } from '../../../adapters/sql/index.ts';
import { jsonBrief, jsonText, messageBrief } from '../connect/read-channel.ts';
import type { SchemaColumns } from './features.ts';

/** Job states in the order of the database enumeration: "queued" is before `active`, "stored" after it. */
export const jobStates = [
  'created',
  'retry',
  'active',
  'completed',
  'cancelled',
  'failed',
] as const;

export type JobState = (typeof jobStates)[number];

/** JSON that is read as its text. */
const texts = { type: jsonText, nullable: true, kind: 'string', storage: 'native' } as const;

/** An array of integers, which is read as JSON. */
const integers = { type: 'int4[]', nullable: true, kind: 'json', storage: 'native' } as const;

/** The tables of a schema, with the columns of every supported version. */
function allTables(schema: string) {
  return sqlTables({
    queue: {
      table: 'queue',
      schema,
      primaryKey: 'name',
      columns: {
        name: 'text',
        policy: 'text',
        partition: 'boolean',
        deadLetter: { type: 'text', column: 'dead_letter', nullable: true },
        retryLimit: { type: 'integer', column: 'retry_limit' },
        retryDelay: { type: 'integer', column: 'retry_delay' },
        retryBackoff: { type: 'boolean', column: 'retry_backoff' },
        retryDelayMax: { type: 'integer', column: 'retry_delay_max', nullable: true },
        expireInSeconds: { type: 'integer', column: 'expire_seconds' },
        retentionSeconds: { type: 'integer', column: 'retention_seconds' },
        deleteAfterSeconds: { type: 'integer', column: 'deletion_seconds' },
        warningQueueSize: { type: 'integer', column: 'warning_queued' },
        deferredCount: { type: 'integer', column: 'deferred_count' },
        queuedCount: { type: 'integer', column: 'queued_count' },
        readyCount: { type: 'integer', column: 'ready_count' },
        activeCount: { type: 'integer', column: 'active_count' },
        failedCount: { type: 'integer', column: 'failed_count' },
        totalCount: { type: 'integer', column: 'total_count' },
        blockedCount: { type: 'integer', column: 'blocked_count' },
        readyOldestSeconds: { type: 'integer', column: 'ready_oldest_seconds', nullable: true },
        completedDelta: { type: 'integer', column: 'completed_delta', nullable: true },
        failedDelta: { type: 'integer', column: 'failed_delta', nullable: true },
        deltaSeconds: { type: 'integer', column: 'delta_seconds', nullable: true },
        waitBins: { ...integers, column: 'wait_bins' },
        runBins: { ...integers, column: 'run_bins' },
        readyHistory: { ...integers, column: 'ready_history' },
        heartbeatSeconds: { type: 'integer', column: 'heartbeat_seconds', nullable: true },
        notify: 'boolean',
        singletonsActive: { ...integers, type: 'text[]', column: 'singletons_active' },
        statsCapturedOn: { type: 'timestamptz', column: 'monitor_on', nullable: true },
        createdOn: { type: 'timestamptz', column: 'created_on' },
        updatedOn: { type: 'timestamptz', column: 'updated_on' },
      },
    },
    // The key is (name, id); a listing covers one queue, in which the id alone is the key.
    job: {
      table: 'job',
      schema,
      primaryKey: 'id',
      columns: {
        id: 'uuid',
        queueName: { type: 'text', column: 'name' },
        state: { type: 'job_state', enumValues: jobStates },
        priority: 'integer',
        retryCount: { type: 'integer', column: 'retry_count' },
        retryLimit: { type: 'integer', column: 'retry_limit' },
        createdOn: { type: 'timestamptz', column: 'created_on' },
        startAfter: { type: 'timestamptz', column: 'start_after' },
        startedOn: { type: 'timestamptz', column: 'started_on', nullable: true },
        completedOn: { type: 'timestamptz', column: 'completed_on', nullable: true },
        singletonKey: { type: 'text', column: 'singleton_key', nullable: true },
        groupId: { type: 'text', column: 'group_id', nullable: true },
        blocked: 'boolean',
        sourceName: { type: 'text', column: 'source_name', nullable: true },
        sourceId: { type: 'uuid', column: 'source_id', nullable: true },
        sourceCreatedOn: { type: 'timestamptz', column: 'source_created_on', nullable: true },
        sourceRetryCount: { type: 'integer', column: 'source_retry_count', nullable: true },
        data: { type: 'jsonb', nullable: true },
        output: { type: 'jsonb', nullable: true },
        dataText: { ...texts, column: 'data' },
        outputText: { ...texts, column: 'output' },
        dataBrief: { ...texts, type: jsonBrief, column: 'data' },
        reasonBrief: { ...texts, type: messageBrief, column: 'output' },
        policy: { type: 'text', nullable: true },
        retryDelay: { type: 'integer', column: 'retry_delay' },
        retryBackoff: { type: 'boolean', column: 'retry_backoff' },
        retryDelayMax: { type: 'integer', column: 'retry_delay_max', nullable: true },
        expireInSeconds: { type: 'integer', column: 'expire_seconds' },
        deleteAfterSeconds: { type: 'integer', column: 'deletion_seconds' },
        keepUntil: { type: 'timestamptz', column: 'keep_until' },
        singletonOn: { type: 'timestamp', column: 'singleton_on', nullable: true },
        groupTier: { type: 'text', column: 'group_tier', nullable: true },
        heartbeatSeconds: { type: 'integer', column: 'heartbeat_seconds', nullable: true },
        heartbeatOn: { type: 'timestamptz', column: 'heartbeat_on', nullable: true },
        deadLetter: { type: 'text', column: 'dead_letter', nullable: true },
        blocking: 'boolean',
        pendingDependencies: { type: 'integer', column: 'pending_dependencies' },
      },
    },
    dependency: {
      table: 'job_dependency',
      schema,
      primaryKey: ['childName', 'childId', 'parentName', 'parentId'],
      columns: {
        childName: { type: 'text', column: 'child_name' },
        childId: { type: 'uuid', column: 'child_id' },
        parentName: { type: 'text', column: 'parent_name' },
        parentId: { type: 'uuid', column: 'parent_id' },
      },
    },
    schedule: {
      table: 'schedule',
      schema,
      primaryKey: ['queueName', 'key'],
      columns: {
        queueName: { type: 'text', column: 'name' },
        key: 'text',
        kind: 'text',
        expression: { type: 'text', column: 'cron' },
        timezone: { type: 'text', nullable: true },
        dataText: { ...texts, column: 'data' },
        optionsText: { ...texts, column: 'options' },
        createdOn: { type: 'timestamptz', column: 'created_on' },
        updatedOn: { type: 'timestamptz', column: 'updated_on' },
        lastJobId: { type: 'uuid', column: 'last_job_id', nullable: true },
      },
    },
    instance: {
      table: 'instance',
      schema,
      primaryKey: 'id',
      columns: {
        id: 'uuid',
        name: { type: 'text', nullable: true },
        host: 'text',
        pid: 'integer',
        version: 'text',
        heartbeatSeconds: { type: 'integer', column: 'heartbeat_seconds' },
        crashRestarts: { type: 'integer', column: 'crash_restarts' },
        poolMax: { type: 'integer', column: 'pool_max', nullable: true },
        poolTotal: { type: 'integer', column: 'pool_total', nullable: true },
        poolIdle: { type: 'integer', column: 'pool_idle', nullable: true },
        poolWaiting: { type: 'integer', column: 'pool_waiting', nullable: true },
        workers: 'jsonb',
        startedOn: { type: 'timestamptz', column: 'started_on' },
        heartbeatOn: { type: 'timestamptz', column: 'heartbeat_on' },
        stoppedOn: { type: 'timestamptz', column: 'stopped_on', nullable: true },
      },
    },
    warning: {
      table: 'warning',
      schema,
      primaryKey: 'id',
      columns: {
        id: 'uuid',
        type: 'text',
        message: 'text',
        data: { type: 'jsonb', nullable: true },
        createdOn: { type: 'timestamptz', column: 'created_on' },
      },
    },
  });
}

/** pg-boss's tables. */
export type PgqTables = ReturnType<typeof allTables>;

export type PgqModel = keyof PgqTables;

/** Removes columns that the database lacks. A table that is missing as a whole is never read and stays unchanged. */
function present(table: SqlTable, columns: SchemaColumns): SqlTable {
  const found = columns.get(table.table);
  if (!found) return table;
  const kept = Object.entries(table.columns).filter(([path, column]) =>
    found.has((typeof column === 'string' ? undefined : column.column) ?? path),
  );
  return { ...table, columns: Object.fromEntries(kept) };
}

/** The tables of a schema without missing columns; the type still includes all columns. */
export function pgqTables(schema: string, columns: SchemaColumns): PgqTables {
  const tables: SqlTables = Object.fromEntries(
    Object.entries(allTables(schema)).map(([model, table]) => [model, present(table, columns)]),
  );
  return tables as PgqTables;
}
