/** The keys of all errors of the board, with their default status and their meaning. */

/** The meaning of each key without its `ERRORS.` prefix, for documents, under its default status. */
const byStatus = {
  400: {
    BULK_ACTION_NOT_SUPPORTED: 'the engine has no such command for many jobs',
    INVALID_BEFORE_DATE: '`before` must be a UTC day such as 2026-01-31',
    INVALID_CONCURRENCY: '`concurrency` must be a whole number of at least 0',
    INVALID_DATE_RANGE: '`from` and `to` must be times in this order, and not too far apart',
    INVALID_GRANULARITY: 'the granularity is not one of those listed',
    INVALID_METRIC: 'the metric is not one of those listed',
    INVALID_PRIORITY: 'the priority must be a whole number within the limits',
    INVALID_QUERY_PARAM:
      'a parameter is unknown or does not fit its schema; `options.field` names it',
    INVALID_QUEUE: '`queue` must be the name of a queue',
    INVALID_RATE_LIMIT: '`max` and `duration` must be whole numbers of at least 1',
    INVALID_REQUEST_BODY: 'the body does not fit its schema, is too large, or is not JSON',
    INVALID_RUN_AT: '`runAt` must be a time in milliseconds',
    INVALID_SCHEDULER_END_DATE: '`endDate` must be a time in the future',
    INVALID_SCHEDULER_INTERVAL: '`every` must be a whole number of milliseconds',
    INVALID_SCHEDULER_LIMIT: '`limit` must be a whole number of at least 1',
    INVALID_SCHEDULER_PATTERN: '`pattern` is not a cron expression that the library understands',
    INVALID_SCHEDULER_SCHEDULE: 'exactly one of `pattern` and `every` must be given',
    JOB_BELONGS_TO_JOB_SCHEDULER: 'a scheduler waits for this job; remove the scheduler instead',
    JOB_BELONGS_TO_JOB_SCHEDULER_DETAILS: 'the text of the refusal, with the name of the scheduler',
    JOB_EDIT_NOT_SUPPORTED: 'the library of the queue cannot make this change',
    JOB_UNPROCESSED_CHILDREN_NOT_SUPPORTED: 'the library of the queue cannot remove children',
    PGQ_BULK_LIMIT: 'the number of ids must be from 1 to 100',
    PGQ_INVALID_CURSOR: 'the cursor is not one of this listing and its filters',
    PGQ_INVALID_SCHEDULE: 'the expression, time zone or option of the schedule is not valid',
    RATE_LIMIT_NOT_SUPPORTED: 'the library of the queue has no global rate limit',
    SEARCH_FIELD_CLOSED: 'a formatter replaces the field, which closes it to search',
    STATUS_NOT_RETRIABLE: 'only failed and completed jobs can be retried',
  },
  401: {
    UNAUTHORIZED: 'the request has no valid credentials',
  },
  403: {
    ACTION_NOT_ALLOWED: 'the host does not allow the sender this action; `options.action` names it',
    FORBIDDEN: 'a hook of the host refused, or another origin sent a write through a browser',
    KV_FORBIDDEN: 'the user of the board in Redis lacks a right',
    SQL_FORBIDDEN: 'the role of the board in PostgreSQL lacks a right',
    WORKERS_DISABLED: 'the board does not show workers',
  },
  404: {
    BULK_NOT_FOUND: 'the run does not exist, has been forgotten, or belongs to a hidden queue',
    JOB_NOT_FOUND: 'the job does not exist',
    JOB_SCHEDULER_NOT_FOUND: 'the scheduler or schedule does not exist',
    KV_STATS_UNAVAILABLE: 'the datastore reports no statistics',
    PGQ_JOB_NOT_FOUND: 'no visible queue has the job',
    QUEUE_NOT_FOUND: 'the queue does not exist, or the sender may not see it',
    ROUTE_NOT_FOUND: 'the board does not serve this route',
  },
  405: {
    COMPLETED_RETRIES_DISABLED: 'the queue does not allow retries of completed jobs',
    JOB_SCHEDULER_EDIT_NOT_SUPPORTED:
      'the library of the queue cannot change, create or preview a scheduler',
    JOB_SCHEDULER_RUN_NOT_SUPPORTED: 'the library of the queue cannot run a scheduler at once',
    METHOD_NOT_ALLOWED: 'the route has other methods, which `Allow` names',
    QUEUE_READ_ONLY: 'the queue is read-only on this board',
    RETRIES_DISABLED: 'the queue does not allow retries',
  },
  409: {
    BULK_NOT_UNDOABLE:
      'the run removes or cancels jobs, only counts, has changed none, or gives jobs back itself',
    BULK_RUNNING: 'the queue has a run, whose id is `options.id`',
    JOB_AWAITED_AGAIN: 'the parent of the job waits for it again since the run',
    JOB_CHANGED: 'the job or schedule is not in the expected state or version any more',
    JOB_HAS_NO_UNPROCESSED_CHILDREN: 'all children of the job have been processed',
    JOB_IS_ACTIVE: 'a worker is processing the job',
    JOB_IS_ACTIVE_DETAILS: 'the text of the refusal, with the id of the job',
    JOB_NOT_ACTIVE: 'the job is not active',
    JOB_NOT_DELAYED: 'the job is not delayed',
    JOB_NOT_RETRIABLE: 'the job has neither failed nor completed',
    JOB_PARENT_PROTECTED: 'a parent in a queue that the sender may not change waits for the job',
    JOB_SCHEDULER_EXISTS: 'a scheduler with this id exists, or is just being created',
    JOB_STARTED_SINCE: 'the job has started, or was changed otherwise, since the run',
    PGQ_FEATURE_UNAVAILABLE:
      'the schema of this installation lacks the feature in `options.feature`',
    PGQ_JOB_HAS_DEPENDENTS: 'other jobs wait for the job; `removeDependents` removes them as well',
    PGQ_JOB_STATE_CONFLICT: 'the state of the job does not allow the command',
    PGQ_NOT_INSTALLED: 'the database has no schema of pg-boss',
    PGQ_POLICY_CONFLICT: 'the policy of the queue allows only one such job',
    PGQ_PREVIEW_UNAVAILABLE: 'the board has no pg-boss to compute runs with',
    PGQ_SCHEMA_INCOMPATIBLE: 'the schema lacks parts that the board needs',
    PGQ_SCHEMA_MISMATCH: 'the schema belongs to another version than the library of the board',
    PGQ_SCHEMA_UNSUPPORTED: 'the version of the schema is not supported',
    PGQ_SCHEMA_UNTESTED: 'the version of the schema is newer than those that writes are allowed on',
    PGQ_WRITER_UNAVAILABLE: 'the board has no pg-boss to write with, or its role may not write',
    PGQ_WRITES_DISABLED: 'the board may not write here; `message` tells why',
    QUEUE_HAS_ACTIVE_JOBS: 'the queue has active jobs; `force` removes them as well',
    QUEUE_HAS_ACTIVE_JOBS_DETAILS: 'the text of the refusal',
    QUEUE_NOT_PAUSED: 'the queue must be paused first',
  },
  422: {
    IDEMPOTENCY_KEY_REUSED: 'a request with the same `Idempotency-Key` had another body',
  },
  429: {
    BULK_LIMIT: 'too many runs are at work',
    SCHEDULE_LIMIT: 'too many schedules are being computed',
  },
  500: {
    FORMATTER_FAILED: 'a formatter of the host failed; a mark on a job, not an answer',
    INTERNAL_SERVER_ERROR: 'an unexpected error, which is in the log of the host',
  },
  503: {
    KV_UNAVAILABLE: 'Redis is down or too slow; `Retry-After` tells when to try again',
    READ_LIMIT: 'too many large reads are under way; `Retry-After` tells when to try again',
    SQL_UNAVAILABLE: 'PostgreSQL is down or too slow; `Retry-After` tells when to try again',
  },
  504: {
    OUTCOME_UNKNOWN: 'a change was sent and not answered: it may or may not have happened',
    PGQ_QUERY_TIMEOUT: 'a statement exceeded its time limit',
  },
} as const satisfies Readonly<Record<number, Readonly<Record<string, string>>>>;

type KeysOf<Group> = Group extends unknown ? keyof Group & string : never;

/** A key without its `ERRORS.` prefix. */
export type ErrorKey = KeysOf<(typeof byStatus)[keyof typeof byStatus]>;

const rows = Object.entries(byStatus).flatMap(([status, group]) =>
  Object.entries(group).map(([key, text]) => ({
    key: key as ErrorKey,
    status: Number(status),
    text,
  })),
);

export const errorKeys: readonly ErrorKey[] = rows.map(({ key }) => key);

const ofEach = <Part>(
  part: (row: (typeof rows)[number]) => Part,
): Readonly<Record<ErrorKey, Part>> =>
  Object.fromEntries(rows.map((row) => [row.key, part(row)])) as Record<ErrorKey, Part>;

export const errorStatuses = ofEach(({ status }) => status);
export const errorTexts = ofEach(({ text }) => text);

const isErrorKey = (name: string): name is ErrorKey => Object.hasOwn(errorStatuses, name);

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
