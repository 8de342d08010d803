/** Jobs of the `kvq` engine and their flows. Times and delays are in milliseconds. */

import * as z from 'zod';

import { JobState } from './enums.ts';
import { TranslatableMessage } from './errors.ts';
import { anyObject, anyValue, columnsMember } from './json.ts';

/** The URL of a job outside the board. */
export const ExternalJobUrl = z.object({
  displayText: z.string().optional(),
  href: z.string(),
});
export type ExternalJobUrl = z.output<typeof ExternalJobUrl>;

/** JSON texts as stored, with all digits. A part that a formatter replaces, or that names a hidden queue, is absent. */
const RawParts = z.object({
  data: z.string().optional(),
  opts: z.string().optional(),
  progress: z.string().optional(),
  returnValue: z.string().optional(),
});

const Progress = z.union([z.string(), z.boolean(), z.number(), anyObject]);

export const AppJob = z.object({
  id: z.union([z.string(), z.number()]).nullable().optional(),
  name: z.string(),
  timestamp: z.number(),
  processedOn: z.number().nullable().optional(),
  processedBy: z.string().nullable().optional(),
  finishedOn: z.number().nullable().optional(),
  progress: Progress,
  attempts: z.number(),
  failedReason: z.string().optional(),
  stacktrace: z.array(z.string()),
  delay: z.number().optional(),
  opts: anyValue,
  data: anyValue,
  returnValue: anyValue,
  isFailed: z.boolean(),
  externalUrl: ExternalJobUrl.optional(),
  traceUrl: z.string().optional(),
  groupId: z.union([z.string(), z.number()]).optional(),
  priority: z.number().optional(),
  attemptsStarted: z.number().optional(),
  stalledCounter: z.number().optional(),
  deduplicationId: z.string().optional(),
  deferredFailure: z.string().optional(),
  /** The parts left out, because the response would have been too large or was asked for without data. */
  truncated: z.array(z.string()).optional(),
  /** The state, as far as the answer knows it. */
  state: JobState.optional(),
  /** Whether the job is active although its worker is gone. */
  isOrphaned: z.boolean().optional(),
  /** When a delayed job runs; absent where that is `timestamp` and `delay`. */
  runsAt: z.number().optional(),
  raw: RawParts.optional(),
  /** The fields (`options.fields`) that a function of the host could not format; they are empty. */
  problem: TranslatableMessage.optional(),
});
export type AppJob = z.output<typeof AppJob>;

/** The parts of a job in brief, besides `id` and `state`, which are always there. */
export const JobSummaryField = z.enum([
  'name',
  'attempts',
  'timestamp',
  'processedOn',
  'finishedOn',
  'delay',
  'priority',
  'progress',
  'processedBy',
  'failedReason',
  'data',
]);
export type JobSummaryField = z.output<typeof JobSummaryField>;

/**
 * A job in brief, with the parts that were asked for. `data` and `failedReason` are their first 200 characters; the data
 * is JSON as text, absent where the page would have been too large. `progress` only if it is a number; of another value
 * of at most 255 bytes, `progressText` is the JSON text.
 */
export const JobSummary = z.object({
  id: z.string(),
  state: JobState,
  name: z.string().optional(),
  attempts: z.number().optional(),
  timestamp: z.number().optional(),
  processedOn: z.number().nullable().optional(),
  finishedOn: z.number().nullable().optional(),
  delay: z.number().optional(),
  /** With `delay`: when a delayed job runs; absent where that is `timestamp` and `delay`. */
  runsAt: z.number().optional(),
  priority: z.number().optional(),
  progress: z.number().optional(),
  progressText: z.string().optional(),
  processedBy: z.string().nullable().optional(),
  failedReason: z.string().optional(),
  data: z.string().optional(),
  ...columnsMember,
  isOrphaned: z.boolean().optional(),
  problem: TranslatableMessage.optional(),
});
export type JobSummary = z.output<typeof JobSummary>;

/** Children of a job by result. */
export const FlowDependencies = z.object({
  processed: z.number(),
  unprocessed: z.number(),
  ignored: z.number(),
  failed: z.number(),
});

/** A job of a flow; `truncated` when it has more children than are listed. */
export const FlowNode = z.object({
  id: z.string(),
  name: z.string(),
  state: z.string(),
  timestamp: z.number(),
  processedOn: z.number().optional(),
  finishedOn: z.number().optional(),
  progress: Progress,
  queueName: z.string(),
  get children() {
    return z.array(FlowNode);
  },
  truncated: z.boolean().optional(),
  dependencies: FlowDependencies.optional(),
  ignoredChildFailureReasons: z.record(z.string(), z.string()).optional(),
  problem: TranslatableMessage.optional(),
});
export type FlowNode = z.output<typeof FlowNode>;

export const JobFlow = z.object({
  nodeId: z.string(),
  isFlowNode: z.boolean(),
  flowRoot: FlowNode.nullable(),
});
export type JobFlow = z.output<typeof JobFlow>;

/** A repeatable job definition. */
export const AppJobScheduler = z.object({
  id: z.string(),
  version: z.string(),
  queueName: z.string(),
  name: z.string(),
  pattern: z.string().optional(),
  every: z.number().optional(),
  tz: z.string().optional(),
  limit: z.number().optional(),
  startDate: z.number().optional(),
  endDate: z.number().optional(),
  next: z.number().optional(),
  nextRunJobId: z.string().optional(),
  lastRun: z.number().optional(),
  lastRunJobId: z.string().optional(),
  iterationCount: z.number().optional(),
  /** As many of the next runs as were asked for, in ISO 8601, as far as they can be computed; the first is `next`. */
  nextRuns: z.array(z.string()).optional(),
  template: z.object({ data: z.unknown().optional(), opts: anyObject.optional() }).optional(),
  /** The JSON texts of the template. */
  raw: RawParts.pick({ data: true, opts: true }).optional(),
  problem: TranslatableMessage.optional(),
});
export type AppJobScheduler = z.output<typeof AppJobScheduler>;
