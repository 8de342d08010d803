/** The routes that search jobs of the `kvq` engine. */

import * as z from 'zod';
import { JobState, JobStatus } from '../enums.ts';
import { TranslatableMessage } from '../errors.ts';
import { AppJob } from '../jobs.ts';
import { columnsMember, columnsParam, epochParam, integerParam, whereParam } from '../json.ts';
import { reading, type RouteTable } from './route.ts';

const text = z.string().max(500);

/** Criteria on the value at `path`, which require it. */
const onPath = ['value', 'contains', 'min', 'max'] as const;

/** A job must meet all given criteria. */
export const SearchJobsQuery = z
  .object({
    /** The whole id; found directly, regardless of the size of the queue. */
    id: text.optional(),
    /** Substring of the name. */
    name: text.optional(),
    status: JobStatus.optional(),
    /** Dotted path into the data, such as `customer.id`. */
    path: text.optional(),
    /** The value at `path`, as text. Without any of these, it may be any. */
    value: text.optional(),
    /** Substring of the text at `path`. */
    contains: text.optional(),
    /** Bounds of the value at `path`, inclusive: of numbers if the bound is one, otherwise of texts. */
    min: text.optional(),
    max: text.optional(),
    /** Whether `name`, `value`, `contains` and `error` match in any case. Default false. */
    ignoreCase: z
      .enum(['true', 'false'])
      .transform((value) => value === 'true')
      .optional()
      .meta({ type: 'boolean', enum: undefined }),
    /** Substring of the failure reason. */
    error: text.optional(),
    from: epochParam().optional(),
    to: epochParam().optional(),
    /** Range of the time at which the job completed or failed; one that has not is outside. */
    finishedFrom: epochParam().optional(),
    finishedTo: epochParam().optional(),
    ...whereParam,
    limit: integerParam(1, 100, 20),
    cursor: z.string().max(12_000).optional(),
    ...columnsParam,
  })
  .superRefine((query, context) => {
    const field = onPath.find((name) => query[name] !== undefined);
    if (field !== undefined && query.path === undefined) {
      context.addIssue({ code: 'custom', path: [field] });
    }
  });

/**
 * `examined` counts the examined jobs, null where the database does not report it. There may be more after
 * `nextCursor`, even when nothing was found before it. `problems` names the queues that could not be searched, and why;
 * the search continues without them.
 */
const SearchJobsResponse = z.object({
  jobs: z.array(
    z.object({ queueName: z.string(), job: AppJob, status: JobState, ...columnsMember }),
  ),
  examined: z.number().nullable(),
  nextCursor: z.string().nullable(),
  problems: z.array(z.object({ queueName: z.string(), problem: TranslatableMessage })).optional(),
});

const search = {
  ...reading('kvq', 'job.read', 'jobs'),
  query: SearchJobsQuery,
  strict: true,
  response: SearchJobsResponse,
} as const;

export const kvqSearchRoutes = {
  searchQueueJobs: {
    ...search,
    path: '/api/queues/{queueName}/search',
    summary: 'Find jobs of a queue, examining a bounded number per request',
    errors: ['QUEUE_NOT_FOUND', 'SEARCH_FIELD_CLOSED'],
  },
  searchJobs: {
    ...search,
    path: '/api/search',
    summary: 'Find jobs of all visible queues, examining a bounded number per request',
    errors: ['SEARCH_FIELD_CLOSED'],
  },
} as const satisfies RouteTable;
