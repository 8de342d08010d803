/** The routes that find jobs of the `kvq` engine: the board's own, beyond the agreed contract. */

import * as z from 'zod';
import { JobState, JobStatus } from '../enums.ts';
import { AppJob } from '../jobs.ts';
import { epochParam, integerParam } from '../json.ts';
import type { RouteTable } from './route.ts';

const text = z.string().max(500);

/** Everything that is given must hold. Comparisons mind upper and lower case. */
const SearchJobsQuery = z
  .object({
    /** The whole id; found at once, whatever the size of the queue. */
    id: text.optional(),
    /** Part of the name. */
    name: text.optional(),
    status: JobStatus.optional(),
    /** Dotted path into the data, such as `customer.id`. */
    path: text.optional(),
    /** The value at `path`; without it, any. */
    value: text.optional(),
    /** Part of the reason it failed. */
    error: text.optional(),
    from: epochParam('INVALID_QUERY_PARAM').optional(),
    to: epochParam('INVALID_QUERY_PARAM').optional(),
    limit: integerParam(1, 100, 20),
    cursor: z.string().max(12_000).optional(),
  })
  .refine(({ path, value }) => value === undefined || path !== undefined, { path: ['value'] });

/**
 * `examined` counts the jobs that were looked at, null where the database did not have to say. More may be found
 * behind `nextCursor`, even when nothing was found before it. `problems` names the queues that could not be looked
 * through, and why; the search goes on without them.
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
    summary: 'Find jobs of a queue, a bounded number of them looked at',
    errors: ['QUEUE_NOT_FOUND'],
  },
  searchJobs: {
    ...search,
    path: '/api/search',
    summary: 'Find jobs of all visible queues, a bounded number of them looked at',
    errors: [],
  },
} as const satisfies RouteTable;
