/**
 * `sluice init` in the projects of generators, from the tarball and with nobody typing: the list answers the rows of a table
 * that is there, the board asks for its token, and the linter, build and tests of the project pass and end.
 */

import { Redis } from 'ioredis';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everyServiceRequired, findRedis, scratchDatabase } from '../services/index.ts';
import { seed } from '../seed.ts';
import { isSharedOut } from '../setup/left-to-ci.ts';
import { type FreshFolder, freshFolder, removeTarball } from './fresh-folder.ts';
import { type Files, generatedProject } from './generated-project.ts';
import { replaced, sectionOf } from './printed-program.ts';

const redis = await findRedis();
const postgresql = await scratchDatabase('postgresql', 'init');
const mariadb = await scratchDatabase('mysql', 'init');
for (const service of [redis, postgresql, mariadb]) {
  if ('missing' in service && everyServiceRequired()) throw new Error(service.advice);
}
const urlOf = (service: object): string => String(Reflect.get(service, 'url'));
const isRunnable = [redis, postgresql, mariadb].every((service) => !('missing' in service));

const books = `create table books (id integer primary key, title varchar(80) not null unique, pages integer)`;
const rows = `insert into books values (1, 'Emma', 474), (2, 'Ulysses', null)`;

/** A project, and what somebody types in it. */
interface Project {
  readonly name: string;
  readonly files: () => Promise<Files>;
  readonly packages: Readonly<Record<string, string>>;
  readonly database?: typeof postgresql;
  /** Lines that make the project what it is, before Sluice comes. */
  readonly before?: readonly string[];
  readonly init: readonly string[];
  /** The linter, the build and the tests of the project. */
  readonly own: readonly string[];
  readonly start: string;
  readonly path: string;
}

const everything = /(?!)/;
const bullmq = { bullmq: '^6.0.0', ioredis: '^6.0.0' };
const lists = 'npx sluice init lists --yes --table books';
const queue = `mail-${process.pid}`;
const board = `npx sluice init board --yes --queues ${queue}`;

const port = `Number(process.env.PORT ?? 3000)`;

const typescript = { typescript: '^5.9.0', tsx: '^4.20.0', '@types/node': '^24.0.0' };

/** A TypeScript project as people write it. */
const written = (name: string, modules: Files): (() => Promise<Files>) => {
  const manifest = {
    name,
    private: true,
    type: 'module',
    scripts: { build: 'tsc', start: 'node dist/index.js' },
    devDependencies: typescript,
  };
  const compilerOptions = {
    target: 'ES2023',
    module: 'NodeNext',
    strict: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true,
    types: ['node'],
    outDir: './dist',
    rootDir: './src',
  };
  return async () => ({
    'package.json': JSON.stringify(manifest),
    'tsconfig.json': JSON.stringify({ compilerOptions, include: ['src'] }, null, 2),
    ...modules,
  });
};

