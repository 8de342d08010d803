/** The rows of a table for an entity: those of its subclasses, and how many of them share a key. */

import {
  ChildEntity,
  Column,
  DataSource,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  TableInheritance,
} from 'typeorm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { typeormRegistry, typeormSource } from '../../src/adapters/typeorm/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';

@Entity('media')
@TableInheritance({ column: { type: 'varchar', name: 'sort' } })
class Media {
  @PrimaryColumn('int') id!: number;
}
@ChildEntity('sound')
class Sound extends Media {}
@ChildEntity('podcast')
class Podcast extends Sound {}
@ChildEntity('film')
class Film extends Media {}

/** Codes are unique among the badges in use. */
@Entity('badges')
@Index(['code'], { unique: true, where: 'used = 1' })
class Badge {
  @PrimaryColumn('int') id!: number;
  @Column('int') code!: number;
  @Column('int') used!: number;
}
@Entity('guests')
class Guest {
  @PrimaryColumn('int') id!: number;
  @ManyToOne(() => Badge, { createForeignKeyConstraints: false })
  @JoinColumn({ name: 'badge_code', referencedColumnName: 'code' })
  badge!: Badge | null;
}

const entities = [Media, Sound, Podcast, Film, Badge, Guest];
const registry = typeormRegistry(entities);
const dataSource = new DataSource({
  type: 'better-sqlite3',
  database: ':memory:',
  entities,
  synchronize: true,
});
const ids = { root: { allowed: ['id'], default: ['id'] } };

beforeAll(async () => {
  await dataSource.initialize();
  await dataSource.query(
    `insert into media (id, sort) values (1, 'sound'), (2, 'podcast'), (3, 'film'), (4, 'other')`,
  );
  await dataSource.query('insert into badges values (10, 7, 0), (11, 7, 1), (12, 8, 1)');
  await dataSource.query('insert into guests values (1, 7), (2, 8), (3, null)');
});
afterAll(() => dataSource.destroy());

it.each([
  ['sound', Sound, [1, 2]],
  ['podcast', Podcast, [2]],
  ['film', Film, [3]],
  ['media', Media, [1, 2, 3, 4]],
] as const)('the list of %s has the rows of its own children', async (model, entity, due) => {
  const rules = defineQueryRules(registry, model, { fields: ids });
  const page = await runQuery(typeormSource(dataSource, entity), '', rules);
  expect(page).toMatchObject({ data: due.map((id) => ({ id })), total: due.length });
});

it('a column that is unique under a condition finds several rows, of which the first is shown', async () => {
  const rules = defineQueryRules(registry, 'guest', {
    fields: { ...ids, relations: { badge: { allowed: ['id'], default: ['id'] } } },
    includes: ['badge'],
  });
  const page = await runQuery(typeormSource(dataSource, Guest), 'includes=badge', rules);
  expect(page).toMatchObject({
    data: [
      { id: 1, badge: { id: 10 } },
      { id: 2, badge: { id: 12 } },
      { id: 3, badge: null },
    ],
    total: 3,
  });
});
