/** pg-boss's tables as Drizzle tables: every column that any supported schema version has. */

import {
  PgSchema,
  boolean,
  integer,
  jsonb,
  primaryKey,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';

/** Job states in the order of the database's own enumeration: "queued" is before `active`, "stored" after it. */
export const jobStates = [
  'created',
  'retry',
  'active',
  'completed',
  'cancelled',
  'failed',
] as const;

/** A job state. */
export type JobState = (typeof jobStates)[number];

const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'string' });

/**
 * The tables in a schema. Which of their columns a database has is the probe's to say; the registry leaves
 * the others out. Arrays are read as the driver gives them, so they are declared as JSON.
 */
export function pgqTables(schema: string) {
  // `pgSchema()` refuses `public`, which a host may well have chosen.
  const space = new PgSchema(schema);
  const state = space.enum('job_state', jobStates);
  return {
    queue: space.table('queue', {
      name: text('name').primaryKey(),
      policy: text('policy').notNull(),
      partition: boolean('partition').notNull(),
      deadLetter: text('dead_letter'),
      retryLimit: integer('retry_limit').notNull(),
      retryDelay: integer('retry_delay').notNull(),
      retryBackoff: boolean('retry_backoff').notNull(),
      retryDelayMax: integer('retry_delay_max'),
      expireInSeconds: integer('expire_seconds').notNull(),
      retentionSeconds: integer('retention_seconds').notNull(),
      deleteAfterSeconds: integer('deletion_seconds').notNull(),
      warningQueueSize: integer('warning_queued').notNull(),
      deferredCount: integer('deferred_count').notNull(),
      queuedCount: integer('queued_count').notNull(),
      readyCount: integer('ready_count').notNull(),
      activeCount: integer('active_count').notNull(),
      failedCount: integer('failed_count').notNull(),
      totalCount: integer('total_count').notNull(),
      readyHistory: jsonb('ready_history').$type<number[]>(),
      heartbeatSeconds: integer('heartbeat_seconds'),
      notify: boolean('notify').notNull(),
      singletonsActive: jsonb('singletons_active').$type<string[]>(),
      statsCapturedOn: instant('monitor_on'),
      createdOn: instant('created_on').notNull(),
      updatedOn: instant('updated_on').notNull(),
    }),
    // The key is (name, id); the listings are of one queue each, within which the id is the key.
    job: space.table('job', {
      id: uuid('id').primaryKey(),
      queueName: text('name').notNull(),
      state: state('state').notNull(),
      priority: integer('priority').notNull(),
      retryCount: integer('retry_count').notNull(),
      retryLimit: integer('retry_limit').notNull(),
      createdOn: instant('created_on').notNull(),
      startAfter: instant('start_after').notNull(),
      startedOn: instant('started_on'),
      completedOn: instant('completed_on'),
      singletonKey: text('singleton_key'),
      groupId: text('group_id'),
      blocked: boolean('blocked').notNull(),
      sourceName: text('source_name'),
      sourceId: uuid('source_id'),
      sourceCreatedOn: instant('source_created_on'),
      sourceRetryCount: integer('source_retry_count'),
      data: jsonb('data'),
      output: jsonb('output'),
      policy: text('policy'),
      retryDelay: integer('retry_delay').notNull(),
      retryBackoff: boolean('retry_backoff').notNull(),
      retryDelayMax: integer('retry_delay_max'),
      expireInSeconds: integer('expire_seconds').notNull(),
      deleteAfterSeconds: integer('deletion_seconds').notNull(),
      keepUntil: instant('keep_until').notNull(),
      singletonOn: timestamp('singleton_on', { mode: 'string' }),
      groupTier: text('group_tier'),
      heartbeatSeconds: integer('heartbeat_seconds'),
      heartbeatOn: instant('heartbeat_on'),
      deadLetter: text('dead_letter'),
      blocking: boolean('blocking').notNull(),
      pendingDependencies: integer('pending_dependencies').notNull(),
    }),
    dependency: space.table(
      'job_dependency',
      {
        childName: text('child_name').notNull(),
        childId: uuid('child_id').notNull(),
        parentName: text('parent_name').notNull(),
        parentId: uuid('parent_id').notNull(),
      },
      (table) => [
        primaryKey({ columns: [table.childName, table.childId, table.parentName, table.parentId] }),
      ],
    ),
    schedule: space.table(
      'schedule',
      {
        queueName: text('name').notNull(),
        key: text('key').notNull(),
        kind: text('kind').notNull(),
        expression: text('cron').notNull(),
        timezone: text('timezone'),
        data: jsonb('data'),
        options: jsonb('options'),
        createdOn: instant('created_on').notNull(),
        updatedOn: instant('updated_on').notNull(),
        lastJobId: uuid('last_job_id'),
      },
      (table) => [primaryKey({ columns: [table.queueName, table.key] })],
    ),
    warning: space.table('warning', {
      id: uuid('id').primaryKey(),
      type: text('type').notNull(),
      message: text('message').notNull(),
      data: jsonb('data'),
      createdOn: instant('created_on').notNull(),
    }),
  };
}

/** pg-boss's tables. */
export type PgqTables = ReturnType<typeof pgqTables>;

/** A model of the tables. */
export type PgqModel = keyof PgqTables;
