/** The ten models as Prisma lists them, against SQL by hand. */

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prismaSource } from '../../src/adapters/prisma/index.ts';
import { clientOn } from '../matrix/fixtures/prisma/clients.ts';
import { generatePrisma } from '../matrix/fixtures/prisma/generate.ts';
import { type ScratchDatabase, everyServiceRequired, scratchDatabase } from '../services/index.ts';
import { firstAnswer } from './first-answer.ts';
import { type Listing, checkEveryField, list } from './listing.ts';
import { models, tables } from './ten-models.ts';

describe('ten models of Prisma', () => {
  let database: ScratchDatabase | null = null;
  let pool: pg.Pool;
  let listing: Listing | null = null;
  let folder = '';
  let close = async (): Promise<void> => undefined;
  beforeAll(async () => {
    const made = await scratchDatabase('postgresql', 'ten_models');
    if ('missing' in made) {
      if (everyServiceRequired()) throw new Error(made.advice);
      return;
    }
    database = made;
    pool = new pg.Pool({ connectionString: made.url, max: 1 });
    await pool.query(tables);
    const generated = await generatePrisma({ family: 'postgresql', models });
    const client = await clientOn(generated, made, 7);
    close = () => client.$disconnect();
    const { registry } = generated;
    folder = generated.folder;
    const source = (model: string) => prismaSource({ client, registry, model } as never) as never;
    listing = { registry, source };
  });
  afterAll(async () => {
    await close();
    await pool?.end();
    await database?.drop();
  });

  const byHand = async (text: string) =>
    (await pool.query<unknown[]>({ text, rowMode: 'array' })).rows;
  const values = async (model: string, request: string) =>
    (await list(listing as Listing, model, request)).map((row) => Object.values(row));

  it('lists every model by every field', async (context) => {
    if (!listing) return context.skip();
    expect(listing.registry.size).toBe(10);
    await checkEveryField(listing, async (model) => {
      const table = model === 'order' ? 'orders' : `"${model[0]?.toUpperCase()}${model.slice(1)}"`;
      const [[count] = []] = await byHand(`select count(*) from ${table}`);
      return Number(count);
    });
  });

  it('answers the program of the page', async (context) => {
    if (!listing || !database) return context.skip();
    const rows = await firstAnswer('shop', database.url, { generated: folder });
    expect(rows.map(({ id, state, total }) => [id, state, total])).toEqual([
      [1, 'PAID', '109.4'],
      [3, 'CANCELLED', '0'],
    ]);
    expect(rows.map(({ id }) => [id])).toEqual(
      await byHand(
        `select o.id from orders o join "User" u on u.id = o.user_id where email ilike '%ada%' order by total desc`,
      ),
    );
  });

  it('answers as SQL by hand', async (context) => {
    if (!listing) return context.skip();
    expect(await values('user', 'search=BOB&fields=email,tags,settings')).toEqual([
      ['Bob@example.org', [], null],
    ]);
    expect(await values('user', 'sort=-role&fields=email')).toEqual(
      await byHand('select email from "User" order by role desc, id desc'),
    );
    expect(await values('product', 'filter[weight][lt]=1&fields=sku,weight,sizes')).toEqual([
      ['H-2', 0.1, null],
    ]);
    expect(await values('product', 'sort=price&fields=id,price')).toEqual(
      await byHand(`select id::text, trim_scale(price)::text from "Product" order by price`),
    );
    expect(await values('order', 'filter[state]=PAID&fields=id')).toEqual(
      await byHand(`select id from orders where state = 'paid'`),
    );
    expect(await values('user', 'filter[teams.name][ilike]=BLUE&fields=email')).toEqual([
      ['ada@example.org'],
    ]);
    const [boot] = await list(
      listing,
      'product',
      'filter[sku]=S-1&includes=categories,lines&fields=id,categories.name,lines.orderId',
    );
    expect(boot).toEqual({
      id: '9007199254740993',
      categories: [{ name: 'Shoes' }],
      lines: [{ orderId: 1 }],
    });
    expect(await values('profile', 'fields=avatar')).toEqual([['AP8='], [null]]);
    expect(await values('category', 'filter[children][isNull]=false&fields=name')).toEqual([
      ['All'],
    ]);
  });
});
