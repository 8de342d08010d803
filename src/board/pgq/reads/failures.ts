/**
 * Counts the failed jobs that a sender may see, by error: block by block of the table of jobs, which needs no index and passes
 * the jobs of all queues at once. A job that fails anew meanwhile moves within the table, but is later than the walk.
 */

import {
  BoardError,
  type FailurePart,
  type FailureRange,
  type FailureSource,
  type FailureStep,
  type Fingerprint,
  type Inbox,
  mostReleaseBytes,
  reasonBytes,
  releaseLength,
} from '../../core/index.ts';
import type { NamedRow } from '../connect/read-channel.ts';
import type { JobSchema } from '../listings/visible-queues.ts';
import { inBlocks, tableBlocks } from './blocks.ts';
import { scopedJobs } from './conditions.ts';
import { parsed } from './present-job.ts';
import type { ShownValues } from './shown-values.ts';

/** Blocks of the first statement of a request and of the largest one, and where every job is read by itself. */
const [firstBlocks, mostBlocks, wholeBlocks] = [200, 1_000, 20];

/** Milliseconds of a statement up to which the next one has twice as many blocks. */
const quickMs = 60;

/** Bytes of an output, as stored, from which on its message is not read. */
const mostOutputBytes = 65_536;

/** The message of an error, or of a job that has run out of time; of another output, its value. */
const message = `case when pg_column_size(output) < ${mostOutputBytes} then left(coalesce(
  output ->> 'message', output -> 'value' ->> 'message', output ->> 'value'), ${reasonBytes}) end`;

const release = `case when pg_column_size(data) <= ${mostReleaseBytes}
  and jsonb_typeof(data -> 'release') in ('string', 'number')
  then nullif(left(data ->> 'release', ${releaseLength}), '') end`;

/** The jobs that a walk reads, and the parts of each. */
export interface AskedFailures {
  readonly schema: JobSchema;
  readonly queueNames: readonly string[];
  readonly values: ShownValues;
  readonly fingerprint: Fingerprint | undefined;
  readonly signal: AbortSignal;
}

/** The text of an error in an output, as in SQL. */
function messageOf(output: unknown): string {
  const member = (value: unknown, name: string): unknown =>
    typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  const value = member(output, 'value');
  const found = member(output, 'message') ?? member(value, 'message') ?? value ?? '';
  return (typeof found === 'string' ? found : JSON.stringify(found)).slice(0, reasonBytes);
}

/** The failure of a row. Where a formatter replaces the output, its message is that of what it shows. */
function partOf(row: NamedRow, { values, fingerprint }: AskedFailures): FailurePart {
  const queueName = String(row['queue']);
  const id = String(row['id']);
  const owner = { queueName, jobId: id };
  const isReplaced = values.replaced.has('output');
  const reason = isReplaced
    ? messageOf(values.of(owner, { output: parsed(text(row['output'])) }).output)
    : (text(row['reason']) ?? '');
  const told = fingerprint
    ? values.told(owner, 'fingerprint', () =>
        fingerprint({ queueName, id, error: reason, data: parsed(text(row['data'])) }),
      )
    : undefined;
  return {
    queueName,
    reason,
    name: null,
    release: text(row['release']),
    bucket: Number(row['bucket']),
    count: Number(row['count']),
    firstAt: Number(row['first_at']),
    lastAt: Number(row['last_at']),
    id,
    ...(typeof told === 'string' && { told }),
  };
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** The first block of a step. */
function blockOf(after: string | null): number {
  if (after === null) return 0;
  if (/^\d{1,9}$/.test(after)) return Number(after);
  throw new BoardError('INVALID_QUERY_PARAM', {
    code: 'INVALID_REQUEST',
    options: { field: 'cursor' },
  });
}

function sourceOf(
  asked: AskedFailures,
  { since, at, from, bucketMs }: FailureRange,
): FailureSource {
  const { schema, queueNames, values, fingerprint } = asked;
  // The parts that functions of the host receive are read of each job.
  const [withData, withOutput] = [fingerprint !== undefined, values.replaced.has('output')];
  const isWhole = withData || withOutput;
  let blocks = isWhole ? wholeBlocks : firstBlocks;
  const moment = (place: number): string => `to_timestamp($${place}::float8 / 1000)`;
  return {
    name: '',
    async step(after): Promise<FailureStep> {
      const block = blockOf(after);
      const began = performance.now();
      const [rows, size] = await schema.read(async (session) => {
        const scoped = await scopedJobs(schema, session, queueNames);
        const place = scoped.values.length;
        const within = inBlocks(
          {
            text: `state = 'failed' and (${scoped.text}) and name || '' = any($${place + 1}::text[])
              and completed_on >= ${moment(place + 2)} and completed_on < ${moment(place + 3)}`,
            values: [...scoped.values, queueNames, since, at + 1, from, bucketMs],
          },
          block,
          blocks,
        );
        const found = await session.query(
          `with failure as materialized (
            select id, name, floor(extract(epoch from completed_on)::numeric * 1000) as at,
              ${withOutput ? 'null::text' : message} as reason,
              ${values.replaced.has('data') ? 'null::text' : release} as release,
              ${withOutput ? 'output::text' : 'null::text'} as output,
              ${withData ? 'data::text' : 'null::text'} as data,
              ${isWhole ? 'id' : 'null::uuid'} as own
            from "${schema.name}".job where ${within.text}
          ), placed as (
            select *, greatest(-1, floor((at - $${place + 4}::numeric) / $${place + 5}::numeric))::int as bucket from failure
          )
          select name as queue, (array_agg(reason order by at desc, id))[1] as reason, release, bucket, count(*)::int as count, min(at)::text as first_at,
            max(at)::text as last_at, (array_agg(id order by at desc, id))[1]::text as id,
            min(output) as output, min(data) as data
          from placed group by name, translate(reason, '123456789', '000000000'), release, bucket, own`,
          within.values,
        );
        return [found, await tableBlocks(schema, session)];
      });
      const next = block + blocks < size ? String(block + blocks) : null;
      if (!isWhole && performance.now() - began < quickMs)
        blocks = Math.min(mostBlocks, blocks * 2);
      const parts = rows.map((row) => partOf(row, asked));
      return { parts, examined: parts.reduce((sum, { count }) => sum + count, 0), next };
    },
  };
}

/** The errors of the queues. */
export function inboxOf(given: AskedFailures, recorder: Inbox['recorder']): Inbox {
  // Behind a formatter, a text of the host could tell what it hides.
  const fingerprint = given.values.replaced.size === 0 ? given.fingerprint : undefined;
  const asked = { ...given, fingerprint };
  return {
    total: null,
    signal: asked.signal,
    sourcesOf: (range) => (asked.queueNames.length === 0 ? [] : [sourceOf(asked, range)]),
    ...(recorder && { recorder }),
  };
}
