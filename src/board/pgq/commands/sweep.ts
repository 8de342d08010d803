/**
 * Deletes jobs by the blocks of their table, without a lock before: where another transaction changes a job, the conditions
 * decide on the job as that leaves it. Where that takes long, the blocks are passed by.
 */

import { sqlState } from '../../../lib/index.ts';
import { inBlocks, tableBlocks } from '../reads/blocks.ts';
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
