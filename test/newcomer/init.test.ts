/**
 * `sluice init lists` and `sluice init board` in new projects, as their generators write them, from the tarball and with
 * nobody typing: the build of the project, the tests that were written, and the first answers of the server.
 */

import { cpSync, existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { root } from '../package/package.ts';
import { everyServiceRequired, findRedis, scratchDatabase } from '../services/index.ts';
import { type FreshFolder, freshFolder, removeTarball } from './fresh-folder.ts';
import { type Files, generatedProject } from './generated-project.ts';

const redis = await findRedis();
const database = await scratchDatabase('postgresql', 'init');
for (const service of [redis, database]) {
  if ('missing' in service && everyServiceRequired()) throw new Error(service.advice);
}
const token = 'a token of a test, long enough';
process.env['BOARD_TOKEN'] = token;
process.env['REDIS_URL'] = 'missing' in redis ? '' : redis.url;
process.env['DATABASE_URL'] = 'missing' in database ? '' : database.url;

/** A project, and what is run in it. */
interface Project {
  readonly name: string;
  readonly files: () => Promise<Files>;
  readonly packages: Readonly<Record<string, string>>;
  /** Commands before `init`, such as a generator of the ORM. */
  readonly before?: readonly (readonly string[])[];
  readonly lists: readonly string[];
  readonly board: readonly string[];
  /** Commands of the project, which pass afterwards as before: its build, its tests, its linter. */
  readonly own: readonly (readonly string[])[];
  readonly start: readonly [string, ...string[]];
  readonly path: string;
  /** Commands between writing and `own`. */
  readonly after?: readonly (readonly string[])[];
  /** Files that are left as they were. */
  readonly unchanged?: readonly string[];
}

const manifestOfDriver = JSON.parse(
  readFileSync(path.join(root, 'node_modules/better-sqlite3/package.json'), 'utf8'),
) as { readonly version: string };
const bullmq = { bullmq: '^6.0.0', ioredis: '^6.0.0' };
const onSqlite = { 'better-sqlite3': manifestOfDriver.version };
const mailQueue = `import { Queue } from 'bullmq';

export const mailQueue = new Queue('mail', {
  connection: { url: process.env.REDIS_URL ?? 'redis://localhost:6379' },
});
`;

const strict = JSON.stringify({
  compilerOptions: {
    target: 'es2023',
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noPropertyAccessFromIndexSignature: true,
    noUnusedLocals: true,
    declaration: true,
    skipLibCheck: true,
    outDir: 'dist',
    rootDir: 'src',
    types: ['node'],
  },
  include: ['src'],
});

const manifest = (more: object): string => JSON.stringify({ name: 'app', private: true, ...more });

const express: Project = {
  name: 'Express with TypeScript, Drizzle and BullMQ',
  packages: { ...bullmq, ...onSqlite, express: '^5.0.0', 'drizzle-orm': '^0.45.0' },
  files: async () => ({
    'package.json': manifest({
      type: 'module',
      devDependencies: {
        typescript: '^5.9.0',
        tsx: '^4.0.0',
        '@types/express': '^5.0.0',
        '@types/node': '^24.0.0',
        '@types/better-sqlite3': '^7.0.0',
      },
    }),
    'tsconfig.json': strict,
    'src/schema.ts': `import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const users = sqliteTable(
  'users',
  {
    id: integer('id').primaryKey(),
    name: text('name').notNull(),
    email: text('email').notNull().unique(),
    passwordHash: text('password_hash'),
  },
  (table) => [index('users_by_name').on(table.name)],
);
`,
    'src/db.ts': `import { drizzle } from 'drizzle-orm/better-sqlite3';

export const db = drizzle('app.db');
`,
    'src/queues.ts': mailQueue.replace('env.REDIS_URL', `env['REDIS_URL']`),
    'src/index.ts': `import express from 'express';

const app = express();
app.use(express.json());
app.get('/', (_request, response) => {
  response.send('Hello');
});
app.listen(process.env['PORT'] ?? 3000);
`,
  }),
  lists: [],
  board: [],
  own: [['tsc'], ['node', '--test', 'dist/lists/users.rules.test.js', 'dist/queues-board.test.js']],
  start: ['node', 'dist/index.js'],
  path: '/users',
  unchanged: ['src/schema.ts', 'src/db.ts', 'src/queues.ts', 'tsconfig.json', 'package.json'],
};

const fastify: Project = {
  name: 'fastify-cli, pg and BullMQ',
  packages: { ...bullmq, pg: '^8.0.0' },
  files: () => generatedProject('fastify-cli@8', ['generate', 'app']),
  lists: ['--table', 'users'],
  board: ['--queues', 'mail'],
  own: [['node', '--test', 'test/**/*.test.js']],
  start: ['fastify', 'start', 'app.js'],
  path: '/users',
  unchanged: ['app.js', 'routes/root.js', 'package.json'],
};

const nest: Project = {
  name: '@nestjs/cli, TypeORM and @nestjs/bullmq',
  packages: {
    ...bullmq,
    ...onSqlite,
    typeorm: '^0.3.28',
    '@nestjs/typeorm': '^11.0.0',
    '@nestjs/bullmq': '^11.0.0',
  },
  files: async () => {
    const flags = ['--skip-install', '--skip-git', '--package-manager', 'npm'];
    const files = await generatedProject('@nestjs/cli@11', ['new', 'app', ...flags], /coverage/);
    const imports = `[
    TypeOrmModule.forRoot({ type: 'better-sqlite3', database: 'app.db', entities: [User] }),
    BullModule.forRoot({ connection: { url: process.env.REDIS_URL } }),
    BullModule.registerQueue({ name: 'mail' }),
  ]`;
    const module = files['src/app.module.ts'] ?? '';
    return {
      ...files,
      'src/app.module.ts': `import { BullModule } from '@nestjs/bullmq';
import { TypeOrmModule } from '@nestjs/typeorm';
import { User } from './user.entity';
${module.replace('imports: []', `imports: ${imports}`)}`,
      'src/user.entity.ts': `import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

@Entity('users')
export class User {
  @PrimaryGeneratedColumn()
  id: number;

  @Index()
  @Column()
  name: string;

  @Column({ unique: true })
  email: string;

  @Column({ name: 'password_hash', nullable: true, type: 'text' })
  passwordHash: string | null;
}
`,
    };
  },
  before: [['prettier', '--write', 'src']],
  lists: [],
  board: [],
  own: [
    ['eslint', '{src,test}/**/*.ts'],
    ['jest'],
    ['jest', '--config', './test/jest-e2e.json', '--forceExit'],
    ['nest', 'build'],
  ],
  start: ['node', 'dist/main'],
  path: '/users',
  unchanged: ['src/main.ts', 'src/user.entity.ts', 'package.json'],
};

const next: Project = {
  name: 'create-next-app, pg and BullMQ',
  packages: { ...bullmq, pg: '^8.0.0', '@types/pg': '^8.0.0', tsx: '^4.0.0' },
  files: async () => {
    const flags = ['--yes', '--empty', '--skip-install', '--disable-git'];
    const files = await generatedProject('create-next-app@latest', ['app', ...flags], /coverage/);
    return {
      ...files,
      'lib/db.ts': `import { Pool } from 'pg';

export const pool = new Pool({ connectionString: process.env.DATABASE_URL });
`,
    };
  },
  lists: ['--table', 'users'],
  board: ['--queues', 'mail'],
  own: [
    ['eslint'],
    ['next', 'build'],
    ['tsx', '--test', 'lists/users.rules.test.ts', 'queues-board.test.ts'],
  ],
  start: ['next', 'start'],
  path: '/api/users',
  unchanged: ['app/page.tsx', 'lib/db.ts', 'package.json', 'tsconfig.json'],
};

const hono: Project = {
  name: 'the template of Hono, Prisma and BullMQ',
  packages: { ...bullmq, '@prisma/client': '^7.0.0', '@prisma/adapter-better-sqlite3': '^7.0.0' },
  files: async () => {
    const files = await generatedProject('create-hono@latest', ['app', '--template', 'nodejs']);
    const project = JSON.parse(files['package.json'] ?? '') as { devDependencies: object };
    return {
      ...files,
      'package.json': JSON.stringify({
        ...project,
        devDependencies: { ...project.devDependencies, prisma: '^7.0.0' },
      }),
      'src/index.ts': (files['src/index.ts'] ?? '').replace(
        'port: 3000',
        'port: Number(process.env.PORT ?? 3000)',
      ),
      // As `prisma init` writes it.
      'prisma/schema.prisma': `generator client {
  provider = "prisma-client"
  output   = "../src/generated/prisma"
}

datasource db {
  provider = "sqlite"
}

model User {
  id           Int     @id @default(autoincrement())
  name         String
  email        String  @unique
  passwordHash String? @map("password_hash")

  @@index([name])
  @@map("users")
}
`,
      'prisma.config.ts': `import { defineConfig } from 'prisma/config'

export default defineConfig({ schema: 'prisma/schema.prisma' })
`,
      'src/prisma.ts': `import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { PrismaClient } from './generated/prisma/client.js'

export const prisma = new PrismaClient({ adapter: new PrismaBetterSqlite3({ url: 'file:app.db' }) })
`,
      'src/queues.ts': mailQueue.replaceAll(';', ''),
    };
  },
  lists: [],
  board: [],
  after: [['prisma', 'generate']],
  own: [['tsc'], ['node', '--test', 'dist/lists/users.rules.test.js', 'dist/queues-board.test.js']],
  start: ['node', 'dist/index.js'],
  path: '/users',
  unchanged: ['src/prisma.ts', 'src/queues.ts', 'package.json', 'tsconfig.json'],
};

const koa: Project = {
  name: 'Koa with JavaScript, Kysely and pg-boss',
  packages: { koa: '^3.0.0', kysely: '^0.28.0', pg: '^8.0.0', 'pg-boss': '^12.0.0' },
  files: async () => ({
    'package.json': manifest({ type: 'module' }),
    'db.js': `import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';

export const db = new Kysely({
    dialect: new PostgresDialect({
        pool: new pg.Pool({ connectionString: process.env.DATABASE_URL }),
    }),
});
`,
    'server.js': `import Koa from 'koa';

const app = new Koa();
app.use(async (context, next) => {
    context.set('x-app', 'yes');
    await next();
});
app.listen(process.env.PORT ?? 3000);
`,
  }),
  lists: ['--table', 'users'],
  board: [],
  own: [['node', '--test', 'lists/users.rules.test.js', 'queues-board.test.js']],
  start: ['node', 'server.js'],
  path: '/users',
  unchanged: ['db.js', 'package.json'],
};

const commonJs: Project = {
  name: 'Express with CommonJS and a database alone',
  packages: { ...bullmq, ...onSqlite, express: '^4.0.0' },
  files: async () => ({
    'package.json': manifest({}),
    'queues.js': `const { Queue } = require('bullmq')

const mailQueue = new Queue('mail', { connection: { url: process.env.REDIS_URL } })
module.exports = { mailQueue }
`,
    'db.js': `const Database = require('better-sqlite3')

const database = new Database('app.db')
module.exports = database
`,
    'app.js': `const express = require('express')

const app = express()
app.get('/', (request, response) => response.send('Hello'))
app.listen(process.env.PORT || 3000)
`,
  }),
  lists: ['--database', 'sqlite:app.db'],
  board: [],
  own: [['node', '--test', 'lists/users.rules.test.js', 'queues-board.test.js']],
  start: ['node', 'app.js'],
  path: '/users',
  unchanged: ['db.js', 'queues.js'],
};

const projects = [express, fastify, nest, next, hono, koa, commonJs];

const table = `create table users (id integer primary key, name text not null, email text not null unique, password_hash text);
  create index users_by_name on users (name);
  insert into users values (1, 'Ann', 'ann@example.com', 'x'), (2, 'Ben', 'ben@example.com', 'y')`;

const folders = new Map<string, FreshFolder>();

beforeAll(async () => {
  if ('url' in database) {
    const client = new pg.Client(database.url);
    await client.connect();
    await client.query(table);
    await client.end();
    const boss = new PgBoss(database.url);
    await boss.start();
    await boss.stop();
  }
}, 60_000);

afterAll(async () => {
  await Promise.all([...folders.values()].map((folder) => folder.remove()));
  if ('url' in database) await database.drop();
  if (!('missing' in redis)) await redis.dispose();
  removeTarball();
}, 900_000);

const names = (directory: string): readonly string[] =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => !/node_modules|^dist|^\.next/.test(name))
    .toSorted();

