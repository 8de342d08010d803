/** Entities whose keys are easily taken for one another: texts with underscores, and integers beyond 53 bits. */

import {
  Column,
  DataSource,
  Entity,
  EventSubscriber,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  PrimaryColumn,
  type Relation,
} from 'typeorm';
import type {
  DataSourceOptions,
  EntitySubscriberInterface,
  LoadEvent,
  SelectQueryBuilder,
} from 'typeorm';
import { describe, expect, it } from 'vitest';
import { separateKeys } from '../../src/adapters/typeorm/entities/entity-keys.ts';
import { typeormRegistry, typeormSource } from '../../src/adapters/typeorm/index.ts';
import { type DatabaseFamily, defineQueryRules, runQuery } from '../../src/index.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';
import { families } from './open-library.ts';

/** With this name, the names of columns in TypeORM's statements are too long for a database, and are hashed. */
@Entity({ name: 'wards_of_the_hospitals_in_all_regions_and_towns_of_the_country' })
class Ward {
  @PrimaryColumn({ type: 'varchar', length: 20 })
  region!: string;

  @PrimaryColumn({ type: 'varchar', length: 20 })
  code!: string;

  @Column({ type: 'int' })
  size!: number;

  @OneToMany(() => Bed, (bed) => bed.ward)
  beds!: Relation<Bed>[];
}

@Entity({ name: 'beds' })
class Bed {
  @PrimaryColumn({ type: 'varchar', length: 20 })
  room!: string;

  @PrimaryColumn({ type: 'varchar', length: 20 })
  side!: string;

  @ManyToOne(() => Ward, (ward) => ward.beds, { nullable: true })
  ward!: Relation<Ward> | null;
}

@Entity({ name: 'batches' })
class Batch {
  @PrimaryColumn({ type: 'bigint' })
  id!: string;

  @OneToMany(() => Item, (item) => item.batch)
  items!: Relation<Item>[];
}

@Entity({ name: 'items' })
class Item {
  @PrimaryColumn({ type: 'bigint' })
  batchId!: string;

  @PrimaryColumn({ type: 'bigint' })
  line!: string;

  @ManyToOne(() => Batch, (batch) => batch.items)
  batch!: Relation<Batch>;
}

@Entity({ name: 'labels' })
class Label {
  @PrimaryColumn({ type: 'varchar', length: 20 })
  code!: string;

  @Column({ type: 'varchar', length: 20 })
  owner!: string;
}

@Entity({ name: 'parcels' })
class Parcel {
  @PrimaryColumn({ type: 'int' })
  id!: number;

  @ManyToMany(() => Label)
  @JoinTable({ name: 'parcel_labels' })
  labels!: Relation<Label>[];

  @OneToMany(() => Seal, (seal) => seal.parcel)
  seals!: Relation<Seal>[];
}

@Entity({ name: 'seals' })
class Seal {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ type: 'varchar', length: 40, nullable: true })
  id_order!: string | null;

  @Column({ type: 'int' })
  place!: number;

  @ManyToOne(() => Parcel, (parcel) => parcel.seals)
  parcel!: Relation<Parcel>;
}

const entities = [Ward, Bed, Batch, Item, Label, Parcel, Seal];

/** The keys of entities, as TypeORM tells a subscriber of them. */
const told: unknown[] = [];

@EventSubscriber()
class Told implements EntitySubscriberInterface {
  afterLoad(entity: object, event?: LoadEvent<object>): void {
    told.push(event?.metadata.getEntityIdMap(entity));
  }
}

const registry = typeormRegistry(entities);

const optionsFor: { readonly [family in DatabaseFamily]: (url: string) => object } = {
  postgresql: (url) => ({ type: 'postgres', url }),
  mysql: (url) => ({ type: 'mariadb', url, supportBigNumbers: true, bigNumberStrings: true }),
  sqlite: (url) => ({ type: 'better-sqlite3', database: url }),
};

