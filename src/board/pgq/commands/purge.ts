/**
 * Deletes all jobs of a queue in some states, by set and in growing steps: block by block of the table and then, where another
 * transaction was in the way, without those that it has locked. Jobs that others wait for stay, as do jobs that are created
 * later.
 */

import type { ErrorKey } from '../../contract/index.ts';
import { commandBatch } from '../listings/listing-rules.ts';
import type { JobState } from '../schema/tables.ts';
import { removeRefs } from './change-jobs.ts';
import { awaitedElsewhere, beforeAll, lockNextJobs, walkKeys } from './locked-jobs.ts';
import { StepSize, firstStep } from './step-size.ts';
import { blocksOf, largestStep, sweep } from './sweep.ts';
import type { CommandStep, RunStep } from './writable-schemas.ts';

/** The rest of a command on a whole queue, which the request does not wait for. */
export interface RestOfCommand {
  readonly action: 'remove' | 'retry';
  /** The states of the jobs to delete. */
  readonly states?: readonly JobState[];
  /** Jobs created later stay. Default: those created from now on. */
  readonly until?: string;
  /** The block of the table at which the deletion has stopped. */
  readonly from?: number | undefined;
  /** Jobs that the request has changed already. */
  readonly done: number;
}

/** The outcome of a step, for its transaction. */
export interface Purged {
  readonly examined: number;
  readonly matched: number;
  readonly changed: number;
  readonly refused?: Partial<Record<ErrorKey, number>>;
}

/** Told before a step: it locks a run before its jobs, so that no other instance takes it over and passes by these. */
const nothing: Purged = { examined: 0, matched: 0, changed: 0 };

export interface Purge {
  readonly queueName: string;
  readonly states: readonly JobState[];
  /** Jobs created after this time stay; undefined for the time of the first step. */
  readonly until: string | undefined;
  /** The block of the table at which an earlier purge up to this time has stopped; undefined for its beginning. */
  readonly from?: number | undefined;
  /** Whether another step begins. */
  goesOn(): boolean;
  /** Called before and after each step in its transaction, which may be repeated. */
  report(outcome: Purged, step: CommandStep): Promise<void>;
}

interface Outcome {
  readonly affected: number;
  readonly refused: number;
  /** Whether all jobs have been examined. */
  readonly isComplete: boolean;
  /** The time up to which jobs were taken. */
  readonly until: string;
  /** Where it has stopped, the block at which another one may begin. */
  readonly block?: number | undefined;
}

/** The condition on jobs of a purge for which none waits, with the queue, the states and the time as its first values. */
const freeJobs = ({ schema }: CommandStep): string =>
  `name = $1 and state::text = any($2::text[]) and created_on <= $3::timestamptz
  ${schema.state.features.dependencies ? 'and not blocking' : ''}`;

/**
 * Locks and deletes jobs for which none waits. The lock decides on the state; a row that has moved since the statement began
 * is left to the next step.
 */
async function deleteFree(
  step: CommandStep,
  { queueName, states }: Purge,
  until: string,
  count: number,
): Promise<{ locked: number; gone: number }> {
  const table = `"${step.schema.name}".job`;
  // A list of places is read in the order of the table, which a join of as many rows is not.
  const [row] = await step.schema.read((session) =>
    session.query(
      `with next as materialized (
        select array(
          select ctid from ${table} where ${freeJobs(step)} limit $4 for update skip locked
        ) as places
      ), gone as (
        delete from ${table} where ${freeJobs(step)} and ctid = any((select places from next)::tid[])
        returning 1
      )
      select (select cardinality(places) from next) as locked, (select count(*) from gone)::int as gone`,
      [queueName, states, until, count],
    ),
  );
  return { locked: Number(row?.['locked']), gone: Number(row?.['gone']) };
}

/** Whether jobs of the purge are left: any, or those on which others may wait. */
async function hasMore(
  { schema }: CommandStep,
  { queueName, states }: Purge,
  until: string,
  are: 'any' | 'blocking',
): Promise<boolean> {
  if (are === 'blocking' && !schema.state.features.dependencies) return false;
  const [row] = await schema.read((session) =>
    session.query(
      `select exists (select 1 from "${schema.name}".job
        where name = $1 and state::text = any($2::text[]) and created_on <= $3::timestamptz
          ${are === 'any' ? '' : 'and blocking'}) as found`,
      [queueName, states, until],
    ),
  );
  return row?.['found'] === true;
}

