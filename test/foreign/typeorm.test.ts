/** The methods that are replaced on TypeORM's select builder, in the oldest and the newest version that is known. */

import type { DataSource, EntityMetadata } from 'typeorm';
import { describe, expect, it } from 'vitest';
import { assertReplaceable } from '../../src/adapters/typeorm/foreign.ts';
import { typeormRegistry, typeormSource } from '../../src/adapters/typeorm/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';
import { installed } from './versions.ts';

describe.each(installed('typeorm-0.3.20', 'typeorm'))('typeorm $version', ({ module }) => {
  const library = module<typeof import('typeorm')>();

  /** Entities whose table has a name that objects inherit, and keys that are the same when they are joined. */
  async function opened() {
    const parts = new library.EntitySchema<{ owner: object }>({
      name: 'part',
      tableName: 'toString',
      columns: {
        first: { type: 'text', primary: true },
        second: { type: 'text', primary: true },
      } as never,
      relations: { owner: { type: 'many-to-one', target: 'owner', nullable: true } },
    });
    const owners = new library.EntitySchema({
      name: 'owner',
      columns: { id: { type: 'integer', primary: true } } as never,
    });
    /** The keys of the entities that are told of. */
    const told: string[] = [];
    class Told {
      afterLoad(entity: object, event?: { readonly metadata: EntityMetadata }) {
        told.push(JSON.stringify(event?.metadata.getEntityIdMap(entity)));
      }
    }
    const dataSource = new library.DataSource({
      type: 'better-sqlite3',
      database: ':memory:',
      entities: [parts, owners],
      synchronize: true,
    }) as DataSource;
    await dataSource.initialize();
    dataSource.subscribers.push(new Told());
    const owner = await dataSource.getRepository('owner').save({ id: 1 });
    await dataSource.getRepository('part').save([
      { first: 'a_b', second: 'c', owner },
      { first: 'a', second: 'b_c', owner },
    ]);
    return { dataSource, parts, owners, told };
  }

  it('keeps entities apart, joins their relations, and tells of them', async () => {
    const { dataSource, parts, owners, told } = await opened();
    expect(() => assertReplaceable(dataSource.createQueryBuilder())).not.toThrow();
    const registry = typeormRegistry([parts as never, owners as never]);
    const rules = defineQueryRules(
      registry,
      'part',
      { fields: 'all', includes: ['owner'] },
      { families: ['sqlite'] },
    );
    const source = typeormSource(dataSource, parts, { hydrate: true });
    const { data } = await runQuery(source, 'includes=owner', rules);
    expect(data).toEqual([
      { first: 'a', second: 'b_c', owner: { id: 1 } },
      { first: 'a_b', second: 'c', owner: { id: 1 } },
    ]);
    expect(told.toSorted()).toEqual([
      '{"first":"a","second":"b_c"}',
      '{"first":"a_b","second":"c"}',
      '{"id":1}',
      '{"id":1}',
    ]);
    await dataSource.destroy();
  });
});

it.each([{}, { loadRawResults: () => [] }, { createJoinExpression: () => '' }])(
  'is refused for entities without the methods: %o',
  (builder) => {
    expect(() => assertReplaceable(builder)).toThrow(
      expect.objectContaining({
        code: 'SOURCE_CONFIGURATION_INVALID',
        message: expect.stringContaining('use typeorm 0.3.20 to 1.1') as string,
        details: { option: 'hydrate' },
      }),
    );
  },
);
