/**
 * Northwind as `drizzle-kit pull` writes it and as its catalogue says: small keys, composite keys, dates, single
 * precision, bytes, a self-reference and a view. Nothing is changed, and no override is needed.
 */

import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drizzleRegistry, drizzleSource } from '../../src/adapters/drizzle/index.ts';
import { introspect, sqlSource } from '../../src/adapters/sql/index.ts';
import { defineQueryRules } from '../../src/index.ts';
import { type ScratchDatabase, everyServiceRequired, scratchDatabase } from '../services/index.ts';
import { type Listing, checkEveryField, list } from './listing.ts';
import { northwind } from './northwind.ts';
import { drizzlePull } from './pull.ts';

let database: ScratchDatabase | null = null;
let pool: pg.Pool;
beforeAll(async () => {
  const made = await scratchDatabase('postgresql', 'northwind');
  if ('missing' in made) {
    if (everyServiceRequired()) throw new Error(made.advice);
    return;
  }
  database = made;
  pool = new pg.Pool({ connectionString: made.url, max: 3 });
  await pool.query(northwind);
}, 60_000);
afterAll(async () => {
  await pool?.end();
  await database?.drop();
});

const tools: { readonly [name: string]: () => Promise<Listing> } = {
  'drizzle-kit pull': async () => {
    const pulled = await drizzlePull('northwind', 'postgresql', database?.url ?? '');
    const registry = drizzleRegistry(pulled as never);
    const db = drizzle(pool);
    const source = (model: string) =>
      drizzleSource({ db, registry, tables: pulled, model } as never) as never;
    return { registry, source };
  },
  introspect: async () => {
    const registry = await introspect(pool);
    const { tables } = registry;
    const source = (model: string) =>
      sqlSource({ connection: pool, registry, tables, model } as never) as never;
    return { registry, source };
  },
};

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (at) => `_${at.toLowerCase()}`);

describe.each(Object.entries(tools))('Northwind by %s', (tool, open) => {
  let listing: Listing | null = null;
  beforeAll(async () => {
    if (database) listing = await open();
  }, 60_000);

  const values = async (model: string, request: string) =>
    (await list(listing as Listing, model, request)).map((row) => Object.values(row));
  const byHand = async (text: string) =>
    (await pool.query<unknown[]>({ text, rowMode: 'array' })).rows;

  it('lists every model by every field', { timeout: 60_000 }, async (context) => {
    if (!listing) return context.skip();
    await checkEveryField(listing, async (model) => {
      const [[count] = []] = await byHand(`select count(*) from ${snake(model)}`);
      return Number(count);
    });
  });

  it('answers as SQL by hand', async (context) => {
    if (!listing) return context.skip();
    expect(
      await values(
        'products',
        'filter[unitPrice][gte]=18&sort=-unitPrice&fields=productId,unitPrice',
      ),
    ).toEqual(
      await byHand(
        'select product_id, unit_price from products where unit_price >= 18 order by unit_price desc',
      ),
    );
    expect(
      await values(
        'orders',
        'filter[orderDate][between]=1996-07-01,1996-07-04&fields=orderId,orderDate',
      ),
    ).toEqual(
      await byHand(
        `select order_id, order_date::text from orders where order_date between '1996-07-01' and '1996-07-04'`,
      ),
    );
    expect(await values('customers', 'search=ANTON&fields=customerId')).toEqual([]);
    expect(await values('customers', 'search=elizabeth&fields=customerId')).toEqual([['BOTTM']]);
    expect(await values('orders', 'sort=shippedDate&fields=orderId')).toEqual(
      await byHand('select order_id from orders order by shipped_date nulls first, order_id'),
    );
    expect(await values('orderDetails', 'filter[orderId]=10248&fields=productId,discount')).toEqual(
      await byHand(
        'select product_id, discount from order_details where order_id = 10248 order by product_id',
      ),
    );
    // A custom type of Drizzle is shown as the database writes it, since only its author knows the kind.
    const pictures = tool === 'introspect' ? [['AQI='], ['']] : [['\\x0102'], ['\\x']];
    expect(await values('categories', 'fields=picture')).toEqual(pictures);
    const { registry } = listing;
    expect(() =>
      defineQueryRules(registry, 'categories', {
        filters: [{ path: 'picture', operators: ['eq'] }],
        fields: 'all',
      }),
    ).toThrow('"picture"');
  });
});
