/** The benchmark's entities for TypeORM, and a data source over them. */

import { DataSource, EntitySchema } from 'typeorm';
import type { EntitySchemaColumnOptions } from 'typeorm';
import { databaseName, postgresUrl, sqliteFile } from './services.ts';

export interface Company {
  id: number;
  name: string;
  country: string;
}

export interface User {
  id: number;
  name: string;
  email: string;
  age: number;
  active: boolean;
  createdAt: Date;
  companyId: number;
  nameFolded: string;
  emailFolded: string;
  company: Company;
  posts: Post[];
}

export interface Post {
  id: number;
  userId: number;
  title: string;
  user: User;
}

/** The families that the benchmark runs TypeORM on. */
export type TypeormFamily = 'pg' | 'sqlite';

export interface Entities {
  readonly user: EntitySchema<User>;
  readonly company: EntitySchema<Company>;
  readonly post: EntitySchema<Post>;
}

/** The columns of users that Sluice adds. */
const companionColumns = {
  nameFolded: { name: 'name_folded', type: 'text' },
  emailFolded: { name: 'email_folded', type: 'text' },
} as const;

/** The entities of one family; only the type of instants differs. Without companions they are those of any project. */
export function typeormEntities(family: TypeormFamily, companions = true): Entities {
  const instant: EntitySchemaColumnOptions =
    family === 'pg' ? { type: 'timestamptz', precision: 3 } : { type: 'datetime' };
  return {
    company: new EntitySchema<Company>({
      name: 'Company',
      tableName: 'companies',
      columns: {
        id: { type: 'integer', primary: true },
        name: { type: 'text' },
        country: { type: 'text' },
      },
    }),
    user: new EntitySchema<User>({
      name: 'User',
      tableName: 'users',
      columns: {
        id: { type: 'integer', primary: true },
        name: { type: 'text' },
        email: { type: 'text' },
        age: { type: 'integer' },
        active: { type: 'boolean' },
        createdAt: { name: 'created_at', ...instant },
        companyId: { name: 'company_id', type: 'integer' },
        ...(companions && companionColumns),
      },
      relations: {
        company: {
          type: 'many-to-one',
          target: 'Company',
          nullable: false,
          joinColumn: { name: 'company_id' },
        },
        posts: { type: 'one-to-many', target: 'Post', inverseSide: 'user' },
      },
    }),
    post: new EntitySchema<Post>({
      name: 'Post',
      tableName: 'posts',
      columns: {
        id: { type: 'integer', primary: true },
        userId: { name: 'user_id', type: 'integer' },
        title: { type: 'text' },
      },
      relations: {
        user: {
          type: 'many-to-one',
          target: 'User',
          inverseSide: 'posts',
          nullable: false,
          joinColumn: { name: 'user_id' },
        },
      },
    }),
  };
}

/** A data source with its own connections. */
export async function typeormDataSource(
  family: TypeormFamily,
  entities: Entities,
): Promise<DataSource> {
  const list = Object.values(entities);
  return new DataSource(
    family === 'pg'
      ? {
          type: 'postgres',
          url: postgresUrl(databaseName),
          poolSize: 4,
          extra: { idleTimeoutMillis: 0 },
          entities: list,
        }
      : { type: 'better-sqlite3', database: sqliteFile('typeorm'), entities: list },
  ).initialize();
}
