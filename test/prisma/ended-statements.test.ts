/** Statements that are ended on MySQL leave no connection behind, and the client goes on with its own. */

import { type Connection, type RowDataPacket, createConnection } from 'mysql2/promise';
import { expect, it } from 'vitest';
import { defineQueryRules, runQuery } from '../../src/index.ts';
import { openShop } from './fixtures/open-shop.ts';

/** The connections of other sessions to the database. */
async function connected(admin: Connection): Promise<number> {
  const [rows] = await admin.query<RowDataPacket[]>(
    'select count(*) as n from information_schema.processlist where db = database() and id <> connection_id()',
  );
  return Number(rows[0]?.['n']);
}

it('close the connections that have ended them', async (context) => {
  const shop = await openShop('mysql', 'prisma_ended');
  if (!shop) return context.skip();
  const rules = defineQueryRules(shop.registry, 'thing', {
    fields: { root: { allowed: ['id'], default: ['id'] } },
  });
  const list = (options: object) => runQuery(shop.source('thing'), 'perPage=1', rules, options);
  const admin = await createConnection({ uri: shop.database.url });
  const holder = await createConnection({ uri: shop.database.url });
  try {
    await Promise.all(Array.from({ length: 8 }, () => list({})));
    // The pool of the client has four.
    await expect.poll(() => connected(admin)).toBe(5);
    await holder.query('lock tables things write');
    const late = [300, 350, 400].map((timeoutMs) =>
      expect(list({ timeoutMs })).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' }),
    );
    await Promise.all(late);
    await holder.query('unlock tables');
    expect(await list({})).toMatchObject({ data: [{ id: 1 }], total: 30 });
    await expect.poll(() => connected(admin)).toBe(5);
  } finally {
    await holder.end();
    await admin.end();
    await shop.close();
  }
});
