/**
 * Northwind as the tools of each ORM see it: pulled by `drizzle-kit` and `prisma`, read from the catalogue, and as TypeORM
 * entities. It has small keys, composite keys, dates, single precision, bytes, a self-reference and a view. Nothing is
 * changed, and no override is needed.
 */

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defineQueryRules } from '../../src/index.ts';
import { type ScratchDatabase, everyServiceRequired, scratchDatabase } from '../services/index.ts';
import { firstAnswer } from './first-answer.ts';
import { checkEveryField, list } from './listing.ts';
import { entities } from './northwind-entities.ts';
import { northwind } from './northwind.ts';
import {
  type Opened,
  type Opening,
  byCatalogue,
  byDrizzleKit,
  byPrisma,
  byTypeorm,
  inColumnNames,
  snake,
} from './openings.ts';

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
});
afterAll(async () => {
  await pool?.end();
  await database?.drop();
});

const tools: { readonly [name: string]: Opening } = {
  'drizzle-kit pull': byDrizzleKit('northwind'),
  introspect: byCatalogue,
  'TypeORM entities': byTypeorm(entities),
  'prisma db pull': byPrisma('northwind'),
};

describe.each(Object.entries(tools))('Northwind by %s', (tool, open) => {
  let listing: Opened | null = null;
  beforeAll(async () => {
    if (database) listing = await open(database);
  });
  afterAll(() => listing?.close());

  /** A text in the names of the tool: Prisma keeps those of the columns. */
  const named = (text: string): string => (tool === 'prisma db pull' ? inColumnNames(text) : text);
  const values = async (model: string, request: string) =>
    (await list(listing as Opened, named(model), named(request))).map((row) => Object.values(row));
  const byHand = async (text: string) =>
    (await pool.query<unknown[]>({ text, rowMode: 'array' })).rows;

  it('lists every model by every field', async (context) => {
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
      await byHand('select order_id from orders order by shipped_date, order_id'),
    );
    expect(await values('orderDetails', 'filter[orderId]=10248&fields=productId,discount')).toEqual(
      await byHand(
        'select product_id, discount from order_details where order_id = 10248 order by product_id',
      ),
    );
    expect(await values('categories', 'fields=picture')).toEqual([['AQI='], ['']]);
    const { registry } = listing;
    expect(() =>
      defineQueryRules(registry, 'categories', {
        filters: [{ path: 'picture', operators: ['eq'] }],
        fields: 'all',
      }),
    ).toThrow('"picture"');
  });

  it.runIf(tool === 'introspect')('answers the program of the page', async (context) => {
    if (!listing || !database) return context.skip();
    const rows = await firstAnswer('northwind', database.url);
    expect(
      rows.map(({ productId, supplier }) => [productId, (supplier as { city: string }).city]),
    ).toEqual(
      await byHand(
        `select product_id, city from products join suppliers using (supplier_id) where product_name ilike '%cha%' order by unit_price desc`,
      ),
    );
  });

  it('crosses relations', async (context) => {
    if (!listing) return context.skip();
    const supplier = tool === 'prisma db pull' ? 'suppliers' : 'supplier';
    expect(
      await values('products', `filter[${supplier}.companyName][ilike]=EXOTIC&fields=productId`),
    ).toEqual(
      await byHand(
        `select p.product_id from products p join suppliers s using (supplier_id) where s.company_name ilike '%exotic%' order by 1`,
      ),
    );
    expect(await values('products', `filter[${supplier}][isNull]=true&fields=productId`)).toEqual([
      [5],
    ]);
    expect(await values('orders', 'filter[orderDetails.quantity][gte]=12&fields=orderId')).toEqual([
      [10248],
    ]);
  });
});
