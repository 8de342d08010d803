/** The errors of the failed jobs that are stored: one entry for each, over all queues that the sender may see. */

import * as z from 'zod';

import { TranslatableMessage } from '../errors.ts';
import { epochParam, failsAs, lastMoment } from '../json.ts';
import { reading, type RouteTable } from './route.ts';

/** The most names of jobs and releases of an error that are told. */
export const [mostNames, mostReleases] = [20, 20] as const;

/** When failures were first and last seen, and how many there are. */
const seen = { count: z.number(), firstAt: z.number(), lastAt: z.number() };

/**
 * An error among the jobs that were read: its name is the message without what differs from job to job, and `search` the
 * longest part that every message has; empty where the host counts several messages as one error. `fingerprint` is the same in every answer. `recorded` counts failed attempts that
 * the recorder of the board keeps, of jobs that are stored or gone; it widens `firstAt` and `lastAt`.
 */
export const StoredError = z.object({
  fingerprint: z.string(),
  error: z.string(),
  search: z.string(),
  ...seen,
  /** Jobs by the start of the bucket in which they failed, the earliest first; without empty buckets. */
  curve: z.array(z.object({ ts: z.number(), value: z.number() })),
  /** By name. */
  queues: z.array(z.object({ queueName: z.string(), count: z.number() })),
  names: z.array(z.string()),
  /** The `release` of the data of its jobs, the last one to be seen first. */
  releases: z.array(z.object({ release: z.string(), ...seen })),
  /** The job that failed last; null where none is stored. */
  example: z
    .object({ queueName: z.string(), id: z.string(), message: z.string(), at: z.number() })
    .nullable(),
  recorded: z.object(seen).optional(),
});
export type StoredError = z.output<typeof StoredError>;

/**
 * The errors of the jobs that this request has read. `total` counts the failed jobs of the queues, null where that is not
 * known. With `nextCursor`, there is more to read: counts of the same fingerprint in several answers add up.
 */
export const ListErrorsResponse = z.object({
  /** The moment up to which jobs count, the same in all answers of a walk. */
  at: z.number(),
  from: z.number(),
  bucketMs: z.number(),
  total: z.number().nullable(),
  examined: z.number(),
  errors: z.array(StoredError),
  nextCursor: z.string().nullable(),
  /** Whether the failures that a recorder keeps are in this answer, the last one of a walk. */
  recorder: z.enum(['read', 'unavailable']).optional(),
  problems: z.array(z.object({ queueName: z.string(), problem: TranslatableMessage })).optional(),
});
export type ListErrorsResponse = z.output<typeof ListErrorsResponse>;

export const errorRoutes = {
  listErrors: {
    ...reading('shared', 'job.read', 'jobs'),
    path: '/api/errors',
    summary: 'The errors of the failed jobs that are stored, read in steps',
    query: z.object({
      queueName: z.string().optional(),
      /** A part of the name of the job. */
      name: z.string().min(1).max(1_000).optional(),
      since: epochParam('INVALID_DATE_RANGE')
        .refine((moment) => moment >= 0 && moment <= lastMoment, failsAs('INVALID_DATE_RANGE'))
        .optional(),
      cursor: z.string().max(12_000).optional(),
    }),
    strict: true,
    response: ListErrorsResponse,
    errors: ['INVALID_DATE_RANGE', 'QUEUE_NOT_FOUND', 'SEARCH_FIELD_CLOSED'],
  },
} as const satisfies RouteTable;
