/** The rows of a table for an entity: those of its subclasses, and how many of them share a key. */

import {
  ChildEntity,
  Column,
  DataSource,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  OneToMany,
  OneToOne,
  PrimaryColumn,
  TableInheritance,
  Tree,
  TreeChildren,
  TreeLevelColumn,
  TreeParent,
} from 'typeorm';
import type { Relation } from 'typeorm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { typeormRegistry, typeormSource } from '../../src/adapters/typeorm/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';

@Entity('media')
@TableInheritance({ column: { type: 'varchar', name: 'sort' } })
class Media {
  @PrimaryColumn('int') id!: number;
  @ManyToOne(() => Studio, { nullable: true }) studio!: Relation<Studio> | null;
}
@ChildEntity('sound')
class Sound extends Media {
  @OneToOne(() => Script, (script) => script.sound, { nullable: true })
  @JoinColumn()
  script!: Relation<Script> | null;
}
@ChildEntity('podcast')
class Podcast extends Sound {}
@ChildEntity('film')
class Film extends Media {}

@Entity('studios')
class Studio {
  @PrimaryColumn('int') id!: number;
  @OneToMany(() => Film, (film) => film.studio) films!: Relation<Film>[];
  @OneToMany(() => Sound, (sound) => sound.studio) sounds!: Relation<Sound>[];
  @OneToMany(() => Media, (media) => media.studio) media!: Relation<Media>[];
  @ManyToOne(() => Film, { nullable: true, createForeignKeyConstraints: false })
  first!: Relation<Film> | null;
  @ManyToOne(() => Sound, { nullable: true, createForeignKeyConstraints: false })
  heard!: Relation<Sound> | null;
}

@Entity('scripts')
class Script {
  @PrimaryColumn('int') id!: number;
  @OneToOne(() => Sound, (sound) => sound.script) sound!: Relation<Sound> | null;
}

/** Of this entity TypeORM has a second table, of all pairs above one another. */
@Entity('folders')
@Tree('closure-table')
class Folder {
  @PrimaryColumn('int') id!: number;
  @TreeLevelColumn() depth!: number;
  @TreeParent() parent!: Relation<Folder> | null;
  @TreeChildren() children!: Relation<Folder>[];
}

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

const entities = [Media, Sound, Podcast, Film, Studio, Script, Folder, Badge, Guest];
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
  await dataSource.query(
    'insert into studios (id, "firstId", "heardId") values (1, 3, 2), (2, 1, 1), (3, null, 3)',
  );
  await dataSource.query(
    'insert into folders (id, depth, "parentId") values (1, 0, null), (2, 1, 1)',
  );
  await dataSource.query('update media set "studioId" = 1');
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

it('entities of subclasses that TypeORM finds are shown', async () => {
  const rules = defineQueryRules(registry, 'studio', {
    includes: ['heard', 'media'],
    fields: { ...ids, relations: { heard: ids.root, media: ids.root } },
  });
  const shown = async (hydrate: boolean) => {
    const source = typeormSource(dataSource, Studio, { hydrate });
    return (await runQuery(source, 'includes=heard,media', rules)).data;
  };
  const data = await shown(true);
  expect(JSON.parse(JSON.stringify(data))).toEqual([
    { id: 1, heard: { id: 2 }, media: [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }] },
    { id: 2, heard: { id: 1 }, media: [] },
    { id: 3, heard: null, media: [] },
  ]);
  expect(data[0]?.heard).toBeInstanceOf(Sound);
  expect(JSON.parse(JSON.stringify(data))).toEqual(await shown(false));
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

it('relations lead to rows of their own type', async () => {
  const rules = defineQueryRules(registry, 'studio', {
    sorts: ['id', 'sounds.$count'],
    filters: [
      { path: 'first.id', operators: ['gte'] },
      { path: 'films.id', operators: ['in'] },
    ],
    aggregates: { films: { count: true }, sounds: { count: true } },
    includes: ['first', 'films', 'sounds'],
    fields: {
      root: { allowed: ['id', 'films.$count'], default: ['id', 'films.$count'] },
      relations: { first: ids.root, films: ids.root, sounds: ids.root },
    },
  });
  const source = typeormSource(dataSource, Studio);
  const list = async (request: string) => (await runQuery(source, request, rules)).data;
  const none = { 'films.$count': 0, first: null, films: [], sounds: [] };
  expect(await list('sort=-sounds.$count,id&includes=first,films,sounds')).toEqual([
    {
      id: 1,
      'films.$count': 1,
      first: { id: 3 },
      films: [{ id: 3 }],
      sounds: [{ id: 1 }, { id: 2 }],
    },
    { id: 2, ...none },
    { id: 3, ...none },
  ]);
  expect(await list('filter[first.id][gte]=0')).toEqual([{ id: 1, 'films.$count': 1 }]);
  expect(await list('filter[films.id][in]=1,2,4')).toEqual([]);
});

it.each([false, true])('includes have rows of their own type, entities: %s', async (hydrate) => {
  const rules = defineQueryRules(registry, 'studio', {
    includes: ['first', 'films'],
    fields: { ...ids, relations: { first: ids.root, films: ids.root } },
  });
  const source = typeormSource(dataSource, Studio, { hydrate });
  expect((await runQuery(source, 'includes=first,films', rules)).data).toEqual([
    { id: 1, first: { id: 3 }, films: [{ id: 3 }] },
    { id: 2, first: null, films: [] },
    { id: 3, first: null, films: [] },
  ]);
});

it.each([
  ['studio', Studio, 'sounds'],
  ['script', Script, 'sound'],
] as const)(
  'entities of subclasses that TypeORM leaves out are refused: of a %s',
  async (model, entity, path) => {
    const rules = defineQueryRules(registry, model, {
      includes: [path],
      fields: { ...ids, relations: { [path]: ids.root } },
    });
    const source = typeormSource(dataSource, entity, { hydrate: true });
    await expect(runQuery(source, `includes=${path}`, rules)).rejects.toThrow(
      `rules.includes "${path}": TypeORM loads no entities of the subclasses of sound, which rows have; drop the include, or hydrate.`,
    );
  },
);

it.each([false, true])('a tree has its parents and children, entities: %s', async (hydrate) => {
  const source = typeormSource(dataSource, Folder, { hydrate });
  expect([...source.registry.keys()]).toEqual([...registry.keys()]);
  const rules = defineQueryRules(registry, 'folder', {
    sorts: ['id'],
    fields: {
      root: { allowed: ['id', 'depth'], default: ['id', 'depth'] },
      relations: { parent: ids.root, children: ids.root },
    },
    includes: ['parent', 'children'],
  });
  const { data } = await runQuery(source, 'sort=id&includes=parent,children', rules);
  expect(JSON.parse(JSON.stringify(data))).toEqual([
    { id: 1, depth: 0, parent: null, children: [{ id: 2 }] },
    { id: 2, depth: 1, parent: { id: 1 }, children: [] },
  ]);
});
