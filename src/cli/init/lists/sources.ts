/** Where the rows of a list come from: a row for each ORM, builder and driver. */

import type { DatabaseFamily } from '../../../rules/index.ts';
import type { Import } from '../code.ts';
import type { Maker } from '../connections.ts';
import type { Part } from '../detect.ts';
import { literal } from '../names.ts';
import type { Project } from '../project.ts';
import { catalogueTables } from '../tables/catalogue.ts';
import { drizzleTables } from '../tables/drizzle.ts';
import { prismaTables } from '../tables/prisma.ts';
import type { FoundTable } from '../tables/table.ts';
import { typeormTables } from '../tables/typeorm.ts';

export type SourceName =
  | 'drizzle'
  | 'typeorm'
  | 'prisma'
  | 'knex'
  | 'kysely'
  | 'pg'
  | 'mysql2'
  | 'better-sqlite3'
  | 'node:sqlite';

/** A part of a module: what it imports, and its text. */
export interface Snippet {
  readonly imports: readonly Import[];
  readonly text: string;
}

/** The values of the templates of a list. */
export interface ListFacts {
  readonly table: FoundTable;
  readonly family: DatabaseFamily | undefined;
  /** Prefix of its exports. */
  readonly camel: string;
  /** Imports the table, entity or registry. */
  readonly declared: readonly Import[];
  /** Name of the table, entity or registry in the modules. */
  readonly local: string;
  /** The connection in the module of the list, such as `db` or `this.dataSource`. */
  readonly connection: string;
}

/** A way to read rows. */
export interface SourceRow extends Part<SourceName> {
  /** Whether the rows come from tables of `--database` instead of declarations. */
  readonly isCatalogue: boolean;
  readonly maker: Maker;
  /** Name of the connection in new modules. */
  readonly local: string;
  /** The class that NestJS injects, where its packages provide one. */
  readonly injected?: { readonly package: string; readonly name: string; readonly from: string };
  tables(project: Project, database: string | undefined): Promise<readonly FoundTable[]>;
  /** The registry of the rules. */
  registry(facts: ListFacts): Snippet;
  /** Exports of the module of the rules that the source needs. */
  exports(facts: ListFacts): readonly string[];
  source(facts: ListFacts): Snippet;
  /** Makes a connection, where the project has none. */
  opened?(url: string): Snippet;
}

const orms = ['drizzle', 'typeorm', 'prisma'];
const builders = [...orms, 'knex', 'kysely'];

const registryName = (camel: string): string => `${camel}Registry`;
const tablesName = (camel: string): string => `${camel}Tables`;
const families = (family: DatabaseFamily | undefined): string =>
  family ? `, { families: ['${family}'] }` : '';

/** A connection that `sluice/sql` reads, with the tables that the database has told. */
const plain = (
  name: SourceName,
  packages: readonly string[],
  hiddenBy: readonly string[],
  maker: Maker,
  local: string,
  more: Pick<SourceRow, 'opened'> & { readonly wrap?: string } = {},
): SourceRow => ({
  name,
  packages,
  hiddenBy,
  isCatalogue: true,
  maker,
  local,
  ...(more.opened && { opened: more.opened }),
  tables: async (project, database) =>
    database === undefined ? [] : catalogueTables(project, database),
  registry: ({ table, camel, family }) => ({
    imports: [{ from: 'sluice/sql', names: ['sqlRegistry', 'sqlTables'] }],
    text: `export const ${tablesName(camel)} = sqlTables(${literal({ [table.model]: table.literal })});
export const ${registryName(camel)} = sqlRegistry(${tablesName(camel)}${families(family)});`,
  }),
  exports: ({ camel }) => [registryName(camel), tablesName(camel)],
  source: ({ table, camel, connection }) => ({
    imports: [
      { from: 'sluice/sql', names: ['sqlSource', ...(more.wrap === undefined ? [] : [more.wrap])] },
    ],
    text: `sqlSource({
  connection: ${more.wrap === undefined ? connection : `${more.wrap}(${connection})`},
  registry: ${registryName(camel)},
  tables: ${tablesName(camel)},
  model: '${table.model}',
})`,
  }),
});

