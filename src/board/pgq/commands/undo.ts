/**
 * The values that runs take from the jobs of pg-boss, and how these get them back: the library has no method that does. All statements
 * are of the transaction that changes the jobs.
 */

import { undoTable } from '../../core/index.ts';
import type { BulkControl } from '../../core/index.ts';
import { lockJobs, type LockedJob } from './locked-jobs.ts';
import { inStep, type CommandStep, type RunStep } from './writable-schemas.ts';

/** The table of the runs of an installation, in its schema. */
export const runsTable = 'sluice_pgq_runs';

const keptIn = ({ schema }: CommandStep): string => `"${schema.name}".${undoTable(runsTable)}`;

/** The members of a job that the commands change, and that tell whether it has started since. */
const kept = `jsonb_build_object('state', state, 'completed', completed_on, 'after', start_after,
  'started', started_on, 'retries', retry_count)`;

/** Keeps for a run what the jobs, which are locked, have before they are changed; returns the number of the first. */
export async function keepJobs(
  step: CommandStep,
  run: string,
  queueName: string,
  jobs: readonly LockedJob[],
): Promise<unknown> {
  const { schema } = step;
  const [row] = await schema.read((session) =>
    session.query(
      `with added as (
        insert into ${keptIn(step)} (run_id, job_id, was)
        select $1, id::text, ${kept} from "${schema.name}".job where name = $2 and id = any($3::uuid[])
        returning number
      ) select min(number)::text as first from added`,
      [run, queueName, jobs.map(({ id }) => id)],
    ),
  );
  return row?.['first'];
}

/** Forgets those of the jobs that the library has not changed, of those kept since a number: no others are read. */
export async function forgetUnchanged(
  step: CommandStep,
  run: string,
  since: unknown,
  queueName: string,
  jobs: readonly LockedJob[],
): Promise<void> {
  const { schema } = step;
  await schema.read((session) =>
    session.query(
      `delete from ${keptIn(step)} as kept using "${schema.name}".job where run_id = $1 and number >= $4::bigint
        and job.name = $2 and job.id = any($3::uuid[]) and job_id = job.id::text and job.state::text = was ->> 'state'`,
      [run, queueName, jobs.map(({ id }) => id), since],
    ),
  );
}

/** Jobs per part. */
const mostPerPart = 1_000;

/** The position before all changes. */
const first = '9223372036854775807';

/** The last changes of a run before a position. */
async function lastChanges(step: CommandStep, undoes: string, position: string) {
  const rows = await step.schema.read((session) =>
    session.query(
      `select number::text as place, job_id from ${keptIn(step)} where run_id = $1 and number < $2::bigint
      order by number desc limit ${mostPerPart}`,
      [undoes, position],
    ),
  );
  return rows.map((row) => ({ number: String(row['place']), id: String(row['job_id']) }));
}

/** Gives those of the jobs back that still wait; the others have started since. */
async function giveBack(
  step: CommandStep,
  undoes: string,
  queueName: string,
  numbers: readonly string[],
): Promise<number> {
  const { schema } = step;
  const [row] = await schema.read((session) =>
    session.query(
      `with taken as (
        delete from ${keptIn(step)} where run_id = $1 and number = any($3::bigint[]) returning job_id::uuid as id, was
      ), back as (
        update "${schema.name}".job set state = (was ->> 'state')::"${schema.name}".job_state,
          completed_on = (was ->> 'completed')::timestamptz, start_after = (was ->> 'after')::timestamptz,
          retry_limit = retry_limit - case was ->> 'state' when 'failed' then 1 else 0 end
        from taken where job.name = $2 and job.id = taken.id
          and job.state::text = case was ->> 'state' when 'failed' then 'retry' else 'created' end
          and job.started_on is not distinct from (was ->> 'started')::timestamptz
          and job.retry_count = (was ->> 'retries')::integer
        returning 1
      ) select count(*)::int as back from back`,
      [undoes, queueName, numbers],
    ),
  );
  return Number(row?.['back']);
}

/**
 * Gives one part of the changes of a run back; where the next part begins, or undefined after the last. Jobs that the
 * sender does not see are not found.
 */
async function undoPart(
  step: CommandStep,
  queueName: string,
  undoes: string,
  { report }: BulkControl,
  position: string,
): Promise<string | undefined> {
  const within = inStep(step);
  await report({}, undefined, within);
  const last = await lastChanges(step, undoes, position);
  const lowest = last.at(-1)?.number;
  if (lowest === undefined) return undefined;
  const ids = last.map(({ id }) => id);
  const locked = new Set((await lockJobs(step, queueName, ids)).map(({ id }) => id));
  // The library fails a job by deleting it and adding it again; only a later statement sees it then.
  const missing = ids.filter((id) => !locked.has(id));
  const again = missing.length > 0 ? await lockJobs(step, queueName, missing) : [];
  for (const { id } of again) locked.add(id);
  const found = last.filter(({ id }) => locked.has(id));
  const numbers = found.map(({ number }) => number);
  const changed = await giveBack(step, undoes, queueName, numbers);
  const refused = {
    JOB_NOT_FOUND: last.length - found.length,
    JOB_STARTED_SINCE: found.length - changed,
  };
  await report({ examined: last.length, matched: found.length, changed, refused }, lowest, within);
  return lowest;
}

/** Gives the changes of a run back, the last ones first. */
export async function undoJobs(
  transaction: RunStep,
  queueName: string,
  undoes: string,
  control: BulkControl,
): Promise<void> {
  let position: string | undefined = control.position ?? first;
  while (position !== undefined && !control.signal.aborted) {
    const from: string = position;
    position = await transaction((step) => undoPart(step, queueName, undoes, control, from));
    await control.next();
  }
}
