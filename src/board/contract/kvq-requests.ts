/** Query strings and bodies of the `kvq` routes. */

import * as z from 'zod';

import { JobState, Status } from './enums.ts';
import { JobSummaryField } from './jobs.ts';
import { maxPriority } from './error-keys.ts';
import {
  anyObject,
  anyValue,
  columnsParam,
  failsAs,
  integerParam,
  lastMoment,
  wholeParam,
  lenientIntegerParam,
  rawParam,
  seenVersion,
  storableText,
} from './json.ts';

export const ListQueuesQuery = z.object({
  activeQueue: z.string().optional(),
  status: Status.optional(),
  page: integerParam(1, 999_999_999, 1),
  jobsPerPage: integerParam(1, 1000, 10),
  /** `false` leaves out the jobs of the active queue. */
  jobs: z.enum(['true', 'false']).optional(),
  /** `false` lists jobs without their data and results. */
  data: z.enum(['true', 'false']).optional(),
});

/** As in the listing, whose active queue is the one in the path. */
export const GetQueueQuery = ListQueuesQuery.omit({ activeQueue: true });

/** Names of fields, separated by commas. */
const summaryFields = z
  .string()
  .max(500)
  .transform((text) => text.split(','))
  .pipe(z.array(JobSummaryField))
  .optional()
  .transform((fields): ReadonlySet<JobSummaryField> => new Set(fields ?? JobSummaryField.options))
  .meta({ type: 'string', items: undefined });

/**
 * `latest`: the newest jobs of all statuses, which have no next page. Otherwise a page begins at `start` or after a
 * `cursor`, which continues in the right place although jobs come and go.
 */
export const ListJobsQuery = z.object({
  status: Status.default('latest'),
  start: integerParam(0, 999_999_999, 0),
  limit: integerParam(1, 100, 20),
  cursor: z.string().max(8_192).optional(),
  fields: summaryFields,
  ...columnsParam,
});

/** Only `root=node` has an effect: the tree below this job instead of the whole flow. */
export const JobFlowQuery = z.object({
  root: z
    .unknown()
    .transform((value) => (value === 'node' ? 'node' : undefined))
    .optional()
    .meta({ type: 'string' }),
  depth: lenientIntegerParam(1, 20, 10),
  maxChildren: lenientIntegerParam(1, 1000, 20),
});

/**
 * With `window`, the response tells the number of stored lines. With `start` or `limit`, it is a window of `limit` lines
 * from the line `start`, oldest first; without them, the last lines.
 */
export const JobLogsQuery = z.object({
  window: z.enum(['true', 'false']).optional(),
  start: wholeParam(0, 999_999_999).optional(),
  limit: wholeParam(1, 1_000).optional(),
});

/** The most runs that a listing or a preview of schedulers computes for each. */
export const maxShownRuns = 20;

/** With `runs`, each scheduler tells as many of its next runs. */
export const ListJobSchedulersQuery = z.object({
  queueName: z.string().optional(),
  runs: wholeParam(1, maxShownRuns).optional(),
  ...rawParam,
});

export const ListSchedulerRunsQuery = z.object({ limit: integerParam(1, maxShownRuns, 10) });

/** With `raw`, the data in a body is a JSON text. */
export const RawQuery = z.object(rawParam);

export const AddJobBody = z.object({
  name: z.string().default(''),
  data: z.unknown().optional(),
  options: anyObject.default({}),
});

/** Without names, every queue; names of queues that the sender may not see or pause have no effect. */
export const SeveralQueuesBody = z.object({
  queues: z.array(z.string().max(1_000)).max(10_000).optional(),
});

/** The reason is shown with the queue while it is paused. */
export const PauseQueueBody = z.object({ reason: storableText.trim().max(200).optional() });

export const PauseQueuesBody = SeveralQueuesBody.extend(PauseQueueBody.shape);

/** 0 removes the limit. */
export const SetGlobalConcurrencyBody = z.object({
  concurrency: z.int(failsAs('INVALID_CONCURRENCY')).min(0, failsAs('INVALID_CONCURRENCY')),
});

function limitNumber() {
  return z.int(failsAs('INVALID_RATE_LIMIT')).min(1, failsAs('INVALID_RATE_LIMIT'));
}

/** With `max` null or absent the limit is removed; otherwise at most `max` jobs run in `duration` milliseconds. */
export const SetRateLimitBody = z.union(
  [
    z.object({ max: z.null().optional(), duration: z.unknown().optional() }),
    z.object({ max: limitNumber(), duration: limitNumber() }),
  ],
  failsAs('INVALID_RATE_LIMIT'),
);

export const ObliterateQueueBody = z.object({ force: z.boolean().optional() });

/**
 * The condition on the job: its state, and the `version` of an earlier `GET`. Otherwise the command changes
 * nothing and answers 409.
 */
