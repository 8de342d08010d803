/** The driver as a list endpoint that a careful person writes by hand, with named prepared statements. */

import pg from 'pg';
import { type Contender, peer } from './contender.ts';
import { type UserRow, endpointByHand } from './endpoint.ts';
import { counts, pages } from './raw-pg.ts';
import type { RequestValues } from './requests.ts';
import { postgresPool } from './services.ts';

/** An endpoint of Q0 and Q7. */
export function endpointPostgres(values: readonly RequestValues[]): Contender {
  const pool = new pg.Pool(postgresPool());

  async function rowsOf<R extends object>(
    name: 'Q0p' | 'Q0c' | 'Q7p',
    text: string,
    bound: unknown[],
  ): Promise<R[]> {
    return (await pool.query<R>({ name, text, values: bound })).rows;
  }

  return endpointByHand(
    peer.pgEndpoint,
    values,
    {
      async company({ company, perPage, page }) {
        const [rows, [counted]] = await Promise.all([
          rowsOf('Q0p', pages.Q0, [company, perPage, (page - 1) * perPage]),
          rowsOf<{ readonly total: number }>('Q0c', counts.Q0, [company]),
        ]);
        return { rows, total: counted?.total ?? 0 };
      },
      newest: ({ active, createdAt, id, perPage }) =>
        rowsOf<UserRow>('Q7p', pages.Q7, [active, createdAt, id, perPage + 1]),
    },
    () => pool.end(),
  );
}
