/** Query strings and bodies of the `pgq` routes. */

import * as z from 'zod';

import { PgqJobState } from './enums.ts';
import { maxBulkIds } from './error-keys.ts';
import {
  anyObject,
  briefParam,
  columnsParam,
  epochParam,
  failsAs,
  integerParam,
  rawParam,
  seenVersion,
  storableKey,
  storableText,
  storableValue,
  whereParam,
} from './json.ts';

/** The maximum of PostgreSQL's `integer`. */
const maxInteger = 2_147_483_647;
/** Maximum length of the name of a queue, a time zone or a tier. */
const maxNameLength = 255;

export const PgqQueueDepthQuery = z.object({
  range: z.enum(['1h', '6h', '24h', '7d']).default('24h'),
  aggregate: z.enum(['max', 'avg']).default('max'),
});

/** In addition, `filter[...]` of the list grammar is read from the raw query string. */
export const ListPgqJobsQuery = z.object({
  state: PgqJobState.optional(),
  cursor: storableText.optional(),
  limit: integerParam(1, 100, 20),
  order: z.enum(['desc', 'asc']).default('desc'),
  id: z.guid().optional(),
  singletonKey: storableKey.optional(),
  ...briefParam,
  ...columnsParam,
});

/** Names of queues, separated by commas. Default: all visible queues. */
const queueNames = storableText
  .max(8_192)
  .transform((text) => text.split(','))
  .meta({ type: 'string' });

const page = {
  cursor: storableText.optional(),
  limit: integerParam(1, 100, 20),
  order: z.enum(['desc', 'asc']).default('desc'),
};

/** `pending`: created, or waiting for a retry. In addition, `filter[...]` of the list grammar. */
export const ListAllPgqJobsQuery = z.object({
  state: z.enum([...PgqJobState.options, 'pending']).optional(),
  queues: queueNames.optional(),
  ...page,
});

/**
 * In addition, conditions on paths of data and output: `filter[data.customer.id][gte]=5`, or `data.customer.id=42`. A
 * number or `true` is compared as such; a text in quotes is always a text.
 */
export const SearchPgqJobsQuery = ListAllPgqJobsQuery.extend({
  ...briefParam,
  ...columnsParam,
  id: z.guid().optional(),
  /** Substring of the singleton key. */
  key: storableText.max(500).optional(),
  minRetries: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .meta({ type: 'integer', pattern: undefined, minimum: 0 })
    .optional(),
  from: epochParam().optional(),
  to: epochParam().optional(),
  /** Substring of the message of the error in the output. */
  error: storableText.max(500).optional(),
  ...whereParam,
});

export const ListPgqWarningsQuery = z.object({
  type: storableText.min(1).max(64).optional(),
  cursor: storableText.optional(),
  limit: integerParam(1, 100, 25),
});

export const ListPgqSchedulesQuery = z.object({ queueName: storableKey.optional(), ...rawParam });

/** With `raw`, the data in a body is a JSON text. */
export const PgqRawQuery = z.object(rawParam);

const wholeNumber = (least: number) => z.int().min(least).max(maxInteger).optional();
const name = storableText.min(1).max(maxNameLength).optional();

/** Each option of the library that a job and a schedule share. Durations in seconds, `startAfter` also as a time. */
const jobOptions = {
  priority: z.int().min(-maxInteger).max(maxInteger).optional(),
  startAfter: z
    .union([
      z.iso.datetime({ offset: true }),
      z.iso.date(),
      z.number().min(-maxInteger).max(maxInteger),
    ])
    .optional(),
  singletonKey: storableKey.optional(),
  singletonSeconds: wholeNumber(1),
  singletonNextSlot: z.boolean().optional(),
  group: z
    .strictObject({ id: storableKey.refine((text) => text !== '', 'Empty'), tier: name })
    .optional(),
  deadLetter: name,
  retryLimit: wholeNumber(0),
  retryDelay: wholeNumber(0),
  retryBackoff: z.boolean().optional(),
  retryDelayMax: wholeNumber(0),
  expireInSeconds: wholeNumber(1),
  retentionSeconds: wholeNumber(1),
  deleteAfterSeconds: wholeNumber(0),
  heartbeatSeconds: wholeNumber(1),
  id: z.guid().optional(),
} as const;

/** Options of a new job: those of the library. */
export const SendPgqJobOptions = z.strictObject(jobOptions);
export type SendPgqJobOptions = z.output<typeof SendPgqJobOptions>;

