/** Columns of a list of jobs that a client chooses: fields of the rows, and values within their data and output. */

import type { PgqJobSummary } from '../../contract/index.ts';
import { type ColumnPath, columnLength, columnText, cutColumn } from '../../core/index.ts';
import { briefBytes, type NamedRow } from '../connect/read-channel.ts';
import { columnFields } from '../listings/listing-rules.ts';
import type { PgqRow } from '../listings/listings.ts';
import type { JobSchema } from '../listings/visible-queues.ts';
import { scopedJobs } from './conditions.ts';
import { parsed } from './present-job.ts';
import type { ShownValues } from './shown-values.ts';

type Columns = readonly ColumnPath[] | undefined;

/** The parts of a job that a column leads into; `result` has that name with every engine. */
const parts: Readonly<Record<string, 'data' | 'output'>> = {
  data: 'data',
  output: 'output',
  result: 'output',
};

const partOf = ([name = '']: ColumnPath) => (Object.hasOwn(parts, name) ? parts[name] : undefined);

/** The value as text, from the database; of a part that a formatter replaces, the whole part. */
function expression(part: 'data' | 'output', isReplaced: boolean, parameter: number): string {
  const value = `(job.${part} #> $${parameter}::text[])::text`;
  const text = isReplaced ? value : `left(${value}, ${columnLength})`;
  return `case when pg_column_size(job.${part}) < ${briefBytes} then ${text} end`;
}

type JobRow = PgqRow<'job'>;

const keyOf = (queueName: unknown, id: unknown): string => `${String(queueName)} ${String(id)}`;

/** Reads the parts of jobs of a page that the columns lead into; a job that the sender may not see any more has none. */
async function readParts(
  schema: JobSchema,
  rows: readonly JobRow[],
  columns: readonly ColumnPath[],
  { replaced }: ShownValues,
): Promise<ReadonlyMap<string, NamedRow>> {
  const inside = columns.flatMap((path, at) => {
    const part = partOf(path);
    return part ? [{ part, at, steps: replaced.has(part) ? [] : path.slice(1) }] : [];
  });
  if (inside.length === 0 || rows.length === 0) return new Map();
  const queueNames = rows.map(({ queueName = '' }) => queueName);
  const found = await schema.read(async (session) => {
    const { text, values } = await scopedJobs(schema, session, [...new Set(queueNames)]);
    const first = values.length + 1;
    const shown = inside.map(
      ({ part, at }, place) =>
        `${expression(part, replaced.has(part), first + 2 + place)} as column_${at}`,
    );
    return session.query(
      `select wanted.*, ${shown.join(', ')}
      from unnest($${first}::text[], $${first + 1}::uuid[]) as wanted (of_queue, of_job)
      join "${schema.name}".job on job.name = of_queue and job.id = of_job where (${text})`,
      [...values, queueNames, rows.map(({ id }) => id), ...inside.map(({ steps }) => steps)],
    );
  });
  return new Map(found.map((row) => [keyOf(row['of_queue'], row['of_job']), row]));
}

/** Reads the columns of a page, and returns the member of each of its jobs. */
export async function jobColumns(
  schema: JobSchema,
  rows: readonly JobRow[],
  columns: Columns,
  values: ShownValues,
): Promise<(row: JobRow, summary: PgqJobSummary) => Pick<PgqJobSummary, 'columns'>> {
  if (!columns) return () => ({});
  const found = await readParts(schema, rows, columns, values);
  return (row, summary) => {
    const stored = found.get(keyOf(row.queueName, row.id));
    const fields = Object.fromEntries(
      Object.entries(row).filter(([name]) => columnFields.includes(name)),
    );
    const textOf = (path: ColumnPath, at: number): string | null => {
      const part = partOf(path);
      if (part === undefined) return columnText({ ...fields, ...summary }, path);
      const text = stored?.[`column_${at}`];
      if (typeof text !== 'string' || text === 'null') return null;
      if (!values.replaced.has(part)) return cutColumn(text);
      const owner = { queueName: summary.queueName, jobId: summary.id };
      return columnText(values.of(owner, { [part]: parsed(text) }), [part, ...path.slice(1)]);
    };
    return { columns: columns.map(textOf) };
  };
}