export const JobConditionsBody = z.object({
  expectedState: JobState.optional(),
  ifUnchanged: seenVersion.optional(),
});

export const UpdateJobDataBody = JobConditionsBody.extend({ jobData: anyValue });

/** `runAt` in milliseconds since 1970. */
export const ChangeJobDelayBody = JobConditionsBody.extend({
  runAt: z.number(failsAs('INVALID_RUN_AT')),
});

export const ChangeJobPriorityBody = JobConditionsBody.extend({
  priority: z
    .int(failsAs('INVALID_PRIORITY'))
    .min(0, failsAs('INVALID_PRIORITY'))
    .max(maxPriority, failsAs('INVALID_PRIORITY')),
});

function numeric(value: string | number): boolean {
  return (typeof value === 'number' || value.trim() !== '') && Number.isFinite(Number(value));
}

/** PostgreSQL stores run counts as 32-bit integers. */
const maxLimit = 2_147_483_647;

/** The latest first run: Redis formats later times otherwise in the ids of runs. */
const lastStart = 99_999_999_999_999;

/** Longer intervals lead to times that exceed the format of run ids. */
const maxInterval = 1e13;

function isInterval(value: number): boolean {
  return Number.isInteger(value) && value > 0 && value <= maxInterval;
}

function isBlank(value: string | number | null | undefined): boolean {
  return value === undefined || value === null || String(value).trim() === '';
}

/** The longest pattern and name of a time zone, in characters. */
const [maxPattern, maxZone] = [1_000, 255];

const scheduleParts = {
  pattern: z
    .string(failsAs('INVALID_SCHEDULER_PATTERN'))
    .max(maxPattern, failsAs('INVALID_SCHEDULER_PATTERN'))
    .optional(),
  every: z
    .union([z.string(), z.number()], failsAs('INVALID_SCHEDULER_INTERVAL'))
    .refine(
      (value) => isBlank(value) || (numeric(value) && isInterval(Number(value))),
      failsAs('INVALID_SCHEDULER_INTERVAL'),
    )
    .nullable()
    .optional(),
  tz: storableText.max(maxZone).optional(),
  limit: z
    .int(failsAs('INVALID_SCHEDULER_LIMIT'))
    .min(1, failsAs('INVALID_SCHEDULER_LIMIT'))
    .max(maxLimit, failsAs('INVALID_SCHEDULER_LIMIT'))
    .nullable()
    .optional(),
  endDate: z
    .union([z.string(), z.number()], failsAs('INVALID_SCHEDULER_END_DATE'))
    .refine(
      (value) => numeric(value) && Number(value) > Date.now() && Number(value) <= lastMoment,
      failsAs('INVALID_SCHEDULER_END_DATE'),
    )
    .nullable()
    .optional(),
};

const newScheduleParts = {
  ...scheduleParts,
  startDate: z
    .union([z.string(), z.number()])
    .refine((value) => numeric(value) && Number(value) >= 0 && Number(value) <= lastStart)
    .nullable()
    .optional(),
};

const hasOneSchedule = ({
  pattern,
  every,
}: {
  readonly pattern?: string | undefined;
  readonly every?: string | number | null | undefined;
}): boolean => isBlank(pattern) !== isBlank(every);

/**
 * Exactly one of a cron `pattern` and an interval `every` (milliseconds). `endDate` is in milliseconds since 1970 and
 * in the future; null means no end. `data` is that of each run, and stays where it is absent. `ifUnchanged`: the `version`
 * of the scheduler that the client has seen; another one answers 409.
 */
export const UpdateJobSchedulerBody = z
  .object({
    ...scheduleParts,
    data: z.unknown().optional(),
    ifUnchanged: seenVersion.optional(),
  })
  .refine(hasOneSchedule, failsAs('INVALID_SCHEDULER_SCHEDULE'));

/** A schedule whose next runs are asked for; `startDate` and `endDate` in milliseconds since 1970. */
export const PreviewJobSchedulerBody = z
  .object({ ...newScheduleParts, count: z.int().min(1).max(maxShownRuns).default(5) })
  .refine(hasOneSchedule, failsAs('INVALID_SCHEDULER_SCHEDULE'));

/**
 * A scheduler: its `id` within the queue, its schedule, and the job of each run. With Bull, the `id` may be absent, and
 * is one part of the id of the scheduler. `options` are those of `AddJobBody` except for the ones that a schedule sets.
 */
export const CreateJobSchedulerBody = z
  .object({
    id: storableText.min(1).max(500).optional(),
    ...newScheduleParts,
    name: storableText.max(500).default(''),
    data: z.unknown().optional(),
    options: anyObject.default({}),
  })
  .refine(hasOneSchedule, failsAs('INVALID_SCHEDULER_SCHEDULE'));
export type CreateJobSchedulerBody = z.output<typeof CreateJobSchedulerBody>;
