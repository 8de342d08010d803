/**
 * The jobs of a part of a run by filter, locked or deleted by set: the statement of the search becomes a part of one that
 * locks its rows, so that the filter decides on them as they are then.
 */

import type { OpenSchema } from '../listings/installation.ts';
import { inBlocks } from '../reads/blocks.ts';
import { jobsOf, scopedJobs } from '../reads/conditions.ts';
import type { JobState } from '../schema/tables.ts';
import { type LockedJob, lockedColumns, lockedJob, walkKeys } from './locked-jobs.ts';
import { type Statement, type Swept, sweep } from './sweep.ts';
import type { CommandStep } from './writable-schemas.ts';

/** The next jobs of a queue in some states: those up to the last id. */
export interface NextIds {
  readonly count: number;
  /** Those that the sender may see. */
  readonly examined: number;
  readonly last: string | undefined;
  /** Whether others may wait for one of them. */
  readonly blocking: boolean;
}

const blockingIn = ({ state }: OpenSchema): boolean => state.features.dependencies;

/**
 * Makes the transaction read a page of ids from the index again: a search has a list of queues, which no
 * walk reads in order, so that the database would read the whole table and sort it for each page.
 */
async function readPages({ schema }: CommandStep): Promise<void> {
  await schema.read((session) =>
    session.query(
      `select set_config('enable_sort', 'on', true), set_config('enable_bitmapscan', 'on', true),
        set_config('enable_seqscan', 'off', true)`,
      [],
    ),
  );
}

/** The next jobs after an id, in the order of ids, without a lock. */
export async function nextIds(
  step: CommandStep,
  queueName: string,
  states: readonly JobState[],
  after: string,
  count: number,
): Promise<NextIds> {
  const { schema } = step;
  await walkKeys(step);
  const [row] = await schema.read(async (session) => {
    const { text: visible, values } = await scopedJobs(schema, session, [queueName]);
    const at = (place: number): string => `$${values.length + place}`;
    return session.query(
      `with next as materialized (
        select id, ${blockingIn(schema) ? 'blocking' : 'false as blocking'}, (${visible}) as visible
        from "${schema.name}".job
        where name = ${at(1)} and state::text = any(${at(2)}::text[]) and id > ${at(3)}::uuid
        order by job.id limit ${at(4)}
      )
      select count(*)::int as count, count(*) filter (where visible)::int as examined,
        bool_or(blocking) as blocking,
        (select id::text from next order by next.id desc limit 1) as last from next`,
      [...values, queueName, states, after, count],
    );
  });
  await readPages(step);
  const last = row?.['last'];
  return {
    count: Number(row?.['count']),
    examined: Number(row?.['examined']),
    last: typeof last === 'string' ? last : undefined,
    blocking: row?.['blocking'] === true,
  };
}

/** The outcome of a step over some blocks. */
interface SweptFiltered extends Swept {
  /** Jobs of the queue in the states that the sender may see. */
  readonly examined: number;
}

/** Deletes jobs of some blocks that meet the conditions of a search, and for which none waits. See {@link sweep}. */
export async function sweepFiltered(
  step: CommandStep,
  queueName: string,
  states: readonly JobState[],
  { text, values }: Statement,
  from: number,
  blocks: number,
): Promise<SweptFiltered | undefined> {
  const { schema } = step;
  const free = blockingIn(schema) ? 'and not blocking' : '';
  const swept = await sweep(step, { text: `(${text}) ${free}`, values }, from, blocks);
  if (!swept) return undefined;
  const [row] = await schema.read(async (session) => {
    const { text: ofQueue, values: ofValues } = await jobsOf(schema, session, queueName);
    const inStates = {
      text: `${ofQueue} and state::text = any($${ofValues.length + 1}::text[])`,
      values: [...ofValues, states],
    };
    const left = inBlocks(inStates, from, blocks);
    return session.query(
      `select count(*)::int as count from "${schema.name}".job where ${left.text}`,
      left.values,
    );
  });
  return { ...swept, examined: swept.gone + Number(row?.['count']) };
}

/** The jobs of a statement, locked if they still are as it says; without those that others have locked. */
const lockingPart = ({ text }: Statement): string =>
  `with listed (id) as materialized (${text} for update of job skip locked)`;

/** Locks the jobs of a statement. */
export async function lockListed(
  { schema }: CommandStep,
  queueName: string,
  listed: Statement,
): Promise<readonly LockedJob[]> {
  const { values } = listed;
  const rows = await schema.read((session) =>
    session.query(
      `${lockingPart(listed)} select ${lockedColumns(schema)} from "${schema.name}".job
      where name = $${values.length + 1} and id = any(array(select id from listed))`,
      [...values, queueName],
    ),
  );
  return rows.map(lockedJob);
}

/** Locks the jobs of a statement, and deletes those for which none waits; their number. */
export async function deleteListed(
  { schema }: CommandStep,
  queueName: string,
  listed: Statement,
): Promise<number> {
  const { values } = listed;
  const [row] = await schema.read((session) =>
    session.query(
      `${lockingPart(listed)}, gone as (
        delete from "${schema.name}".job using listed where name = $${values.length + 1}
          and job.id = listed.id ${blockingIn(schema) ? 'and not blocking' : ''} returning 1
      ) select count(*)::int as gone from gone`,
      [...values, queueName],
    ),
  );
  return Number(row?.['gone']);
}
