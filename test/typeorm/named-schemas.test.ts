/** Entities in schemas that are not the connection's own, which has tables with their names: rows, entities and hooks. */

import {
  Column,
  DataSource,
  type DataSourceOptions,
  Entity,
  JoinTable,
  ManyToMany,
  ManyToOne,
  PrimaryColumn,
  ViewEntity,
  type Relation,
  ViewColumn,
} from 'typeorm';
import { expect, it } from 'vitest';
import { typeormRegistry, typeormSource } from '../../src/adapters/typeorm/index.ts';
import { type QuerySource, defineQueryRules, runQuery } from '../../src/index.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';

/** Entities of which the users are in one schema, and the rest in another. */
function entitiesIn(users: object, rest: object) {
  @Entity({ name: 'users', ...users })
  class User {
    @PrimaryColumn('int') id!: number;
    @Column('int') size!: number;
  }
  @Entity({ name: 'tags', ...rest })
  class Tag {
    @PrimaryColumn('int') id!: number;
  }
  @Entity({ name: 'posts', ...rest })
  class Post {
    @PrimaryColumn('int') id!: number;
    @ManyToOne(() => User) user!: Relation<User>;
    @ManyToMany(() => Tag)
    @JoinTable({ name: 'post_tags', ...rest })
    tags!: Relation<Tag>[];
  }
  @ViewEntity({ name: 'seen', expression: 'select 1 as one', ...rest })
  class Seen {
    @ViewColumn() one!: number;
  }
  return { User, Tag, Post, Seen };
}

it.each(['postgresql', 'mysql'] as const)('are those of their schema on %s', async (family) => {
  const database = await scratchDatabase(family, 'named_schemas');
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return;
  }
  const options = (
    family === 'postgresql'
      ? { type: 'postgres', url: database.url }
      : { type: 'mariadb', url: database.url }
  ) as DataSourceOptions;
  const own = family === 'mysql' ? new URL(database.url).pathname.slice(1) : 'x';
  const [first, second] = [`${own}_one`, `${own}_two`];
  const at = (name: string) => (family === 'mysql' ? { database: name } : { schema: name });
  const { User, Tag, Post, Seen } = entitiesIn(at(first), at(second));
  const entities = [User, Tag, Post, Seen];
  const dataSource = await new DataSource({ ...options, entities }).initialize();
  try {
    for (const schema of [first, second]) await dataSource.query(`create schema ${schema}`);
    for (const [size, users, rest] of [
      [5, `${first}.`, `${second}.`],
      [9, '', ''],
    ] as const) {
      for (const text of [
        `create table ${users}users (id int primary key, size int not null)`,
        `create table ${rest}tags (id int primary key)`,
        family === 'mysql'
          ? `create table ${rest}posts (id int primary key, \`userId\` int)`
          : `create table ${rest}posts (id int primary key, "userId" int)`,
        family === 'mysql'
          ? `create table ${rest}post_tags (\`postsId\` int, \`tagsId\` int)`
          : `create table ${rest}post_tags ("postsId" int, "tagsId" int)`,
        `insert into ${users}users values (1, ${size})`,
        `insert into ${rest}tags values (${size})`,
        `insert into ${rest}posts values (${size}, 1)`,
        `insert into ${rest}post_tags values (${size}, ${size})`,
      ]) {
        await dataSource.query(text);
      }
    }
    const registry = typeormRegistry([User, Tag, Post]);
    const rules = defineQueryRules(registry, 'post', {
      fields: {
        root: { allowed: ['id'], default: ['id'] },
        relations: {
          user: { allowed: ['size'], default: ['size'] },
          tags: { allowed: ['id'], default: ['id'] },
        },
      },
      filters: [{ path: 'tags.id', operators: ['eq'] }],
      includes: ['user', 'tags'],
    });
    const expected = { data: [{ id: 5, user: { size: 5 }, tags: [{ id: 5 }] }], total: 1 };
    for (const hydrate of [false, true]) {
      const source = typeormSource(dataSource, Post, { hydrate });
      for (const customize of [undefined, (builder: never): never => builder]) {
        const page = await runQuery(
          source as unknown as QuerySource,
          'filter[tags.id]=5&includes=user,tags',
          rules as never,
          { customize } as never,
        );
        expect(page).toMatchObject(expected);
      }
      // A view has no key, so that it is not a model.
      expect([...source.registry.keys()]).toEqual(['user', 'tag', 'post']);
    }
  } finally {
    if (family === 'mysql') {
      for (const schema of [first, second])
        await dataSource.query(`drop database if exists ${schema}`);
    }
    await dataSource.destroy();
    await database.drop();
  }
});
