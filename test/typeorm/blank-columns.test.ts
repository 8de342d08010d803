/** Join tables whose columns have a name that TypeORM does not quote: plain rows have them, entities are refused. */

import { DataSource, EntitySchema } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { typeormRegistry, typeormSource } from '../../src/adapters/typeorm/index.ts';
import { type QuerySource, assertSource, defineQueryRules, runQuery } from '../../src/index.ts';

interface Tag {
  no: number;
  items: Item[];
}

interface Item {
  no: number;
  tags: Tag[];
}

describe.each(['tag no', 'tag,no', 'tag_no'])('a join table with the column %s', (name) => {
  const isQuoted = name === 'tag_no';
  const tag = new EntitySchema<Tag>({
    name: 'tag',
    columns: { no: { type: 'int', primary: true } },
    relations: { items: { type: 'many-to-many', target: 'item', inverseSide: 'tags' } },
  });
  const item = new EntitySchema<Item>({
    name: 'item',
    columns: { no: { type: 'int', primary: true } },
    relations: {
      tags: {
        type: 'many-to-many',
        target: 'tag',
        inverseSide: 'items',
        joinTable: {
          name: 'item_tags',
          joinColumn: { name: 'item_no', referencedColumnName: 'no' },
          inverseJoinColumn: { name, referencedColumnName: 'no' },
        },
      },
    },
  });
  const entities = { tag, item };
  const registry = typeormRegistry(entities, { families: ['sqlite'] });
  let dataSource: DataSource;

  beforeAll(async () => {
    dataSource = await new DataSource({
      type: 'better-sqlite3',
      database: ':memory:',
      entities: [tag, item],
      synchronize: true,
    }).initialize();
    await dataSource.query('insert into tag values (1)');
    await dataSource.query('insert into item values (7)');
    await dataSource.query('insert into item_tags values (7, 1)');
  });
  afterAll(() => dataSource.destroy());

  it.each([
    ['item', 'tags', { no: 7, tags: [{ no: 1 }] }],
    ['tag', 'items', { no: 1, items: [{ no: 7 }] }],
  ] as const)('is read from %s', async (model, include, row) => {
    const declared = { fields: 'all', includes: [include] };
    const rules = defineQueryRules(registry, model, declared as never, { families: ['sqlite'] });
    const without = defineQueryRules(registry, model, { fields: 'all' }, { families: ['sqlite'] });
    const sourceOf = (hydrate: boolean) =>
      typeormSource(dataSource.getRepository(entities[model] as never), {
        registry,
        hydrate,
      }) as never as QuerySource;
    const list = async (hydrate: boolean) => {
      const { data } = await runQuery(sourceOf(hydrate), `includes=${include}`, rules as never);
      return JSON.parse(JSON.stringify(data)) as unknown;
    };
    expect(await list(false)).toEqual([row]);
    assertSource(sourceOf(true), without as never);
    if (isQuoted) {
      expect(await list(true)).toEqual([row]);
      return;
    }
    const refusal = {
      code: 'SOURCE_CONFIGURATION_INVALID',
      message: `rules.includes "${include}": TypeORM cannot load entities through the column "${name}" of a join table, whose name it does not quote; rename the column, or drop hydrate.`,
    };
    expect(() => assertSource(sourceOf(true), rules as never)).toThrow(
      expect.objectContaining(refusal),
    );
    const error: unknown = await list(true).catch((reason: unknown) => reason);
    expect(error).toMatchObject(refusal);
  });
});
