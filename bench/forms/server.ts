/** A current MySQL or MariaDB for these forms, as the tests find or start it. */

import { findFurtherMysql } from '../../test/services/further.ts';
import { type Kind, series } from '../../tools/mysql-server.ts';

export const kinds = Object.keys(series) as readonly Kind[];

/** Uses the server of a kind in place of the one on the usual port; returns what stops it, where it was started. */
export async function useServer(kind: Kind): Promise<() => Promise<void>> {
  const found = await findFurtherMysql(kind);
  if ('missing' in found) throw new Error(found.advice);
  process.env['SLUICE_BENCH_MYSQL'] = found.url;
  return async () => found.dispose();
}
