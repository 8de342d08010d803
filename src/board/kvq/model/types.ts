/** Types of the contract's schemas, as the engine uses them. */

import type * as z from 'zod';
import type { resources } from '../../contract/index.ts';

export type JobStatus = z.output<typeof resources.JobStatus>;
export type JobState = z.output<typeof resources.JobState>;
export type Status = z.output<typeof resources.Status>;
export type Datastore = z.output<typeof resources.Datastore>;
export type QueueLibrary = z.output<typeof resources.QueueLibrary>;
export type QueueType = z.output<typeof resources.QueueType>;
export type KvStats = z.output<typeof resources.KvStats>;
export type AppJob = z.input<typeof resources.AppJob>;
export type JobSummary = z.input<typeof resources.JobSummary>;
export type JobSummaryField = z.output<typeof resources.JobSummaryField>;
export type AppQueue = z.input<typeof resources.AppQueue>;
export type AppJobScheduler = z.input<typeof resources.AppJobScheduler>;
export type FlowNode = z.input<typeof resources.FlowNode>;
export type JobFlow = z.input<typeof resources.JobFlow>;
export type QueueCapabilities = z.output<typeof resources.QueueCapabilities>;
export type QueueMetrics = z.output<typeof resources.QueueMetrics>;
export type QueueRateLimit = z.output<typeof resources.QueueRateLimit>;
export type QueueWorker = z.output<typeof resources.QueueWorker>;
export type QueueDefaultJobOptions = z.output<typeof resources.QueueDefaultJobOptions>;
export type ExternalJobUrl = z.output<typeof resources.ExternalJobUrl>;