async function withEntities(
  family: DatabaseFamily,
  skip: () => void,
  work: (dataSource: DataSource) => Promise<void>,
): Promise<void> {
  const database = await scratchDatabase(family, 'entity_keys');
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return skip();
  }
  const options = {
    ...optionsFor[family](database.url),
    entities,
    subscribers: [Told],
    synchronize: true,
  };
  const dataSource = await new DataSource(options as unknown as DataSourceOptions).initialize();
  try {
    await work(dataSource);
  } finally {
    await dataSource.destroy();
    await database.drop();
  }
}

describe.each(families)('entities on %s', (family) => {
  it('with keys of texts that are equal when joined stay apart', async (context) =>
    withEntities(family, context.skip, async (dataSource) => {
      const wards = [
        ['a_b', 'c'],
        ['a', 'b_c'],
        ['a_b_c', ''],
        ['', 'a_b_c'],
        ['d_e_f', 'g_h'],
        ['d_e', 'f_g_h'],
      ].map(([region = '', code = ''], size) => ({ region, code, size, beds: [] }));
      await dataSource.getRepository(Ward).save(wards);
      const beds = [
        ['1_2', '3'],
        ['1', '2_3'],
        ['x', 'y'],
      ].map(([room = '', side = '']) => ({ room, side, ward: wards[0] as Ward }));
      await dataSource.getRepository(Bed).save(beds);
      const rules = defineQueryRules(registry, 'ward', {
        sorts: ['size'],
        includes: ['beds', 'beds.ward'],
        fields: {
          root: { allowed: ['region', 'code', 'size'], default: ['size'] },
          relations: {
            beds: { allowed: ['room', 'side'], default: ['room', 'side'] },
            'beds.ward': { allowed: ['size'], default: ['size'] },
          },
        },
      });
      const source = typeormSource(dataSource.getRepository(Ward), { registry, hydrate: true });
      const read = async (request: string) =>
        JSON.parse(JSON.stringify(await runQuery(source, request, rules))) as unknown;
      expect(await read('sort=size')).toMatchObject({
        data: wards.map(({ size }) => ({ size })),
        total: 6,
      });
      expect(await read('sort=-size&fields=region,code')).toMatchObject({
        data: wards.toReversed().map(({ region, code }) => ({ region, code })),
      });
      told.length = 0;
      await read('sort=size&perPage=2');
      expect(told).toEqual([
        { region: 'a_b', code: 'c' },
        { region: 'a', code: 'b_c' },
      ]);
      const customize = (builder: SelectQueryBuilder<Ward>) => builder.callListeners(false);
      await runQuery(source, 'sort=size', rules, { customize });
      expect(told).toHaveLength(2);
      const shown = (room: string, side: string) => ({ room, side, ward: { size: 0 } });
      for (let round = 0; round < 2; round += 1) {
        expect(await read('sort=size&includes=beds,beds.ward')).toEqual({
          data: wards.map(({ size }, at) => ({
            size,
            beds: at === 0 ? [shown('1', '2_3'), shown('1_2', '3'), shown('x', 'y')] : [],
          })),
          page: 1,
          perPage: 10,
          total: 6,
          lastPage: 1,
        });
      }
    }));

  it('with an empty key are not absent ones', async (context) =>
    withEntities(family, context.skip, async (dataSource) => {
      const labels = ['', 'b', 'hidden'].map((code) => ({ code, owner: code && 'us' }));
      await dataSource.getRepository(Label).save(labels);
      await dataSource.getRepository(Parcel).save([
        { id: 1, labels },
        { id: 2, labels: labels.slice(2) },
      ]);
      const rules = defineQueryRules(
        registry,
        'parcel',
        {
          includes: ['labels'],
          fields: {
            root: { allowed: ['id'], default: ['id'] },
            relations: { labels: { allowed: ['code', 'owner'], default: ['owner'] } },
          },
        },
        {
          scopes: {
            parcel: 'unscoped',
            label: () => ({ type: 'condition', path: 'code', operator: 'ne', value: 'hidden' }),
          },
        },
      );
      const source = typeormSource(dataSource.getRepository(Parcel), { registry, hydrate: true });
      const result = await runQuery(source, 'includes=labels', rules, { scope: {} });
      expect(JSON.parse(JSON.stringify(result))).toMatchObject({
        data: [
          { id: 1, labels: [{ owner: '' }, { owner: 'us' }] },
          { id: 2, labels: [] },
        ],
      });
    }));

  it('with a companion of their key are in its order, those without its value first', async (context) =>
    withEntities(family, context.skip, async (dataSource) => {
      const parcel = await dataSource.getRepository(Parcel).save({ id: 1, labels: [] });
      const seals = ['c', null, 'a', 'b'].map((id_order, place) => ({
        id: `00000000-0000-4000-8000-00000000000${place}`,
        id_order,
        place,
        parcel,
      }));
      await dataSource.getRepository(Seal).save(seals);
      const places = { allowed: ['place'], default: ['place'] };
      const rules = defineQueryRules(registry, 'parcel', {
        includes: ['seals'],
        fields: {
          root: { allowed: ['id'], default: ['id'] },
          relations: { seals: places },
        },
      });
      for (const hydrate of [false, true]) {
        const source = typeormSource(dataSource.getRepository(Parcel), { registry, hydrate });
        const { data } = await runQuery(source, 'includes=seals', rules);
        expect(data[0]?.seals?.map(({ place }) => place)).toEqual([1, 2, 3, 0]);
      }
    }));

  // The driver of SQLite gives TypeORM numbers, which hold 53 bits.
  it.skipIf(family === 'sqlite')('with keys beyond 53 bits stay apart', async (context) =>
    withEntities(family, context.skip, async (dataSource) => {
      const ids = [
        '9007199254740992',
        '9007199254740993',
        '9223372036854775806',
        '9223372036854775807',
      ];
      for (const id of ids) {
        await dataSource.query(`insert into batches values (${id})`);
        for (const line of ids.slice(0, 2)) {
          const column = family === 'mysql' ? '`batchId`, line' : '"batchId", line';
          await dataSource.query(`insert into items (${column}) values (${id}, ${line})`);
        }
      }
      const rules = defineQueryRules(registry, 'batch', {
        sorts: ['id'],
        includes: ['items'],
        fields: {
          root: { allowed: ['id'], default: ['id'] },
          relations: { items: { allowed: ['batchId', 'line'], default: ['batchId', 'line'] } },
        },
      });
      const itemRules = defineQueryRules(registry, 'item', {
        sorts: ['batchId', 'line'],
        includes: ['batch', 'batch.items'],
        fields: {
          root: { allowed: ['batchId', 'line'], default: ['batchId', 'line'] },
          relations: {
            batch: { allowed: ['id'], default: ['id'] },
            'batch.items': { allowed: ['line'], default: ['line'] },
          },
        },
      });
      const batches = typeormSource(dataSource.getRepository(Batch), { registry, hydrate: true });
      const items = typeormSource(dataSource.getRepository(Item), { registry, hydrate: true });
      for (const [page, id] of ids.entries()) {
        const { data } = await runQuery(
          batches,
          `sort=id&includes=items&perPage=1&page=${page + 1}`,
          rules,
        );
        expect(data).toHaveLength(1);
        expect(data[0]?.items).toHaveLength(2);
        expect(data[0]).toMatchObject({ id });
      }
      for (const [page, line] of ids.slice(0, 2).entries()) {
        const { data } = await runQuery(
          items,
          `sort=batchId,line&includes=batch,batch.items&perPage=1&page=${page + 1}`,
          itemRules,
        );
        expect(data).toHaveLength(1);
        expect(data[0]).toMatchObject({ batchId: ids[0], line });
      }
    }),
  );
});

it('the key of an entity gets one more part, however often its statement runs', async (context) =>
  withEntities('sqlite', context.skip, async (dataSource) => {
    await dataSource.getRepository(Ward).save({ region: 'a_b', code: 'c', size: 1 });
    const { manager } = dataSource;
    const first = manager.createQueryBuilder(Ward, 'ward').callListeners(false);
    const written = first.getQueryAndParameters();
    for (let run = 0; run < 3; run += 1) {
      const builder = Object.assign(manager.createQueryBuilder(Ward, 'ward'), {
        expressionMap: first.expressionMap.clone(),
        getQueryAndParameters: () => written,
      });
      separateKeys(builder);
      expect(await builder.getMany()).toHaveLength(1);
      expect(first.expressionMap.mainAlias?.metadata.primaryColumns).toHaveLength(3);
    }
  }));