export const sourceRows: readonly SourceRow[] = [
  {
    name: 'drizzle',
    packages: ['drizzle-orm'],
    isCatalogue: false,
    maker: { from: /^drizzle-orm\//, names: ['drizzle'] },
    local: 'db',
    tables: async (project) => drizzleTables(project),
    registry: ({ local, camel, table }) => ({
      imports: [{ from: 'sluice/drizzle', names: ['drizzleRegistry'] }],
      text: `export const ${tablesName(camel)} = { ${local === table.model ? local : `${table.model}: ${local}`} };
export const ${registryName(camel)} = drizzleRegistry(${tablesName(camel)});`,
    }),
    exports: ({ camel }) => [registryName(camel), tablesName(camel)],
    source: ({ table, camel, connection }) => ({
      imports: [{ from: 'sluice/drizzle', names: ['drizzleSource'] }],
      text: `drizzleSource({
  ${connection === 'db' ? 'db' : `db: ${connection}`},
  registry: ${registryName(camel)},
  tables: ${tablesName(camel)},
  model: '${table.model}',
})`,
    }),
  },
  {
    name: 'typeorm',
    packages: ['typeorm'],
    isCatalogue: false,
    maker: { from: /^typeorm$/, names: ['DataSource'] },
    local: 'dataSource',
    injected: { package: '@nestjs/typeorm', name: 'DataSource', from: 'typeorm' },
    tables: async (project) => typeormTables(project),
    registry: ({ local, camel, table, family }) => ({
      imports: [{ from: 'sluice/typeorm', names: ['typeormRegistry'] }],
      text: `const ${registryName(camel)} = typeormRegistry(
  { ${table.model}: ${local} }${families(family).replace(', ', ',\n  ')},
);`,
    }),
    exports: () => [],
    source: ({ local, connection, declared }) => ({
      imports: [{ from: 'sluice/typeorm', names: ['typeormSource'] }, ...declared],
      text: `typeormSource(${connection}, ${local})`,
    }),
  },
  {
    name: 'prisma',
    packages: ['@prisma/client', 'prisma'],
    isCatalogue: false,
    maker: { from: /^@prisma\/client|^\.|generated/, names: ['PrismaClient'] },
    local: 'prisma',
    tables: async (project) => prismaTables(project),
    registry: () => ({ imports: [], text: '' }),
    exports: () => [],
    source: ({ table, connection, declared }) => ({
      imports: [{ from: 'sluice/prisma', names: ['prismaSource'] }, ...declared],
      text: `prismaSource({ client: ${connection}, registry, model: '${table.model}' })`,
    }),
  },
  plain('knex', ['knex'], orms, { from: /^knex$/, names: ['knex', 'default'] }, 'knex'),
  plain('kysely', ['kysely'], orms, { from: /^kysely$/, names: ['Kysely'] }, 'db'),
  plain('pg', ['pg'], builders, { from: /^pg$/, names: ['Pool', 'Client'] }, 'pool', {
    opened: (url) => ({
      imports: [{ from: 'pg', default: 'pg' }],
      // An idle pool does not keep tests of the project from ending.
      text: `new pg.Pool({ connectionString: ${url}, allowExitOnIdle: true })`,
    }),
  }),
  plain(
    'mysql2',
    ['mysql2'],
    builders,
    { from: /^mysql2(?:\/promise)?(?:\.js)?$/, names: ['createPool', 'createConnection'] },
    'pool',
    {
      opened: (url) => ({
        imports: [{ from: 'mysql2/promise', names: ['createPool'] }],
        text: `createPool(${url} ?? '')`,
      }),
    },
  ),
  plain(
    'better-sqlite3',
    ['better-sqlite3'],
    builders,
    { from: /^better-sqlite3$/, names: ['Database', 'default'] },
    'database',
    {
      opened: (url) => ({
        imports: [{ from: 'better-sqlite3', default: 'Database' }],
        text: `new Database((${url} ?? '').replace('sqlite:', ''))`,
      }),
    },
  ),
  plain(
    'node:sqlite',
    ['node:sqlite'],
    [...builders, 'pg', 'mysql2', 'better-sqlite3'],
    { from: /^node:sqlite$/, names: ['DatabaseSync'] },
    'database',
    { wrap: 'nodeSqlite' },
  ),
];
