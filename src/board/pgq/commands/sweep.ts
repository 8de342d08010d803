/**
 * Deletes jobs by the blocks of their table, without a lock before: where another transaction changes a job, the conditions
 * decide on the job as that leaves it. Where that takes long, the blocks are passed by.
 */

import { sqlState } from '../../../lib/index.ts';
import type { ReadSession } from '../connect/read-channel.ts';
import type { OpenSchema } from '../listings/installation.ts';
import type { CommandStep } from './writable-schemas.ts';

/** Jobs of a step at most. */
export const largestStep = 200_000;

/** Jobs that a block of a table has at most, or nearly: a row of pg-boss has more than a hundred bytes. */
const jobsPerBlock = 64;

/** The blocks of a step over so many jobs. */
export const blocksOf = (jobs: number): number => Math.ceil(jobs / jobsPerBlock);

/** Milliseconds that a step without locks waits for a job that another transaction changes. */
const sweepLockMs = 50;

/** SQLSTATEs of a step that met another transaction: lock timeout, deadlock. */
const inTheWay: ReadonlySet<string | undefined> = new Set(['55P03', '40P01']);

/** A statement, or a part of one, with the values of its placeholders. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The outcome of a step over some blocks of the table. */
export interface Swept {
  readonly gone: number;
  /** The block that follows; undefined at the end of the table. */
  readonly next: number | undefined;
}

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
export const inBlocks = ({ text, values }: Statement, from: number, blocks: number): Statement => ({
  text: `${text} and ctid >= $${values.length + 1}::text::tid and ctid < $${values.length + 2}::text::tid`,
  values: [...values, `(${from},0)`, `(${from + blocks},0)`],
});

/** Deletes jobs of some blocks. Undefined, without a change, where the driver does not tell their number. */
export async function sweep(
  { schema, transaction: { db } }: CommandStep,
  conditions: Statement,
  from: number,
  blocks: number,
): Promise<Swept | undefined> {
  const to = from + blocks;
  const size = await schema.read(async (session) => {
    await session.query(
      `select set_config('lock_timeout', $1, true), set_config('jit', 'off', true)`,
      [String(sweepLockMs)],
    );
    return tableBlocks(schema, session);
  });
  const next = to < size ? to : undefined;
  const { text, values } = inBlocks(conditions, from, blocks);
  let passed: Swept | undefined;
  await db.executeSql('savepoint sweeping');
  try {
    const { rowCount } = await db.executeSql(`delete from "${schema.name}".job where ${text}`, [
      ...values,
    ]);
    if (typeof rowCount === 'number') return { gone: rowCount, next };
  } catch (error) {
    if (!inTheWay.has(sqlState(error))) throw error;
    passed = { gone: 0, next };
  }
  await db.executeSql('rollback to savepoint sweeping');
  return passed;
}
