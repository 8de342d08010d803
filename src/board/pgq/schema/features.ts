/** The required columns of the schema, and the columns of every optional feature. */

import { PgqFeature } from '../../contract/index.ts';

/** Columns by table, as found by a probe. */
export type SchemaColumns = ReadonlyMap<string, ReadonlySet<string>>;

/** A part of the board that a schema may lack. */
export type FeatureName = PgqFeature;

export type Features = { readonly [Name in FeatureName]: boolean };

/** Oldest and newest schema version covered by tests. */
export const supportedRange = Object.freeze({ min: 35, max: 46 });

interface FeatureRow {
  /** First schema version with the feature. */
  readonly since: number;
  readonly columns: { readonly [table: string]: readonly string[] };
}

const counters = [
  'deferred_count',
  'queued_count',
  'ready_count',
  'active_count',
  'failed_count',
  'total_count',
];

/** Columns that the board always requires. */
const required: FeatureRow['columns'] = {
  queue: ['name', 'policy', 'created_on', 'updated_on'],
  job: ['id', 'name', 'state', 'created_on', 'start_after', 'singleton_key'],
};

const features: { readonly [Name in FeatureName]: FeatureRow } = {
  queueCounters: { since: 35, columns: { queue: [...counters, 'monitor_on'] } },
  readyHistory: { since: 35, columns: { queue: ['ready_history'] } },
  schedules: {
    since: 35,
    columns: {
      schedule: ['name', 'key', 'cron', 'timezone', 'data', 'options', 'created_on', 'updated_on'],
    },
  },
  scheduleKind: { since: 41, columns: { schedule: ['kind', 'last_job_id'] } },
  dependencies: {
    since: 35,
    columns: {
      job_dependency: ['child_name', 'child_id', 'parent_name', 'parent_id'],
      job: ['blocked', 'blocking', 'pending_dependencies'],
    },
  },
  deadLetterSource: {
    since: 35,
    columns: { job: ['source_name', 'source_id', 'source_created_on', 'source_retry_count'] },
  },
  queueDepth: { since: 35, columns: { queue_stats: ['name', 'captured_on', ...counters] } },
  warnings: { since: 35, columns: { warning: ['id', 'type', 'message', 'data', 'created_on'] } },
};

function missingOf(columns: SchemaColumns, wanted: FeatureRow['columns']): string[] {
  return Object.entries(wanted).flatMap(([table, names]) =>
    names.filter((name) => !columns.get(table)?.has(name)).map((name) => `${table}.${name}`),
  );
}

/** Required columns that are missing, as `table.column`. */
export function missingColumns(columns: SchemaColumns): string[] {
  return missingOf(columns, required);
}

/** The features that the columns support. */
export function featuresOf(columns: SchemaColumns): Features {
  const has = (name: FeatureName) => missingOf(columns, features[name].columns).length === 0;
  return Object.freeze({
    queueCounters: has('queueCounters'),
    readyHistory: has('readyHistory'),
    schedules: has('schedules'),
    scheduleKind: has('scheduleKind'),
    dependencies: has('dependencies'),
    deadLetterSource: has('deadLetterSource'),
    queueDepth: has('queueDepth'),
    warnings: has('warnings'),
  });
}

/** No feature at all. */
export const noFeatures: Features = featuresOf(new Map());

/** Features that a schema of the version should have but lacks. */
export function disabledFeatures(found: Features, version: number | null): FeatureName[] {
  return PgqFeature.options.filter(
    (name) => !found[name] && version !== null && version >= features[name].since,
  );
}
