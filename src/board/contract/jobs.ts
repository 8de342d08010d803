/** Jobs of the `kvq` engine and their flows. Times and delays are in milliseconds. */

import * as z from 'zod';

import { anyObject, anyValue } from './json.ts';

/** The URL of a job outside the board. */
export const ExternalJobUrl = z.object({
  displayText: z.string().optional(),
  href: z.string(),
});
export type ExternalJobUrl = z.output<typeof ExternalJobUrl>;

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
  groupId: z.union([z.string(), z.number()]).optional(),
  priority: z.number().optional(),
  attemptsStarted: z.number().optional(),
  stalledCounter: z.number().optional(),
  deduplicationId: z.string().optional(),
  deferredFailure: z.string().optional(),
});
export type AppJob = z.output<typeof AppJob>;

/** Children of a job by result. */
export const FlowDependencies = z.object({
  processed: z.number(),
  unprocessed: z.number(),
  ignored: z.number(),
  failed: z.number(),
});
export type FlowDependencies = z.output<typeof FlowDependencies>;

/** A job of a flow; `truncated` when it has more children than are listed. */
export const FlowNode = z.object({
  id: z.string(),
  name: z.string(),
  state: z.string(),
  progress: Progress,
  queueName: z.string(),
  get children() {
    return z.array(FlowNode);
  },
  truncated: z.boolean().optional(),
  dependencies: FlowDependencies.optional(),
  ignoredChildFailureReasons: z.record(z.string(), z.string()).optional(),
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
  template: z.object({ data: z.unknown().optional(), opts: anyObject.optional() }).optional(),
});
export type AppJobScheduler = z.output<typeof AppJobScheduler>;
