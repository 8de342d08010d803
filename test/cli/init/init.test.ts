/** `sluice init` in folders with the files of a project: what it finds, asks for, writes, mounts and leaves alone. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import { namesOf } from '../../../src/cli/init/names.ts';
import { drizzleTables } from '../../../src/cli/init/tables/drizzle.ts';
import { prismaTables, registryModule } from '../../../src/cli/init/tables/prisma.ts';
import { allowedParts } from '../../../src/cli/init/tables/table.ts';
import { typeormTables } from '../../../src/cli/init/tables/typeorm.ts';
import { readProject } from '../../../src/cli/init/project.ts';
import { writeChanges } from '../../../src/cli/init/write.ts';

const main = path.join(import.meta.dirname, '../../../src/cli/main.ts');
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

type Files = Readonly<Record<string, string>>;

function folderOf(files: Files): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-init-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  return folder;
}

function init(folder: string, ...args: readonly string[]) {
  const { DATABASE_URL: _, ...env } = process.env;
  const command = [main, 'init', ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: folder, env });
  return { code: status, out: stdout.toString(), err: stderr.toString() };
}

const manifest = (...packages: readonly string[]): string =>
  JSON.stringify({
    type: 'module',
    dependencies: Object.fromEntries(packages.map((name) => [name, '1'])),
  });

const schema = `import { boolean, index, integer, jsonb, pgEnum, pgTable, primaryKey, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
const mood = pgEnum('mood', ['good', 'bad']);
export const users = pgTable('users', {
  id: uuid('id').primaryKey(),
  email: text('email').notNull().unique(),
  mood: mood('mood').notNull(),
  active: boolean('active').notNull(),
  settings: jsonb('settings'),
  tags: text('tags').array(),
  apiKey: text('api_key'),
  createdAt: timestamp('created_at', { withTimezone: true }),
  age: integer('age'),
}, (table) => [
  index('a').on(table.createdAt, table.email),
  index('b').on(table.active),
  uniqueIndex('c').on(table.age).where(sql\`age > 1\`),
]);
const hidden = pgTable('hidden', { id: integer('id').primaryKey() });
export const lines = pgTable('lines', { a: integer('a'), b: integer('b') }, (t) => [primaryKey({ columns: [t.a, t.b] })]);
`;

const db = `import { drizzle } from 'drizzle-orm/node-postgres';
export const db = drizzle('postgres://localhost/app');
`;

const app = `import express from 'express';
const app = express();
app.use(express.json());
app.get('/', (request, response) => response.send('Hello'));
app.listen(3000);
`;

const project: Files = {
  'package.json': manifest('express', 'drizzle-orm', 'pg'),
  'schema.js': schema,
  'db.js': db,
  'app.js': app,
};

describe('the tables of a project', () => {
  it('are those that Drizzle declares and the project exports', () => {
    const tables = drizzleTables(readProject(folderOf(project)));
    expect(tables.map(({ model, key, family }) => [model, key, family])).toEqual([
      ['users', ['id'], 'postgresql'],
      ['lines', ['a', 'b'], 'postgresql'],
    ]);
    const [users] = tables;
    expect(users && allowedParts(users)).toEqual({
      filters: [
        { path: 'id', operators: ['eq', 'in'] },
        { path: 'email', operators: ['eq', 'in'] },
        { path: 'active', operators: ['eq'] },
        { path: 'createdAt', operators: ['gte', 'lte', 'isNull'] },
      ],
      sorts: ['id', 'email', 'createdAt'],
      fields: ['id', 'email', 'mood', 'active', 'createdAt', 'age'],
      leftOut: ['settings', 'tags', 'apiKey'],
    });
  });

  it('are the entities of TypeORM, with what they inherit', () => {
    const folder = folderOf({
      'package.json': manifest('typeorm', 'pg'),
      'tsconfig.json': '{}',
      'base.ts': `import { CreateDateColumn, Index, PrimaryGeneratedColumn } from 'typeorm';
export abstract class Base {
  @PrimaryGeneratedColumn('uuid') id!: string;
  @Index() @CreateDateColumn() createdAt!: Date;
}`,
      'user.ts': `import { Column, Entity, Index, ManyToOne, Unique } from 'typeorm';
import { Base } from './base.js';
@Entity({ name: 'app_users' })
@Unique(['email'])
@Index(['state', 'createdAt'], { where: 'state = 1' })
export class User extends Base {
  @Column() email!: string;
  @Column('int', { nullable: true }) state!: number | null;
  @Column({ select: false, unique: true }) note!: string;
  @Column('simple-json') extra!: object;
  @ManyToOne(() => User) manager!: User;
}`,
    });
    const [user, more] = typeormTables(readProject(folder));
    expect(more).toBeUndefined();
    expect([user?.model, user?.name, user?.family, user?.key]).toEqual([
      'user',
      'app_users',
      'postgresql',
      ['id'],
    ]);
    expect(user && allowedParts(user)).toMatchObject({
      sorts: ['id', 'createdAt', 'email'],
      fields: ['id', 'createdAt', 'email', 'state'],
      leftOut: ['note', 'extra'],
    });
  });

  it('are the models of a Prisma schema, whose generator is added once', () => {
    const text = `generator client {
  provider = "prisma-client"
  output   = "../src/generated/prisma"
}

enum State {
  OPEN
}

/// @sluice.hidden
model Secret {
  id Int @id
}

model OrderLine {
  orderId Int
  no      Int
  state   State
  data    Json
  note    String? @unique
  /// @sluice.internal
  margin  Decimal
  order   Order   @relation(fields: [orderId], references: [id])

  @@id([orderId, no])
  @@index([state(sort: Desc), no])
}
`;
    const files = { 'package.json': manifest('@prisma/client'), 'prisma/schema.prisma': text };
    const read = readProject(folderOf(files));
    const [line, more] = prismaTables(read);
    expect(more).toBeUndefined();
    expect([line?.model, line?.key]).toEqual(['orderLine', ['orderId', 'no']]);
    expect(line && allowedParts(line)).toMatchObject({
      sorts: ['orderId', 'state', 'note'],
      fields: ['orderId', 'no', 'state', 'note'],
      leftOut: ['data', 'margin'],
    });
    const mapped = text.replace(
      '@@id([orderId, no])',
      '@@id([orderId, no])\n  @@map(name: "order_lines")',
    );
    const named = folderOf({ ...files, 'prisma/schema.prisma': mapped });
    expect(prismaTables(readProject(named)).map(({ name }) => name)).toEqual(['order_lines']);
    const { file, added } = registryModule(read);
    expect(file).toBe('src/generated/sluice.ts');
    const extended = { ...files, 'prisma/schema.prisma': text + (added?.text ?? '') };
    expect(registryModule(readProject(folderOf(extended)))).toEqual({ file });
  });
});

describe('sluice init lists', () => {
  it('shows a patch and writes nothing without --yes', () => {
    const folder = folderOf(project);
    const { code, out, err } = init(folder, 'lists', '--table', 'users');
    expect(code).toBe(1);
    expect(out).toContain('+++ b/lists/users.rules.js');
    expect(err).toContain('Nothing is written');
    expect(readProject(folder).files).toEqual(Object.keys(project).toSorted());
  });

  it.each<readonly [string, string, readonly string[]]>([
    [
      'express',
      'src/people/list.js',
      ['src/people/list.js', 'src/people/list.rules.js', 'src/people/list.rules.test.js'],
    ],
    ['express', 'list.mjs', ['list.mjs', 'list.rules.mjs', 'list.rules.test.mjs']],
    [
      'next',
      'lists/list.js',
      [
        'app/api/users/[id]/route.js',
        'app/api/users/route.js',
        'lists/list.js',
        'lists/list.rules.js',
        'lists/list.rules.test.js',
      ],
    ],
    ...['list.ts', 'list.module.ts', 'list.controller.ts'].map(
      (file) =>
        [
          '@nestjs/core',
          file,
          [
            'list.controller.ts',
            file === 'list.ts' ? file : 'list.module.ts',
            'list.rules.spec.ts',
            'list.rules.ts',
          ],
        ] as const,
    ),
  ])('writes for %s the module that --file names, %s', (framework, file, written) => {
    const isTyped = file.endsWith('.ts');
    const own = Object.entries(project).map(([name, text]) => [
      isTyped ? name.replace(/js$/, 'ts') : name,
      text,
    ]);
    const files: Files = {
      ...Object.fromEntries(own),
      'package.json': manifest(framework, 'drizzle-orm', 'pg'),
      ...(isTyped && { 'tsconfig.json': '{}' }),
    };
    const folder = folderOf(files);
    const { code, err } = init(folder, 'lists', '--table', 'users', '--file', file, '--yes');
    expect([code, err]).toEqual([0, '']);
    const all = readProject(folder).files.filter((each) => !(each in files));
    expect(all).toEqual(written.toSorted());
    const list = isTyped ? 'list.controller.ts' : file;
    expect(readFileSync(path.join(folder, list), 'utf8')).toMatch(/'\.\/list\.rules(\.m?js)?'/);
  });

  it('writes over no file that comes or changes after the comparison', async () => {
    const folder = folderOf({
      'package.json': manifest(),
      'new.js': '// mine\n',
      'app.js': '// changed\n',
    });
    const found = readProject(folder);
    const after = '// written\n';
    await expect(
      writeChanges(found, [{ file: 'new.js', before: undefined, after }]),
    ).rejects.toThrow(/EEXIST/);
    await expect(writeChanges(found, [{ file: 'app.js', before: '', after }])).rejects.toThrow(
      'app.js has changed meanwhile.',
    );
    const texts = ['new.js', 'app.js'].map((file) => readFileSync(path.join(folder, file), 'utf8'));
    expect(texts).toEqual(['// mine\n', '// changed\n']);
  });

  it('writes and mounts once, and touches nothing that somebody has changed', () => {
    const folder = folderOf(project);
    const text = (file: string) => readFileSync(path.join(folder, file), 'utf8');
    const args = ['lists', '--table', 'users', '--yes'];
    expect(init(folder, ...args)).toMatchObject({ code: 0, err: '' });
    expect(text('app.js')).toBe(
      app
        .replace("express';\n", "express';\nimport { usersRouter } from './lists/users.js';\n")
        .replace('app.listen', "app.use('/users', usersRouter);\napp.listen"),
    );
    expect(init(folder, ...args).out).toContain('Nothing to do');
    rmSync(path.join(folder, 'lists/users.js'));
    writeFileSync(path.join(folder, 'lists/users.rules.js'), '// mine\n');
    const { code, err } = init(folder, ...args);
    expect([code, err]).toEqual([1, expect.stringContaining('lists/users.rules.js')]);
    expect(text('lists/users.rules.js')).toBe('// mine\n');
    expect(readProject(folder).files).not.toContain('lists/users.js');
  });

  it.each<[string, Files, readonly string[], string]>([
    ['a table', {}, [], '--table: users, lines.'],
    ['a table that there is', {}, ['--table', 'cities'], '--table must be one of users, lines.'],
    [
      'a table with a key',
      {
        'log.js': `import { pgTable, text } from 'drizzle-orm/pg-core';\nexport const log = pgTable('log', { text: text('text') });\n`,
      },
      ['--table', 'log'],
      'the table log cannot be listed, because it has no primary key; --table must be one of',
    ],
    ['a framework', { 'package.json': manifest('drizzle-orm') }, [], '--framework'],
    [
      'one framework',
      { 'package.json': manifest('express', 'koa', 'drizzle-orm') },
      [],
      '--framework express or koa',
    ],
    ['a known framework', {}, ['--framework', 'rails'], '--framework must be one of'],
    ['a source', { 'package.json': manifest('express') }, [], '--source'],
    ['a connection', { 'db.js': '' }, ['--table', 'users'], '--connection <file>#<export>'],
    [
      'an exported connection',
      { 'db.js': db.replace('export ', '') },
      ['--table', 'users'],
      'does not export it',
    ],
    ['one connection', { 'db2.js': db }, ['--table', 'users'], 'db.js#db, db2.js#db'],
    [
      'a file of a connection',
      {},
      ['--table', 'users', '--connection', 'x.js#db'],
      'there is no file x.js',
    ],
    ['a database', { 'package.json': manifest('express', 'pg') }, [], '--database'],
    [
      'a URL',
      { 'package.json': manifest('express', 'pg') },
      ['--database', 'x'],
      '--database must be a URL',
    ],
    ['a path', {}, ['--path', 'users'], '--path must be a path'],
    ['a file of its language', {}, ['--file', 'src/list.ts'], '--file must end in .js'],
    ['a file of its kind of modules', {}, ['--file', 'src/list.cjs'], '--file must end in .js'],
    ['a file inside', {}, ['--file', '../users.js'], '--file must be a module of the project'],
    ['no options of boards', {}, ['--queues', 'a'], '--queues is of init board'],
  ])('asks for %s', (_, files, args, message) => {
    const { code, err } = init(folderOf({ ...project, ...files }), 'lists', ...args, '--yes');
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });

  it.each([
    ['express', 'const app = express();\napp.use('],
    ['fastify', 'const app = fastify();\napp.register('],
    ['koa', 'const app = new Koa();\napp.use('],
    ['hono', 'const app = new Hono();\napp.'],
  ])(
    'writes an application of %s where there is no source yet, and mounts in it',
    (name, start) => {
      const folder = folderOf({
        'package.json': manifest(name, 'bullmq'),
        'eslint.config.js': 'export default [];\n',
      });
      const first = init(folder, 'board', '--queues', 'mails', '--yes');
      expect(first).toMatchObject({
        code: 0,
        out: expect.stringContaining('\n  node server.js\n'),
      });
      const server = readFileSync(path.join(folder, 'server.js'), 'utf8');
      expect(server).toContain(start);
      const { out } = init(folder, 'board', '--queues', 'mails', '--yes');
      expect(out).toContain('Nothing to do');
      const more = ['--queues', 'sms', '--path', '/sms', '--file', 'sms-board.js', '--yes'];
      expect(init(folder, 'board', ...more).code).toBe(0);
      expect(readFileSync(path.join(folder, 'server.js'), 'utf8')).toContain('./sms-board.js');
    },
  );

  it.each(['nest', 'next'])('writes no application of %s, which a command starts', (name) => {
    const folder = folderOf({
      'package.json': manifest(name === 'nest' ? '@nestjs/core' : name, 'bullmq'),
      ...(name === 'nest' && { 'tsconfig.json': '{}' }),
    });
    const { out } = init(folder, 'board', '--queues', 'mails', '--yes');
    expect(out).toContain('Written:');
    expect(out).not.toMatch(/server\.[jt]s/);
  });

  it.each([
    ['an error handler', 'app.use((error, request, response, next) => next(error));\n'],
    ['a last handler', 'app.use((request, response) => response.sendStatus(404));\n'],
    ['a route of everything', "app.get('/{*all}', show);\n"],
    ['a handler that nothing tells of', 'app.use(notFound);\n'],
    ['a second application', 'const admin = express();\n'],
  ])('prints the lines to add where there is %s', (_, more) => {
    const text = app.replace('app.listen', `${more}app.listen`);
    const folder = folderOf({ ...project, 'app.js': text });
    const { code, out } = init(folder, 'lists', '--table', 'users', '--yes');
    expect(code).toBe(0);
    expect(out).toContain("app.use('/users', usersRouter);");
    expect(readFileSync(path.join(folder, 'app.js'), 'utf8')).toBe(text);
  });

  it.each([
    ['model', 'User'],
    ['model as Sluice names it', 'user'],
    ['table of the database', 'app_users'],
  ])('takes the name of the %s in a schema of Prisma', (_, table) => {
    const folder = folderOf({
      'package.json': manifest('express', '@prisma/client'),
      'app.js': app,
      'prisma.js': `import { PrismaClient } from './generated/client.js';\nexport const prisma = new PrismaClient();\n`,
      'prisma/schema.prisma': `generator client {\n  provider = "prisma-client"\n  output = "../generated"\n}\n
model User {\n  id Int @id\n  @@map("app_users")\n}\nmodel Post {\n  id Int @id\n}\n`,
    });
    expect(init(folder, 'lists', '--table', table, '--yes')).toMatchObject({ code: 0, err: '' });
    expect(readProject(folder).files).toContain('lists/users.js');
  });

  it.each([
    ['lines', 'it has no primary key'],
    ['totals', 'it is a view without a key in "keys"'],
    ['friends', 'it joins two tables, whose lists have relations through it'],
  ])('says why the database gives no list of %s', (table, reason) => {
    const folder = folderOf({ 'package.json': manifest('express'), 'app.js': app });
    const database = new DatabaseSync(path.join(folder, 'app.db'));
    database.exec(`create table users (id integer primary key); create table lines (text text);
      create view totals as select count(*) as number from lines;
      create table friends (user_id integer not null references users, friend_id integer not null references users,
        primary key (user_id, friend_id))`);
    database.close();
    const from = ['--source', 'node:sqlite', '--database', 'sqlite:app.db'];
    const { code, err } = init(folder, 'lists', '--table', table, ...from, '--yes');
    const told = `the table ${table} cannot be listed, because ${reason}; --table must be one of users.`;
    expect([code, err]).toEqual([2, expect.stringContaining(told)]);
  });

  it.each([
    ['import', 'module', `export default drizzle('postgres://localhost/app');`],
    ['require', 'commonjs', `module.exports = drizzle('postgres://localhost/app');`],
  ])('finds a connection that a module exports without a name, under %s', (way, kind, line) => {
    const as = (text: string) =>
      way === 'import'
        ? text
        : text
            .replaceAll(/import (.*) from '(.*)';/g, "const $1 = require('$2');")
            .replaceAll('export const', 'const');
    const folder = folderOf({
      'package.json': manifest('express', 'drizzle-orm', 'pg').replace('module', kind),
      'schema.js': way === 'import' ? schema : `${as(schema)}module.exports = { lines };\n`,
      'my-db.js': as(db).replace(/^(export )?const db = .*$/m, line),
      'app.js': as(app),
    });
    const { code, err } = init(folder, 'lists', '--table', 'lines', '--yes');
    expect([code, err]).toEqual([0, '']);
  });

  it('prints the lines to add where the application has no name', () => {
    const text = "import fastify from 'fastify';\nexport default fastify();\n";
    const files = {
      ...project,
      'package.json': manifest('fastify', 'drizzle-orm'),
      'app.js': text,
    };
    const folder = folderOf(files);
    const { code, out } = init(folder, 'lists', '--table', 'users', '--yes');
    expect([code, out]).toEqual([0, expect.stringContaining('app.register(usersRoutes')]);
    expect(readFileSync(path.join(folder, 'app.js'), 'utf8')).toBe(text);
  });

  it.each([
    ['orderLine', 'order-lines', 'orderLines'],
    ['2nd_opinions', '2nd-opinions', 'list2ndOpinions'],
    ['_2ndOpinions', '2nd-opinions', 'list2ndOpinions'],
    ['заказы', 'rows', 'rows'],
  ])('names files, paths and variables of the table %s', (model, kebab, camel) => {
    expect(namesOf({ model } as Parameters<typeof namesOf>[0])).toMatchObject({ kebab, camel });
  });

  it('needs a package.json', () => {
    expect(init(folderOf({}), 'lists')).toMatchObject({ code: 2 });
    expect(init(folderOf({ 'package.json': '{' }), 'lists')).toMatchObject({ code: 2 });
    expect(init(folderOf(project), 'both')).toMatchObject({ code: 2 });
  });
});

describe('sluice init board', () => {
  const withQueues = { ...project, 'package.json': manifest('express', 'bullmq') };

  it('takes the queues that are exported, or those that are named', () => {
    const folder = folderOf(withQueues);
    const asked = init(folder, 'board', '--yes');
    expect([asked.code, asked.err]).toEqual([2, expect.stringContaining('--queues a,b')]);
    expect(init(folder, 'board', '--queues', "a'b", '--yes').code).toBe(2);
    expect(init(folder, 'board', '--queues', 'mail,big-jobs', '--yes').code).toBe(0);
    const text = readFileSync(path.join(folder, 'queues-board.js'), 'utf8');
    expect(text).toContain("new Queue('big-jobs', {");
    expect(text).toContain('bullmqQueue(mailQueue), bullmqQueue(bigJobsQueue)');
    expect(text).toContain('process.env.BOARD_TOKEN ?? randomUUID()');
  });

  const ending = (owner: string, blanks: string): string =>
    [
      '// A queue that is closed while it connects may reject later.',
      `const connected = Promise.allSettled([${owner}mailQueue.waitUntilReady()]);`,
      'await Promise.race([connected, setTimeout(1_000, undefined, { ref: false })]);',
      `await Promise.all([${owner}mailQueue.close()]);`,
    ].join(`\n${blanks}`);

  it.each([
    [
      'express',
      `closeQueuesBoard = async () => {\n  await board.close();\n  ${ending('', '  ')}\n};`,
    ],
    ['fastify', `addHook('onClose', async () => {\n    ${ending('', '    ')}\n  });`],
    ['@nestjs/core', `async onApplicationShutdown() {\n    ${ending('this.', '    ')}\n  }`],
  ])('closes with the application of %s the queues that it has opened', (framework, text) => {
    const folder = folderOf({
      'package.json': manifest(framework, 'bullmq'),
      'tsconfig.json': '{}',
      'a.ts': '',
    });
    const { code, out } = init(folder, 'board', '--queues', 'mail', '--yes');
    expect([code, out]).toEqual([0, expect.stringContaining('Written')]);
    expect(out.includes('call closeQueuesBoard()')).toBe(framework === 'express');
    const name = framework === '@nestjs/core' ? 'queues-board.module.ts' : 'queues-board.ts';
    expect(readFileSync(path.join(folder, name), 'utf8')).toContain(text);
  });

  it('gives the test that starts the application a time limit of its own', () => {
    const folder = folderOf({
      'package.json': manifest('@nestjs/core', '@nestjs/testing', 'bullmq', 'vitest'),
      'tsconfig.json': '{}',
      'src/main.ts': `import { NestFactory } from '@nestjs/core';\nimport { AppModule } from './app.module';\nconst app = await NestFactory.create(AppModule);\nawait app.listen(3000);\n`,
      'src/app.module.ts': `import { Module } from '@nestjs/common';\n@Module({ imports: [] })\nexport class AppModule {}\n`,
    });
    const { code, err } = init(folder, 'board', '--queues', 'mail', '--yes');
    expect([code, err]).toEqual([0, '']);
    const text = readFileSync(path.join(folder, 'src/queues-board.module.spec.ts'), 'utf8');
    expect(text).toMatch(/createTestingModule[^]*\}, 60_000\);/);
  });

  it('leaves to the project the queues that it exports', () => {
    const queue = "import { Queue } from 'bullmq';\nexport default new Queue('mail');\n";
    for (const framework of ['express', 'fastify']) {
      const folder = folderOf({
        'package.json': manifest(framework, 'bullmq'),
        'mail-queue.js': queue,
      });
      expect(init(folder, 'board', '--yes').code).toBe(0);
      const text = readFileSync(path.join(folder, 'queues-board.js'), 'utf8');
      expect(text).toContain("import mailQueue from './mail-queue.js'");
      expect(text).not.toContain('mailQueue.close()');
      const test = readFileSync(path.join(folder, 'queues-board.test.js'), 'utf8');
      expect(test).toContain('await Promise.all([mailQueue.close()])');
    }
  });

  it('tells queues of one name in two modules apart', () => {
    const queue = (name: string) =>
      `import { Queue } from 'bullmq';\nexport const queue = new Queue('${name}');\n`;
    const files = { 'mail/queue.js': queue('mail'), 'pdf/queue.js': queue('pdf') };
    const folder = folderOf({ ...withQueues, ...files });
    expect(init(folder, 'board', '--yes').code).toBe(0);
    const text = readFileSync(path.join(folder, 'queues-board.js'), 'utf8');
    expect(text).toContain("import { queue } from './mail/queue.js'");
    expect(text).toContain("import { queue as queue_2 } from './pdf/queue.js'");
    expect(text).toContain('[bullmqQueue(queue), bullmqQueue(queue_2)]');
  });

  it('names each queue once, and two of one spelling apart', () => {
    const folder = folderOf(withQueues);
    expect(init(folder, 'board', '--queues', 'a-b,a.b,a-b', '--yes').code).toBe(0);
    const text = readFileSync(path.join(folder, 'queues-board.js'), 'utf8');
    expect(text.match(/const \w+Queue = new Queue\('.*'/g)).toEqual([
      "const aBQueue = new Queue('a-b'",
      "const aB_2Queue = new Queue('a.b'",
    ]);
  });

  it.each([
    ['no library', manifest('express'), [], '--library'],
    ['two libraries', manifest('express', 'bullmq', 'pg-boss'), [], '--library bullmq or pg-boss'],
    [
      'an option of lists',
      manifest('express', 'bullmq'),
      ['--table', 'a'],
      '--table is of init lists',
    ],
  ])('ends with 2 where there is %s', (_, text, args, message) => {
    const { code, err } = init(folderOf({ 'package.json': text }), 'board', ...args, '--yes');
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });
});