describe.skipIf('missing' in redis || 'missing' in database).each(projects)(
  'sluice init in a project of $name',
  ({
    name,
    files,
    packages,
    before,
    lists,
    board,
    own,
    start,
    path: at,
    after,
    unchanged = [],
  }) => {
    let folder: FreshFolder;
    const text = (file: string): string => readFileSync(path.join(folder.directory, file), 'utf8');
    const sluice = (...args: readonly string[]): Promise<string> =>
      folder.command('node', 'node_modules/sluice/dist/cli/main.js', ...args);
    const run = async (commands: readonly (readonly string[])[] = []): Promise<void> => {
      for (const [command = '', ...args] of commands) await folder.command(command, ...args);
    };

    beforeAll(async () => {
      const made = await freshFolder(packages, await files());
      if (!made) return;
      folders.set(name, made);
      folder = made;
      // npm may run on another Node.js than the programs, for which the driver is built here.
      const built = 'node_modules/better-sqlite3/build';
      if (existsSync(path.join(made.directory, built))) {
        cpSync(path.join(root, built), path.join(made.directory, built), { recursive: true });
      }
      const sqlite = new Database(path.join(made.directory, 'app.db'));
      sqlite.exec(table);
      sqlite.close();
      await run(before);
    }, 900_000);
    beforeEach(({ skip }) => {
      if (!folders.has(name)) skip('The registry of npm packages does not answer.');
    });

    it('writes a list and a board, and nothing in a second run', async () => {
      const kept = unchanged.map((file) => text(file));
      for (const args of [
        ['init', 'lists', ...lists],
        ['init', 'board', ...board],
      ]) {
        const there = names(folder.directory);
        await expect(sluice(...args)).rejects.toThrow('--yes writes without asking');
        expect(names(folder.directory)).toEqual(there);
        expect(await sluice(...args, '--yes')).toContain('Written: ');
        const written = names(folder.directory);
        expect(written.length).toBeGreaterThan(there.length);
        expect(await sluice(...args, '--yes')).toContain('Nothing to do');
        expect(names(folder.directory)).toEqual(written);
      }
      expect(unchanged.map((file) => text(file))).toEqual(kept);
      await run(after);
    }, 300_000);

    it('leaves the build, the linter and the tests of the project in order', async () => {
      await run(own);
    }, 900_000);

    it('answers the first requests', async () => {
      const origin = await folder.serve(...start);
      const ask = (target: string, headers = {}) => fetch(origin + target, { headers });
      const list = await ask(`${at}?sort=-name`);
      expect([list.status, await list.json()]).toMatchObject([
        200,
        {
          data: [
            { id: 2, name: 'Ben', email: 'ben@example.com' },
            { id: 1, name: 'Ann', email: 'ann@example.com' },
          ],
          total: 2,
        },
      ]);
      expect(JSON.stringify(await (await ask(at)).json())).not.toContain('password');
      const refused = await ask(`${at}?sort=passwordHash`);
      expect([refused.status, await refused.json()]).toMatchObject([
        400,
        { code: 'FIELD_NOT_ALLOWED' },
      ]);
      const queues = '/admin/queues/api/queues';
      expect((await ask(queues)).status).toBe(401);
      const answer = await ask(queues, { authorization: `Bearer ${token}` });
      expect(answer.status).toBe(200);
      const page = await ask('/admin/queues', {
        authorization: `Bearer ${token}`,
        accept: 'text/html',
      });
      expect(await page.text()).toContain('<html');
      await folder.remove();
    }, 120_000);
  },
);
