/** Runs of a command over many jobs of a queue: given by ids, or by a filter. */

import * as z from 'zod';

import { JobState, PgqJobState } from './enums.ts';
import { TranslatableMessage } from './errors.ts';
import { anyObject, seenVersion, storableText } from './json.ts';

/** The commands that a run may have; an engine has some of them. */
export const BulkAction = z.enum(['retry', 'promote', 'cancel', 'resume', 'remove']);
export type BulkAction = z.output<typeof BulkAction>;

/** The commands whose jobs wait afterwards, and may be given back as long as they do. */
const undoable: ReadonlySet<BulkAction> = new Set<BulkAction>(['retry', 'promote', 'resume']);

/** Whether a run of the command keeps what it takes from its jobs. */
export const isUndoable = (action: BulkAction): boolean => undoable.has(action);

/** The most jobs per second that a run may be told to change. */
const mostPerSecond = 10_000;

/** The most ids of one run. */
export const maxRunIds = 10_000;

/** The most parameters of a filter, and the most characters of one. */
const [maxConditions, maxLength] = [50, 8_192];

/** A state of jobs of either engine. */
const SeenState = z.enum([...JobState.exclude(['latest']).options, ...PgqJobState.options]);

/** Parameters of a search that change how others are compared; alone, they are not a condition. */
const manners: ReadonlySet<string> = new Set(['ignoreCase']);

const Filter = z
  .record(
    z.string().min(1).max(500),
    // A blank value, such as that of a variable that is not set, must not be taken for no condition.
    storableText.max(maxLength).refine((text) => text.trim() !== ''),
  )
  .refine((filter) => Object.keys(filter).length <= maxConditions);

/** A record leaves out the name `__proto__`, and with it a condition: such a filter is none. */
const withEveryName = (filter: unknown): unknown =>
  Object.hasOwn(Object(filter), '__proto__') ? null : filter;

/**
 * A run over the jobs with these `ids`, or over those that a `filter` finds: the parameters of the search of jobs by name,
 * such as `{ "status": "failed", "name": "mail" }`, without `limit` and `cursor`, and none of them blank. Without a
 * condition, `all` must be true: it is the client's word that the command is meant for every job. `expectedState` is the
 * state in which the client saw the jobs with the ids, of all or of each in order: a job in another one is not changed.
 * `ifUnchanged` has the `version` that the client read of each job in order, null where it read none: a job that differs
 * is not changed. `dryRun` counts and changes nothing. `rate` is the most jobs per second that the run changes.
 */
export const StartBulkBody = z
  .strictObject({
    queueName: z.string().min(1).max(1_024),
    action: BulkAction,
    ids: z.array(storableText.min(1).max(1_000)).min(1).max(maxRunIds).optional(),
    expectedState: z.union([SeenState, z.array(SeenState).max(maxRunIds)]).optional(),
    ifUnchanged: z.array(seenVersion.nullable()).max(maxRunIds).optional(),
    filter: z.preprocess(withEveryName, Filter).optional(),
    all: z.boolean().default(false),
    dryRun: z.boolean().default(false),
    rate: z.int().min(1).max(mostPerSecond).optional(),
  })
  .refine(({ ids, filter, all }) => (ids ? filter === undefined : filter !== undefined || all), {
    path: ['filter'],
  })
  .refine(
    ({ ids, filter = {}, all }) =>
      ids ? !all : all || Object.keys(filter).some((name) => !manners.has(name)),
    { path: ['all'] },
  )
  .refine(
    ({ ids, expectedState }) =>
      expectedState === undefined ||
      (ids !== undefined &&
        (typeof expectedState === 'string' || expectedState.length === ids.length)),
    { path: ['expectedState'] },
  )
  .refine(
    ({ ids, ifUnchanged }) => ifUnchanged === undefined || ifUnchanged.length === ids?.length,
    {
      path: ['ifUnchanged'],
    },
  );
export type StartBulkBody = z.output<typeof StartBulkBody>;

/**
 * A run. `total`: jobs that may have to be examined, null if it is not known. `matched` jobs are those that the filter or
 * the ids found; of these, `changed` were changed, and the others refused, counted by reason. Times in epoch
 * milliseconds. An `undoable` run has ended and keeps what it has taken from its jobs; the run that gives it back
 * `undoes` it. `rate`: the most jobs per second. `found` is told by a dry run over a filter: the number of errors, without what
 * differs from job to job, and when the oldest job came into its state.
 */
export const BulkRun = z.object({
  id: z.string(),
  queueName: z.string(),
  action: BulkAction,
  dryRun: z.boolean(),
  rate: z.number().nullable(),
  undoes: z.string().nullable(),
  undoable: z.boolean(),
  state: z.enum(['running', 'completed', 'cancelled', 'failed']),
  total: z.number().nullable(),
  examined: z.number(),
  matched: z.number(),
  changed: z.number(),
  refused: z.array(z.object({ count: z.number(), reason: TranslatableMessage })),
  found: z.object({ errors: z.number().nullable(), oldest: z.number().nullable() }).optional(),
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  /** Why the run failed. */
  problem: TranslatableMessage.optional(),
});
export type BulkRun = z.output<typeof BulkRun>;

/** A job as the client has seen it; undefined members are not compared. */
export interface SeenJob {
  readonly expectedState: string | undefined;
  readonly ifUnchanged: string | undefined;
}

/** Jobs of a run by their ids, each once, as the client has seen them. */
export function seenById({
  ids = [],
  expectedState: state,
  ifUnchanged: versions,
}: Pick<StartBulkBody, 'ids' | 'expectedState' | 'ifUnchanged'>): ReadonlyMap<string, SeenJob> {
  const seen = new Map<string, SeenJob>();
  for (const [index, id] of ids.entries()) {
    if (seen.has(id)) continue;
    seen.set(id, {
      expectedState: typeof state === 'string' ? state : state?.[index],
      ifUnchanged: versions?.[index] ?? undefined,
    });
  }
  return seen;
}

/** The queue and the action in an unvalidated body; undefined if it has none. */
export function bulkActionOf(
  body: unknown,
): { readonly action: `jobs.${BulkAction}`; readonly queueName: string } | undefined {
  const { queueName, action } = anyObject.safeParse(body).data ?? {};
  const known = BulkAction.safeParse(action);
  if (!known.success || typeof queueName !== 'string') return undefined;
  return { action: `jobs.${known.data}`, queueName };
}