const projects: readonly Project[] = [
  {
    name: 'fastify-cli, with pg',
    files: () => generatedProject('fastify-cli@8.0.2', ['generate', 'app', '--esm'], everything),
    packages: { pg: '^8.0.0', ...bullmq },
    init: [lists, board],
    own: ['npm test'],
    start: 'fastify start -a 127.0.0.1 app.js',
    path: '/books',
  },
  {
    name: '@nestjs/cli, with TypeORM',
    async files() {
      const flags = ['--skip-install', '--skip-git', '--package-manager', 'npm'];
      const files = await generatedProject(
        '@nestjs/cli@12.0.8',
        ['new', 'app', ...flags],
        everything,
      );
      const orm = `TypeOrmModule.forRoot({
      type: 'postgres',
      url: process.env.DATABASE_URL,
      autoLoadEntities: true,
    })`;
      return {
        ...files,
        'src/app.module.ts': `import { TypeOrmModule } from '@nestjs/typeorm';\n${replaced(
          files['src/app.module.ts'] ?? '',
          'imports: []',
          `imports: [\n    ${orm},\n    TypeOrmModule.forFeature([Book]),\n  ]`,
        )}`.replace(/^import \{ AppService.*$/m, `$&\nimport { Book } from './book.entity.js';`),
        'src/book.entity.ts': `import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('books')
export class Book {
  @PrimaryColumn()
  id: number;

  @Column({ unique: true })
  title: string;

  @Column('integer', { nullable: true })
  pages: number | null;
}
`,
      };
    },
    // TypeORM wants another ioredis than BullMQ 6.
    packages: { '@nestjs/typeorm': '^12.0.0', typeorm: '^1.0.0', pg: '^8.0.0', bullmq: '^5.16.0' },
    init: [lists, board],
    own: [
      'npm run lint',
      'npx prettier --check src',
      'npm run build',
      'npm test',
      'npm run test:e2e',
    ],
    start: 'node dist/main.js',
    path: '/books',
  },
  {
    name: 'create-next-app, with Drizzle',
    async files() {
      // The other template loads a font from Google, which a machine without a way there cannot build.
      const flags = ['--yes', '--empty', '--eslint', '--skip-install', '--disable-git'];
      const files = await generatedProject('create-next-app@16.4.3', ['app', ...flags], everything);
      return {
        ...files,
        'db/schema.ts': `import { integer, pgTable, varchar } from "drizzle-orm/pg-core";

export const books = pgTable("books", {
  id: integer("id").primaryKey(),
  title: varchar("title", { length: 80 }).notNull().unique(),
  pages: integer("pages"),
});
`,
        'db/index.ts': `import { drizzle } from "drizzle-orm/node-postgres";

export const db = drizzle(process.env.DATABASE_URL!);
`,
      };
    },
    packages: { 'drizzle-orm': '^0.45.0', pg: '^8.0.0', ...bullmq },
    init: [lists, board],
    own: ['npm run lint', 'npm run build'],
    start: 'next start',
    path: '/api/books',
  },
  {
    name: 'the template nodejs of create-hono, with Kysely',
    files: written('hono', {
      'src/index.ts': `import { serve } from '@hono/node-server'
import { Hono } from 'hono'

const app = new Hono()

app.get('/', (c) => {
  return c.text('Hello Hono!')
})

serve({
  fetch: app.fetch,
  port: ${port}
}, (info) => {
  console.log(\`Server is running on http://localhost:\${info.port}\`)
})
`,
      'src/db.ts': `import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'

interface Database {
  books: { id: number; title: string; pages: number | null }
}

export const db = new Kysely<Database>({
  dialect: new PostgresDialect({
    pool: new pg.Pool({ connectionString: process.env.DATABASE_URL })
  })
})
`,
    }),
    packages: {
      '@hono/node-server': '^1.19.0',
      hono: '^4.9.0',
      kysely: '^0.28.0',
      pg: '^8.0.0',
      '@types/pg': '^8.0.0',
      ...bullmq,
    },
    init: [lists, board],
    own: ['npm run build'],
    start: 'node dist/index.js',
    path: '/books',
  },
  {
    name: 'Express with TypeScript, with mysql2',
    files: written('express', {
      'src/app.ts': `import express from 'express';

export const app = express();

app.use(express.json());

app.get('/', (_request, response) => {
  response.json({ hello: 'world' });
});
`,
      'src/index.ts': `import { app } from './app.js';

app.listen(${port});
`,
    }),
    database: mariadb,
    packages: { express: '^5.0.0', '@types/express': '^5.0.0', mysql2: '^3.0.0', ...bullmq },
    init: [lists, board],
    own: ['npm run build'],
    start: 'node dist/index.js',
    path: '/books',
  },
  {
    name: 'prisma init, with Express',
    files: written('prisma', {
      'src/index.ts': `import express from "express";

const app = express();

app.get("/", (_req, res) => {
  res.json({ ok: true });
});

app.listen(${port});
`,
      'src/prisma.ts': `import { PrismaPg } from "@prisma/adapter-pg";
import { PrismaClient } from "./generated/prisma/client.js";

const adapter = new PrismaPg({ connectionString: process.env.DATABASE_URL });

export const prisma = new PrismaClient({ adapter });
`,
    }),
    packages: {
      express: '^5.0.0',
      '@types/express': '^5.0.0',
      prisma: '~7.10.0',
      '@prisma/client': '~7.10.0',
      '@prisma/adapter-pg': '~7.10.0',
      dotenv: '^17.0.0',
    },
    before: [
      'npx prisma init --datasource-provider postgresql --output ../src/generated/prisma',
      `printf '\\nmodel Book {\\n  id    Int     @id\\n  title String  @unique\\n  pages Int?\\n\\n  @@map("books")\\n}\\n' >> prisma/schema.prisma`,
    ],
    init: [lists],
    own: ['npm run build'],
    start: 'node dist/index.js',
    path: '/books',
  },
  {
    name: 'Koa in CommonJS, with Knex',
    files: async () => ({
      'package.json': JSON.stringify({
        name: 'koa',
        private: true,
        scripts: { test: 'node --test' },
      }),
      'index.js': `const Koa = require('koa');

const app = new Koa();

app.use(async (ctx, next) => {
  if (ctx.path !== '/') return next();
  ctx.body = 'Hello';
});

app.listen(${port});
`,
      'db.js': `const knex = require('knex');

module.exports = knex({ client: 'pg', connection: process.env.DATABASE_URL });
`,
    }),
    packages: { koa: '^3.0.0', knex: '^3.0.0', pg: '^8.0.0', ...bullmq },
    init: [lists, board],
    own: ['npm test'],
    start: 'node index.js',
    path: '/books',
  },
];

const token = 'the-token-of-the-generated-projects';
const variables = {
  REDIS_URL: urlOf(redis),
  BOARD_TOKEN: token,
  CI: 'true',
  npm_config_yes: 'true',
  npm_config_prefer_offline: 'true',
  // Neither command needs the schema engine, which is not in the packages of Prisma.
  PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
  CHECKPOINT_DISABLE: '1',
};

const folders: FreshFolder[] = [];
beforeAll(async () => {
  if (!isRunnable) return;
  const client = new pg.Client({ connectionString: urlOf(postgresql) });
  await client.connect();
  await client.query(`${books}; ${rows}`);
  await client.end();
  const connection = await mysql.createConnection(urlOf(mariadb));
  await connection.query(books);
  await connection.query(rows);
  await connection.end();
});
afterAll(async () => {
  await Promise.all(folders.map((folder) => folder.remove()));
  for (const database of [postgresql, mariadb]) {
    if (!('missing' in database)) await database.drop();
  }
  if (!('missing' in redis)) {
    const client = new Redis(redis.url);
    await client.del(`bull:${queue}:meta`);
    await client.quit();
    await redis.dispose();
  }
  removeTarball();
}, 900_000);

/** Lines that a run of the command says to type next. */
const nextLines = (output: string): readonly string[] =>
  [...output.matchAll(/^ {2}((?:npx|node|npm) .*)$/gm)].map(([, line = '']) => line);

async function tryProject(project: Project): Promise<void> {
  const { packages, init, own, start, path, before = [], database = postgresql } = project;
  const env = { ...variables, DATABASE_URL: urlOf(database) };
  const folder = await freshFolder(packages, await project.files(), env);
  if (!folder) return;
  folders.push(folder);
  for (const line of before) await folder.shell(line);
  for (const line of init) {
    const output = await folder.shell(line);
    expect(output).not.toContain('No single place');
    const next = nextLines(output);
    expect(next.length).toBeGreaterThan(0);
    for (const each of next) await folder.shell(each);
  }
  for (const line of own) await folder.shell(line);
  const [command = '', ...args] = start.split(' ');
  const origin = await folder.serve(command, ...args);
  const ask = async (route: string, headers = {}) => {
    const answer = await fetch(origin + route, { headers });
    return [answer.status, await answer.json()];
  };
  expect(await ask(`${path}?sort=-title`)).toEqual([
    200,
    expect.objectContaining({
      data: [
        { id: 2, title: 'Ulysses', pages: null },
        { id: 1, title: 'Emma', pages: 474 },
      ],
    }),
  ]);
  expect((await ask(`${path}?sort=pages`))[0]).toBe(400);
  if (!init.includes(board)) return;
  const queues = '/admin/queues/api/queues';
  expect((await ask(queues))[0]).toBe(401);
  const headers = { authorization: `Bearer ${token}` };
  expect(await ask(queues, headers)).toEqual([
    200,
    expect.objectContaining({ queues: [expect.objectContaining({ name: queue })] }),
  ]);
}

it('docs/start.md names the start and the path of each project', () => {
  const rows = sectionOf('docs/start.md', 'Five minutes in each framework').match(/^\| .*`\/.*$/gm);
  expect(rows?.length).toBe(6);
  for (const row of rows ?? []) {
    const [, , run = '', list] = row.split('|').map((cell) => cell.replaceAll('`', '').trim());
    const start = run.split(' && ').at(-1) ?? '';
    const isTried = ({ start: tried, path }: Project): boolean =>
      tried.replace(' -a 127.0.0.1', '') === start && `${path}?sort=-title` === list;
    expect(projects.some((each) => isTried(each) && each.init.includes(board))).toBe(true);
  }
});

/** CI tries one project in three. */
const tried = projects.filter((_, at) => !isSharedOut || at % 3 === seed % 3);

describe.runIf(isRunnable)('sluice init in a project of', () => {
  it.concurrent.each(tried)('$name', tryProject, 900_000);
});
