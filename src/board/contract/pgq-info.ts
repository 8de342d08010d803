/** The response of `GET /api/pgq/info`: the installation, and the capabilities of the board. */

import * as z from 'zod';

import { PgqFeature } from './enums.ts';
import { TranslatableMessage } from './errors.ts';
import { KvStats } from './statistics.ts';

/** The commands that the board can currently run. */
export const PgqCapabilities = z.object({
  send: z.boolean(),
  retry: z.boolean(),
  cancel: z.boolean(),
  resume: z.boolean(),
  delete: z.boolean(),
  scheduleWrite: z.boolean(),
  schedulePreview: z.boolean(),
  bulk: z.boolean(),
});
export type PgqCapabilities = z.output<typeof PgqCapabilities>;

/** The features of the schema. */
export const PgqFeatures = z.object({
  queueCounters: z.boolean(),
  readyHistory: z.boolean(),
  schedules: z.boolean(),
  scheduleKind: z.boolean(),
  dependencies: z.boolean(),
  deadLetterSource: z.boolean(),
  queueDepth: z.boolean(),
  warnings: z.boolean(),
});

/** An index that a listing needs and the schema lacks, with the statement that creates it. */
export const PgqIndexAdvice = z.object({ table: z.string(), ddl: z.string() });

export const PgqInfo = z.object({
  schema: z.string(),
  delimiter: z.string(),
  installed: z.boolean(),
  schemaVersion: z.number().nullable(),
  supportedRange: z.object({ min: z.number(), max: z.number() }),
  readable: z.boolean(),
  writable: z.boolean(),
  readOnly: z.boolean(),
  unavailableReason: TranslatableMessage.nullable(),
  writesDisabledReason: TranslatableMessage.nullable(),
  untested: z.boolean(),
  features: PgqFeatures,
  disabledFeatures: z.array(PgqFeature),
  persistQueueStats: z.boolean(),
  persistWarnings: z.boolean(),
  datastore: KvStats.nullable(),
  capabilities: PgqCapabilities,
  /** Absent when nothing is missing. */
  indexAdvice: z.array(PgqIndexAdvice).optional(),
});
export type PgqInfo = z.output<typeof PgqInfo>;
