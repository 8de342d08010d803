/** The routes that search jobs of the `kvq` engine. */

import * as z from 'zod';
import { JobState, JobStatus } from '../enums.ts';
import { AppJob } from '../jobs.ts';
import { epochParam, integerParam } from '../json.ts';
import type { RouteTable } from './route.ts';

const text = z.string().max(500);

/** A job must meet all given criteria. Comparisons are case-sensitive. */
const SearchJobsQuery = z
  .object({
    /** The whole id; found directly, regardless of the size of the queue. */
    id: text.optional(),
    /** Substring of the name. */
    name: text.optional(),
    status: JobStatus.optional(),
    /** Dotted path into the data, such as `customer.id`. */
    path: text.optional(),
    /** The value at `path`; if absent, any. */
    value: text.optional(),
    /** Substring of the failure reason. */
    error: text.optional(),
    from: epochParam('INVALID_QUERY_PARAM').optional(),
    to: epochParam('INVALID_QUERY_PARAM').optional(),
    limit: integerParam(1, 100, 20),
    cursor: z.string().max(12_000).optional(),
  })
  .refine(({ path, value }) => value === undefined || path !== undefined, { path: ['value'] });

/**
 * `examined` counts the examined jobs, null where the database does not report it. There may be more after
 * `nextCursor`, even when nothing was found before it. `problems` names the queues that could not be searched, and why;
 * the search continues without them.
 */
const SearchJobsResponse = z.object({
  jobs: z.array(z.object({ queueName: z.string(), job: AppJob, status: JobState })),
  examined: z.number().nullable(),
  nextCursor: z.string().nullable(),
  problems: z
    .array(z.object({ queueName: z.string(), problem: z.object({ key: z.string() }) }))
    .optional(),
});

const search = {
  owner: 'kvq',
  method: 'GET',
  access: 'read',
  success: 200,
  query: SearchJobsQuery,
  response: SearchJobsResponse,
} as const;

export const kvqSearchRoutes = {
  searchQueueJobs: {
    ...search,
    path: '/api/queues/{queueName}/search',
    summary: 'Find jobs of a queue, examining a bounded number per request',
    errors: ['QUEUE_NOT_FOUND'],
  },
  searchJobs: {
    ...search,
    path: '/api/search',
    summary: 'Find jobs of all visible queues, examining a bounded number per request',
    errors: [],
  },
} as const satisfies RouteTable;
