/** Outcomes of requests while servers end. */

import { QueryError, runQuery } from '../../src/index.ts';
import type { DatabaseCell } from '../matrix/cell.ts';
import { compileEndpoints } from '../matrix/corpus/index.ts';

/** Concurrent requests through a cell: the number of rows and the total of each, or the code of its refusal. */
export function outcomes(cell: DatabaseCell, count = 4): Promise<string[]> {
  const { users } = compileEndpoints(cell.registry);
  return Promise.all(
    Array.from({ length: count }, () =>
      runQuery(cell.source('user'), 'perPage=7&includes=orders', users).then(
        (result) => `${result.data.length} of ${'total' in result ? result.total : 'unknown'}`,
        (error: unknown) => (error instanceof QueryError ? error.code : String(error)),
      ),
    ),
  );
}

/** The outcomes of several cells at once. */
export async function outcomesOf(cells: readonly DatabaseCell[]): Promise<string[]> {
  return (await Promise.all(cells.map((cell) => outcomes(cell)))).flat();
}
