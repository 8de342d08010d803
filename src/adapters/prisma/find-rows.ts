/**
 * Runs `findMany` in as few queries as Prisma accepts. Prisma lists the parents of an included relation one by one, and
 * where their key has several columns it refuses a page with too many parents instead of splitting the query.
 */

import type { ClientRow, PrismaArgs } from './client.ts';
import type { Where } from './where.ts';

/** Prisma's code for more parameters than the database accepts. */
const tooManyParameters = 'P2029';

/** The window of a query within all rows that match its conditions, which is needed to split the query in two. */
export interface RowWindow {
  /** An order without ties. */
  readonly orderBy: readonly Where[];
  readonly skip: number;
  readonly take: number;
}

type Find = (args: PrismaArgs) => Promise<ClientRow[]>;

/** The rows of a query, which returns those of the window; where Prisma refuses it, the rows of its halves. */
export async function findRows(
  find: Find,
  args: PrismaArgs,
  window: RowWindow,
): Promise<ClientRow[]> {
  const { orderBy, skip, take } = window;
  try {
    return await find(args);
  } catch (error) {
    if (take < 2 || !isRefused(error)) throw error;
  }
  const half = Math.ceil(take / 2);
  const part = (from: number, rows: number): Promise<ClientRow[]> => {
    const within = { orderBy, skip: from, take: rows };
    return findRows(find, { ...args, ...within }, within);
  };
  const first = await part(skip, half);
  return first.length < half ? first : [...first, ...(await part(skip + half, take - half))];
}

function isRefused(error: unknown): boolean {
  for (let current = error; current instanceof Error; current = current.cause) {
    if ((current as { code?: unknown }).code === tooManyParameters) return true;
  }
  return false;
}
