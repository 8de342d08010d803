/** Sources without an explicit registry, which derive it from the DataSource. */

import { Column, DataSource, Entity, EntitySchema, PrimaryColumn } from 'typeorm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { typeormRegistry, typeormSource } from '../../src/adapters/typeorm/index.ts';
import { QueryError, defineQueryRules, defineSchemaRegistry, runQuery } from '../../src/index.ts';

class Size {
  @Column() width!: number;
}

@Entity('parcels')
class Parcel {
  @PrimaryColumn() id!: number;
  @Column(() => Size) size!: Size;
}

/** An entity that no rules use. */
@Entity('gauges')
class Gauge {
  @PrimaryColumn('double') id!: number;
  @Column('double') value!: number;
}

const integer = (path: string, more: object = {}) =>
  ({ path, kind: 'integer', nullable: false, primaryKey: false, ...more }) as const;

/** A hand-written registry with its own name for the model of the embedded entity. */
const handWritten = (size: object) =>
  defineSchemaRegistry([
    {
      model: 'parcel',
      primaryKey: ['id'],
      fields: [integer('id', { primaryKey: true })],
      relations: [{ path: 'size', target: 'parcelSize', cardinality: 'one', nullable: false }],
    },
    {
      model: 'parcelSize',
      primaryKey: ['id'],
      fields: [integer('width', size), integer('id', { primaryKey: true, internal: true })],
      relations: [],
    },
  ]);

const declaration = {
  filters: [{ path: 'size.width', operators: ['gt'] }],
  fields: { root: { allowed: ['id'], default: ['id'] } },
} as const;

let dataSource: DataSource;
beforeAll(async () => {
  dataSource = await new DataSource({
    type: 'better-sqlite3',
    database: ':memory:',
    synchronize: true,
    entities: [Parcel, Gauge],
  }).initialize();
  await dataSource.manager.save(Parcel, [
    { id: 1, size: { width: 3 } },
    { id: 2, size: { width: 8 } },
  ]);
});
afterAll(() => dataSource.destroy());

it('entities with unsupported columns do not affect other entities', async () => {
  const rules = defineQueryRules(typeormRegistry([Parcel]), 'parcel', declaration);
  const source = typeormSource(dataSource, Parcel);
  expect((await runQuery(source, 'filter[size.width][gt]=5', rules)).data).toEqual([{ id: 2 }]);
  expect([...source.registry.keys()]).toEqual(['parcel', 'parcel_size', 'gauge']);
});

it('sources of one DataSource share its registry', () => {
  const [one, other] = [typeormSource(dataSource, Parcel), typeormSource(dataSource, Parcel)];
  expect(one.registry).toBe(other.registry);
  expect(one.origin).toBe(other.origin);
});

it('a hand-written registry is compared with the entities', async () => {
  const registry = handWritten({});
  const rules = defineQueryRules(registry, 'parcel', declaration);
  const source = typeormSource(dataSource, Parcel, { registry });
  expect((await runQuery(source, 'filter[size.width][gt]=5', rules)).data).toEqual([{ id: 2 }]);
  const wrong = handWritten({ kind: 'string', nullable: true });
  const error: unknown = await runQuery(
    typeormSource(dataSource, Parcel, { registry: wrong }),
    '',
    defineQueryRules(wrong, 'parcel', {
      ...declaration,
      filters: [{ path: 'size.width', operators: ['isNull'] }],
    }),
  ).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(QueryError);
  expect(error).toMatchObject({ code: 'SOURCE_CONFIGURATION_INVALID' });
  expect((error as QueryError).message).toMatch(
    /parcelSize\.width.*kind[^]*parcelSize\.width.*null/,
  );
});

it('a DataSource that is initialized again has the rows of its second database', async () => {
  const [first, second] = ['First', 'Second'].map(
    (name) =>
      new EntitySchema<{ id: number }>({
        name,
        columns: { id: { type: 'int', primary: true } },
      }),
  );
  const listed = { first, second };
  const again = new DataSource({
    type: 'better-sqlite3',
    database: ':memory:',
    synchronize: true,
    entities: listed as never,
  });
  const source = typeormSource(again, second as EntitySchema<{ id: number }>);
  for (const id of [7, 8]) {
    await again.initialize();
    expect([...source.registry.keys()]).toEqual(['first', 'second']);
    await again.query(`insert into second values (${id})`);
    const rules = defineQueryRules(source.registry, 'second', { fields: 'all' });
    expect((await runQuery(source, '', rules)).data).toEqual([{ id }]);
    expect((await runQuery(source, '', rules)).data).toEqual([{ id }]);
    await again.destroy();
  }
});