type Nullable<Shape extends z.ZodRawShape> = {
  -readonly [Name in keyof Shape]: z.ZodOptional<z.ZodNullable<Shape[Name]>>;
};

function nullable<Shape extends z.ZodRawShape>(shape: Shape): Nullable<Shape> {
  const entries = Object.entries(shape) as [string, z.ZodType][];
  return Object.fromEntries(
    entries.map(([key, schema]) => [key, schema.nullable().optional()]),
  ) as unknown as Nullable<Shape>;
}

/**
 * Options of a schedule: those of its jobs, and the library's own, which it stores among them. Stored options that are
 * absent stay; `null` removes one.
 */
export const PgqScheduleOptions = z.looseObject({
  ...nullable(jobOptions),
  tz: storableText.nullable().optional(),
  key: storableText.nullable().optional(),
  missed: z.enum(['skip', 'once'], failsAs('PGQ_INVALID_SCHEDULE')).nullable().optional(),
});
export type PgqScheduleOptions = z.output<typeof PgqScheduleOptions>;

export const SendPgqJobBody = z.object({
  data: storableValue.optional(),
  options: SendPgqJobOptions.optional(),
});

/**
 * The condition on the job: its state, and the `version` of an earlier `GET`. Otherwise the command changes
 * nothing and answers 409.
 */
export const PgqJobConditionsBody = z.object({
  expectedState: PgqJobState.optional(),
  ifUnchanged: seenVersion.optional(),
});

const removeDependents = z.boolean().optional();

/** `removeDependents`: whether jobs that wait for the job are removed as well; otherwise they answer 409. */
export const RemovePgqJobBody = PgqJobConditionsBody.extend({ removeDependents });

/** 1 to 100 ids. */
export const PgqJobIdsBody = z.object({
  ids: z
    .array(z.guid(), {
      error: (issue) =>
        issue.code === 'invalid_type' ? failsAs('PGQ_BULK_LIMIT').error : undefined,
    })
    .min(1, failsAs('PGQ_BULK_LIMIT'))
    .max(maxBulkIds, failsAs('PGQ_BULK_LIMIT')),
});

/** In addition to the ids, `removeDependents` as for one job. */
export const RemovePgqJobsBody = PgqJobIdsBody.extend({ removeDependents });

/** A cron or RRULE expression. */
const expression = storableText.refine(
  (text) => text.trim() !== '',
  failsAs('PGQ_INVALID_SCHEDULE'),
);

/** Adds the member `name` of a body that has `pattern` instead, the name of both engines for a cron text. */
const orPattern = (name: string) => (body: unknown) => {
  const { pattern, [name]: own = pattern } = anyObject.safeParse(body).data ?? {};
  return own === undefined ? body : { ...(body as object), [name]: own };
};

const isOne = (name: string) => (body: object) =>
  [undefined, Reflect.get(body, name)].includes(Reflect.get(body, 'pattern'));

export const PreviewPgqScheduleBody = z.preprocess(
  orPattern('expression'),
  z
    .object({
      pattern: expression.optional(),
      expression,
      tz: storableText.max(maxNameLength).optional(),
      count: z.int().min(1).max(20).default(5),
    })
    .refine(isOne('expression'), failsAs('PGQ_INVALID_SCHEDULE')),
);
export type PreviewPgqScheduleBody = z.output<typeof PreviewPgqScheduleBody>;

/**
 * `ifUnchanged`: the `version` of the schedule that the client has seen; another one answers 409. `ifAbsent`: whether a
 * schedule with this key, also one that is just being created, answers 409 instead of being replaced. `missed`: handling of
 * occurrences missed while no instance was running: none, or one job for the latest.
 */
export const UpsertPgqScheduleBody = z.preprocess(
  orPattern('cron'),
  z
    .object({
      pattern: expression.optional(),
      key: storableKey.default(''),
      cron: expression,
      tz: storableText.max(maxNameLength).default('UTC'),
      data: storableValue.optional(),
      options: PgqScheduleOptions.optional(),
      ifUnchanged: seenVersion.optional(),
      ifAbsent: z.boolean().optional(),
      missed: z.enum(['skip', 'once'], failsAs('PGQ_INVALID_SCHEDULE')).optional(),
    })
    .refine(isOne('cron'), failsAs('PGQ_INVALID_SCHEDULE')),
);

export const RemovePgqScheduleBody = z.object({ key: storableKey.default('') });
