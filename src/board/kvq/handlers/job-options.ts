/**
 * Validates the options of jobs that clients add, because the libraries store invalid values and fail on them later.
 */

import * as z from 'zod';
import { maxPriority } from '../../contract/index.ts';
import { isJobId, isKeyText } from '../model/job-id.ts';

/** Range of dates, in milliseconds since 1970. */
const moment = z.number().min(0).max(8.64e15);

/** Range of delays in milliseconds. */
const wait = z.int().min(0).max(8.64e15);

/** Range of 32-bit integers, as used by PostgreSQL and timers. */
const count = z.int().max(2_147_483_647);

const keep = z.union([
  z.boolean(),
  count.min(-1),
  z.looseObject({
    age: z.int().min(0).max(8.64e12).optional(),
    count: count.min(-1).optional(),
    limit: count.min(0).optional(),
  }),
]);

/**
 * Invalid values of these options would record completed jobs as failed, or leave jobs active forever. Options that are
 * not listed are passed on unchanged.
 */
export const JobOptions = z.looseObject({
  attempts: z.int().min(0).max(1_000_000).optional(),
  delay: moment.optional(),
  timestamp: moment.optional(),
  priority: z.int().min(0).max(maxPriority).optional(),
  lifo: z.boolean().optional(),
  jobId: z.string().min(1).refine(isJobId).optional(),
  backoff: z.union([wait, z.looseObject({ type: z.string(), delay: wait.optional() })]).optional(),
  removeOnComplete: keep.optional(),
  removeOnFail: keep.optional(),
  keepLogs: z.int().min(0).optional(),
  stackTraceLimit: z.int().min(0).optional(),
  sizeLimit: z.int().min(0).optional(),
  timeout: count.min(0).optional(),
  parent: z.looseObject({ id: z.string(), queue: z.string() }).optional(),
  deduplication: z
    .looseObject({ id: z.string().refine(isKeyText), ttl: wait.optional() })
    .optional(),
  repeat: z.looseObject({ key: z.undefined().optional() }).optional(),
  // Marks the runs that a scheduler has added.
  repeatJobKey: z.undefined().optional(),
});
