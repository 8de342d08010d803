/** Stands for the forecast of counts in the build for browsers, where sources have no database. */

import type { PageRows, PreparedRead } from './source.ts';

/** Reads the rows and then the count. */
export async function countedRows<R>(
  _: unknown,
  read: PreparedRead<R>,
): Promise<{ readonly page: PageRows<R>; readonly total: number }> {
  const page = await read.rows();
  return { page, total: await read.count() };
}
