/** The keys of all errors of the board, with their default status. */

/** Keys without their `ERRORS.` prefix. The null prototype prevents names such as `constructor` from matching. */
export const errorStatuses = {
  __proto__: null as never,
  ACTION_NOT_ALLOWED: 403,
  BULK_ACTION_NOT_SUPPORTED: 400,
  BULK_LIMIT: 429,
  BULK_NOT_FOUND: 404,
  BULK_NOT_UNDOABLE: 409,
  BULK_RUNNING: 409,
  COMPLETED_RETRIES_DISABLED: 405,
  FORBIDDEN: 403,
  FORMATTER_FAILED: 500,
  IDEMPOTENCY_KEY_REUSED: 422,
  INTERNAL_SERVER_ERROR: 500,
  INVALID_BEFORE_DATE: 400,
  INVALID_CONCURRENCY: 400,
  INVALID_DATE_RANGE: 400,
  INVALID_GRANULARITY: 400,
  INVALID_METRIC: 400,
  INVALID_PRIORITY: 400,
  INVALID_QUEUE: 400,
  INVALID_QUERY_PARAM: 400,
  INVALID_RATE_LIMIT: 400,
  INVALID_REQUEST_BODY: 400,
  INVALID_RUN_AT: 400,
  INVALID_SCHEDULER_END_DATE: 400,
  INVALID_SCHEDULER_INTERVAL: 400,
  INVALID_SCHEDULER_LIMIT: 400,
  INVALID_SCHEDULER_PATTERN: 400,
  INVALID_SCHEDULER_SCHEDULE: 400,
  JOB_AWAITED_AGAIN: 409,
  JOB_BELONGS_TO_JOB_SCHEDULER: 400,
  JOB_BELONGS_TO_JOB_SCHEDULER_DETAILS: 400,
  JOB_CHANGED: 409,
  JOB_EDIT_NOT_SUPPORTED: 400,
  JOB_HAS_NO_UNPROCESSED_CHILDREN: 409,
  JOB_IS_ACTIVE: 409,
  JOB_IS_ACTIVE_DETAILS: 409,
  JOB_NOT_ACTIVE: 409,
  JOB_NOT_DELAYED: 409,
  JOB_NOT_FOUND: 404,
  JOB_NOT_RETRIABLE: 409,
  JOB_PARENT_PROTECTED: 409,
  JOB_SCHEDULER_EDIT_NOT_SUPPORTED: 405,
  JOB_SCHEDULER_EXISTS: 409,
  JOB_SCHEDULER_NOT_FOUND: 404,
  JOB_SCHEDULER_RUN_NOT_SUPPORTED: 405,
  JOB_STARTED_SINCE: 409,
  JOB_UNPROCESSED_CHILDREN_NOT_SUPPORTED: 400,
  KV_FORBIDDEN: 403,
  KV_STATS_UNAVAILABLE: 404,
  KV_UNAVAILABLE: 503,
  METHOD_NOT_ALLOWED: 405,
  OUTCOME_UNKNOWN: 504,
  PGQ_BULK_LIMIT: 400,
  PGQ_FEATURE_UNAVAILABLE: 409,
  PGQ_INVALID_CURSOR: 400,
  PGQ_INVALID_SCHEDULE: 400,
  PGQ_JOB_HAS_DEPENDENTS: 409,
  PGQ_JOB_NOT_FOUND: 404,
  PGQ_JOB_STATE_CONFLICT: 409,
  PGQ_NOT_INSTALLED: 409,
  PGQ_POLICY_CONFLICT: 409,
  PGQ_PREVIEW_UNAVAILABLE: 409,
  PGQ_QUERY_TIMEOUT: 504,
  PGQ_SCHEMA_INCOMPATIBLE: 409,
  PGQ_SCHEMA_MISMATCH: 409,
  PGQ_SCHEMA_UNSUPPORTED: 409,
  PGQ_SCHEMA_UNTESTED: 409,
  PGQ_WRITER_UNAVAILABLE: 409,
  PGQ_WRITES_DISABLED: 409,
  QUEUE_HAS_ACTIVE_JOBS: 409,
  QUEUE_HAS_ACTIVE_JOBS_DETAILS: 409,
  QUEUE_NOT_FOUND: 404,
  QUEUE_NOT_PAUSED: 409,
  QUEUE_READ_ONLY: 405,
  RATE_LIMIT_NOT_SUPPORTED: 400,
  READ_LIMIT: 503,
  RETRIES_DISABLED: 405,
  ROUTE_NOT_FOUND: 404,
  SCHEDULE_LIMIT: 429,
  SEARCH_FIELD_CLOSED: 400,
  SQL_FORBIDDEN: 403,
  SQL_UNAVAILABLE: 503,
  STATUS_NOT_RETRIABLE: 400,
  UNAUTHORIZED: 401,
  WORKERS_DISABLED: 403,
} as const;

/** A key without its `ERRORS.` prefix. */
export type ErrorKey = Exclude<keyof typeof errorStatuses, '__proto__'>;

export const errorKeys: readonly ErrorKey[] = Object.keys(errorStatuses).filter(isErrorKey);

function isErrorKey(name: string): name is ErrorKey {
  return name in errorStatuses;
}

/** The key as it appears in a response. */
export function translationKey<Key extends ErrorKey>(key: Key): `ERRORS.${Key}` {
  return `ERRORS.${key}`;
}

/** The key of a response without its prefix, if it is a key of the board. */
export function parseTranslationKey(text: string): ErrorKey | undefined {
  const name = text.startsWith('ERRORS.') ? text.slice('ERRORS.'.length) : text;
  return isErrorKey(name) ? name : undefined;
}

/** The maximum priority in a `current` queue. */
export const maxPriority = 2_097_151;

/** The maximum number of job ids per bulk command. */
export const maxBulkIds = 100;

/** Parameters of the keys that request validation reports. */
export const validationOptions: Partial<
  Readonly<Record<ErrorKey, Readonly<Record<string, number>>>>
> = {
  INVALID_PRIORITY: { max: maxPriority },
  PGQ_BULK_LIMIT: { max: maxBulkIds },
};