/** A step over jobs one by one: those on which others may wait or, where the sender sees some only, all. */
async function deleteLocked(step: CommandStep, purge: Purge, until: string, after: string) {
  const { queueName, states } = purge;
  await purge.report(nothing, step);
  await walkKeys(step);
  const blocking = !step.schema.jobOptions.scope;
  const next = await lockNextJobs(step, queueName, states, after, commandBatch, {
    until,
    blocking,
  });
  const { jobs } = next;
  const awaited = await awaitedElsewhere(step, queueName, jobs);
  const refs = jobs.filter(({ id }) => !awaited.has(id)).map(({ id }) => ({ queueName, id }));
  const affected = await removeRefs(step, refs);
  if (affected > 0) {
    await purge.report({ examined: affected, matched: affected, changed: affected }, step);
  }
  return { ...next, affected, refused: awaited.size };
}

/** Jobs on which others wait, until a pass over them deletes none: a job may wait for one of an earlier step. */
async function purgeLocked(run: RunStep, purge: Purge, until: string): Promise<Outcome> {
  let affected = 0;
  for (;;) {
    let [after, steps, changed, refused] = [beforeAll, 0, 0, 0];
    for (let count = commandBatch; count === commandBatch; steps += 1) {
      if (!purge.goesOn()) return { affected, refused, isComplete: false, until };
      const from = after;
      const done = await run((step) => deleteLocked(step, purge, until, from));
      ({ count, last: after = after } = done);
      changed += done.affected;
      refused += done.refused;
      affected += done.affected;
    }
    if (steps === 1 || changed === 0 || refused === 0) {
      return { affected, refused, isComplete: true, until };
    }
  }
}

/** The rest that a step over jobs for which none waits leaves to the next ones. */
interface FreeStep {
  readonly gone: number;
  /** Whether it has left jobs of its kind, and whether any may be left. */
  readonly more: boolean;
  readonly rest: boolean;
  /** The time up to which jobs are taken. */
  readonly upTo: string;
  /** The block of the table at which the next step begins; undefined where it takes jobs wherever they are. */
  readonly block: number | undefined;
}

/** Deletes the jobs, and tells how many, and for how many others wait. */
export async function purgeJobs(run: RunStep, purge: Purge): Promise<Outcome> {
  const { queueName, states } = purge;
  let { until } = purge;
  let affected = 0;
  // The first steps take jobs wherever they are. Once they are short, the others pass over the table from its beginning.
  let block: FreeStep['block'] = purge.from ?? 0;
  const size = new StepSize(largestStep);
  const report = async (gone: number, step: CommandStep): Promise<void> => {
    if (gone > 0) await purge.report({ examined: gone, matched: gone, changed: gone }, step);
  };
  const free = (last: string | undefined, count: number, from: number | undefined) =>
    run(async (step): Promise<FreeStep> => {
      await purge.report(nothing, step);
      const now = await walkKeys(step);
      const upTo = last ?? now;
      // Not all jobs are the sender's.
      const { scope } = step.schema.jobOptions;
      if (scope) return { gone: 0, more: false, rest: true, upTo, block: undefined };
      if (from !== undefined && (from > 0 || count > firstStep)) {
        const conditions = { text: freeJobs(step), values: [queueName, states, upTo] };
        const swept = await sweep(step, conditions, from, blocksOf(count));
        await report(swept?.gone ?? 0, step);
        const rest = swept?.next !== undefined || (await hasMore(step, purge, upTo, 'any'));
        return { gone: swept?.gone ?? 0, more: true, rest, upTo, block: swept?.next };
      }
      const { locked, gone } = await deleteFree(step, purge, upTo, count);
      await report(gone, step);
      const more = locked === count || gone < locked;
      const rest = more || (await hasMore(step, purge, upTo, 'blocking'));
      return { gone, more, rest, upTo, block: from };
    });
  for (;;) {
    const [last, from]: [string | undefined, FreeStep['block']] = [until, block];
    const done: FreeStep = await size.run((count) => free(last, count, from));
    until = done.upTo;
    block = done.block;
    affected += done.gone;
    if (!done.rest) return { affected, refused: 0, isComplete: true, until };
    if (!purge.goesOn()) return { affected, refused: 0, isComplete: false, until, block };
    if (!done.more) break;
  }
  const rest = await purgeLocked(run, purge, until);
  return { ...rest, affected: affected + rest.affected };
}
