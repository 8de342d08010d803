/** The table of jobs by its blocks, for statements that pass it once without an index. */

import type { ReadSession } from '../connect/read-channel.ts';
import type { OpenSchema } from '../listings/installation.ts';
import type { Condition } from './conditions.ts';

/** The blocks of the largest table of jobs. */
export async function tableBlocks(
  { name }: Pick<OpenSchema, 'name'>,
  session: ReadSession,
): Promise<number> {
  const [row] = await session.query(
    `select max(pg_relation_size(relid)) / current_setting('block_size')::int as size
    from pg_partition_tree($1::text::regclass)`,
    [`"${name}".job`],
  );
  return Number(row?.['size']);
}

/** Conditions, and that a job is in some blocks. */
export const inBlocks = ({ text, values }: Condition, from: number, blocks: number): Condition => ({
  text: `${text} and ctid >= $${values.length + 1}::text::tid and ctid < $${values.length + 2}::text::tid`,
  values: [...values, `(${from},0)`, `(${from + blocks},0)`],
});
