/**
 * A board in new projects of Fastify, NestJS 10 to 12 and Next.js, a list in the built application of Next.js, and Jest in a
 * CommonJS project of NestJS: the tarball, installed with npm from the registry.
 */

import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Queue } from 'bullmq';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { request } from 'node:http';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';
import { type FreshFolder, freshFolder, removeTarball } from './fresh-folder.ts';

const token = 'the-token-of-the-fresh-folders-0123456789';
const redis = process.env['SLUICE_REDIS_URL'] ?? 'redis://127.0.0.1:6379';
const connection = { url: redis };
const prefix = `fresh-${process.pid}`;

/** A project, and how it is started. */
interface Project {
  readonly name: string;
  readonly packages: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
  readonly build?: readonly [string, ...string[]];
  readonly start: readonly [string, ...string[]];
  /** Runs the tests of the project. Default: it has none. */
  readonly test?: readonly [string, ...string[]];
  /** Whether the framework compresses responses itself, with gzip. Default false. */
  readonly compresses?: boolean;
}

const auth = `createAuthMiddleware(
  { strategy: 'token', tokens: ['${token}'], user: { username: 'ada' } },
  { basePath: '/admin/queues' },
)`;
/** BullMQ with its driver. */
const queues = { bullmq: '^6.0.0', ioredis: '^6.0.0' };
const queue = `new Queue('mail', { connection: { url: '${redis}' }, prefix: '${prefix}' })`;

const fastify: Project = {
  name: 'Fastify 5',
  packages: { fastify: '^5.0.0', ...queues },
  files: {
    'main.js': `
      import { Queue } from 'bullmq';
      import Fastify from 'fastify';
      import { createAuthMiddleware } from 'sluice/auth';
      import { bullmqQueue, createBoard } from 'sluice/board';
      import { FastifyAdapter } from 'sluice/board/fastify';

      const adapter = new FastifyAdapter();
      createBoard({ queues: [bullmqQueue(${queue})], serverAdapter: adapter, auth: ${auth} });
      const app = Fastify();
      await app.register(adapter.registerPlugin(), { prefix: '/admin/queues' });
      await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
    `,
  },
  start: ['node', 'main.js'],
};

/** A controller with a list endpoint, whose answer is the plan of the request. */
const bookList = `
  const id = { path: 'id', kind: 'integer', nullable: false, primaryKey: true };
  const registry = defineSchemaRegistry([
    { model: 'book', primaryKey: ['id'], fields: [id], relations: [] },
  ]);
  const rules = defineQueryRules(registry, 'book', { sorts: ['id'], fields: 'all' });

  class Books {
    list(query) {
      return planQuery(query, rules);
    }
  }
  Controller('books')(Books);
  Get()(Books.prototype, 'list', Object.getOwnPropertyDescriptor(Books.prototype, 'list'));
  ListQuery(rules)(Books.prototype, 'list', 0);
`;

/**
 * An application that registers its queue with BullModule and has a list endpoint, as an ES module or with `require`.
 */
function nest(major: number, platform: 'express' | 'fastify', form: 'esm' | 'cjs'): Project {
  const adapter = platform === 'express' ? 'ExpressAdapter' : 'FastifyAdapter';
  const load = (names: string, from: string): string =>
    form === 'esm'
      ? `import { ${names} } from '${from}';`
      : `const { ${names} } = require('${from}');`;
  return {
    name: `NestJS ${major} on ${platform}, ${form}`,
    packages: {
      '@nestjs/common': `^${major}.0.0`,
      '@nestjs/core': `^${major}.0.0`,
      [`@nestjs/platform-${platform}`]: `^${major}.0.0`,
      'reflect-metadata': '^0.2.0',
      rxjs: '^7.8.0',
      ...queues,
    },
    files: {
      [`main.${form === 'esm' ? 'mjs' : 'cjs'}`]: `
        ${form === 'esm' ? "import 'reflect-metadata';" : "require('reflect-metadata');"}
        ${load('Controller, Get, Module', '@nestjs/common')}
        ${load('NestFactory', '@nestjs/core')}
        ${load(adapter, `@nestjs/platform-${platform}`)}
        ${load('Queue', 'bullmq')}
        ${load('defineQueryRules, defineSchemaRegistry, planQuery', 'sluice')}
        ${load('createAuthMiddleware', 'sluice/auth')}
        ${load('BoardModule, ListQuery, QueryModule', 'sluice/nestjs')}
        ${bookList}

        // As BullModule.registerQueue of @nestjs/bullmq provides it.
        class Queues {}
        Module({ providers: [{ provide: 'BullQueue_mail', useFactory: () => ${queue} }] })(Queues);
        class Feature {}
        Module({ imports: [Queues, BoardModule.forFeature({ name: 'mail' })] })(Feature);
        class Application {}
        Module({
          imports: [
            BoardModule.forRootAsync({ useFactory: async () => ({ route: 'queues', auth: ${auth} }) }),
            Feature,
            QueryModule.forRoot(),
          ],
          controllers: [Books],
        })(Application);
        (async () => {
          const app = await NestFactory.create(Application, new ${adapter}(), { logger: ['error'] });
          app.setGlobalPrefix('admin');
          await app.listen(Number(process.env.PORT), '127.0.0.1');
        })();
      `,
    },
    start: ['node', `main.${form === 'esm' ? 'mjs' : 'cjs'}`],
  };
}

/** A test of Jest without any configuration: an application with a list endpoint, loaded with `require`. */
const jestTest = `
  require('reflect-metadata');
  const { Controller, Get, Module } = require('@nestjs/common');
  const { NestFactory } = require('@nestjs/core');
  const { defineQueryRules, defineSchemaRegistry, planQuery } = require('sluice');
  const { ListQuery, QueryModule } = require('sluice/nestjs');

${bookList}
  class Application {}
  Module({ imports: [QueryModule.forRoot()], controllers: [Books] })(Application);

  let app;
  beforeAll(async () => {
    app = await NestFactory.create(Application, { logger: ['error'] });
    await app.listen(0, '127.0.0.1');
  }, 60_000);
  afterAll(() => app?.close());

  it('serves lists, and refuses what the rules do not allow', async () => {
    const ask = async (query) => {
      const answer = await fetch((await app.getUrl()) + '/books?' + query);
      return [answer.status, await answer.json()];
    };
    expect(await ask('sort=-id')).toMatchObject([200, { model: 'book' }]);
    expect(await ask('sort=title')).toMatchObject([400, { code: 'FIELD_NOT_ALLOWED' }]);
  }, 60_000);
`;

const nestCommonJs = nest(10, 'express', 'cjs');
const nest10: Project = {
  ...nestCommonJs,
  packages: { ...nestCommonJs.packages, jest: '^30.0.0' },
  files: { ...nestCommonJs.files, 'lists.test.cjs': jestTest },
  test: ['jest', '--runInBand'],
};

const database = await scratchDatabase('postgresql', 'next_lists');
if ('missing' in database && everyServiceRequired()) throw new Error(database.advice);

const next: Project = {
  name: 'Next.js 16, built',
  packages: { next: '^16.0.0', react: '^19.0.0', 'react-dom': '^19.0.0', pg: '^8.0.0', ...queues },
  files: {
    'next.config.mjs': 'export default { cacheComponents: true };\n',
    'app/layout.jsx': `
      export default function Layout({ children }) {
        return <html lang="en"><body>{children}</body></html>;
      }
    `,
    'app/page.jsx': 'export default function Page() { return <p>page of the host</p>; }\n',
    'lib/board.js': `
      import { Queue } from 'bullmq';
      import { createAuthMiddleware } from 'sluice/auth';
      import { bullmqQueue, createBoard } from 'sluice/board';

      export const board = createBoard({ queues: [bullmqQueue(${queue})], auth: ${auth} });
    `,
    'app/admin/queues/[[...path]]/route.js': `
      import { nextBoard } from 'sluice/board/next';
      import { board } from '../../../../lib/board.js';

      export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = nextBoard(board);
    `,
    'lib/books.js': `
      import pg from 'pg';
      import { defineQueryRules } from 'sluice';
      import { sqlRegistry, sqlSource, sqlTables } from 'sluice/sql';

      const connection = new pg.Pool({ connectionString: '${'url' in database ? database.url : ''}' });
      const columns = { id: 'integer', title: 'text' };
      const tables = sqlTables({ book: { table: 'books', primaryKey: 'id', columns } });
      const registry = sqlRegistry(tables, { families: ['postgresql'] });
      export const rules = defineQueryRules(registry, 'book', {
        filters: [{ path: 'id', operators: ['in'] }],
        sorts: ['title'],
        fields: 'all',
      });
      export const source = sqlSource({ connection, registry, tables, model: 'book' });
    `,
    'app/books/route.js': `
      import { listEndpoint } from 'sluice/next';
      import { rules, source } from '../../lib/books.js';

      export const GET = listEndpoint({ source, rules });
      export const POST = GET;
    `,
    // A route handler has no export for QUERY; an API route gets every method.
    'pages/api/books.js': `
      import { listEndpoint } from 'sluice/node';
      import { rules, source } from '../../lib/books.js';

      export const config = { api: { bodyParser: false, externalResolver: true } };
      export default listEndpoint({ source, rules });
    `,
  },
  build: ['next', 'build'],
  start: ['next', 'start'],
  compresses: true,
};

// The mount suite has NestJS 11 on both platforms, from the sources.
const projects = [fastify, nest10, nest(11, 'express', 'cjs'), nest(12, 'fastify', 'esm'), next];

/** Sends a request target unchanged. */
function get(
  origin: string,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
  body = '',
) {
  return new Promise<{ status: number; headers: Record<string, unknown>; bytes: Buffer }>(
    (resolve, reject) => {
      const { hostname, port } = new URL(origin);
      const outgoing = request({ hostname, port, path, method, headers }, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
        incoming.on('end', () => {
          const { statusCode: status = 0, headers: received } = incoming;
          resolve({ status, headers: received, bytes: Buffer.concat(chunks) });
        });
      });
      outgoing.on('error', reject).end(body);
    },
  );
}

let own: Queue;
/** The projects that run, by name: all set up at once, because npm mostly waits. */
const running = new Map<string, { folder: FreshFolder; origin: string }>();
beforeAll(async () => {
  own = new Queue('mail', { connection, prefix });
  await own.add('hello', { to: 'ada' });
  if ('url' in database) {
    const client = new pg.Client(database.url);
    await client.connect();
    const rows = `insert into books values (1, 'Fiasco'), (2, 'Solaris'), (3, 'Éden')`;
    await client.query(`create table books (id integer primary key, title text not null); ${rows}`);
    await client.end();
  }
  await Promise.all(
    projects.map(async ({ name, packages, files, build, start }) => {
      const folder = await freshFolder(packages, files);
      if (!folder) return;
      if (build) await folder.command(...build);
      running.set(name, { folder, origin: await folder.serve(...start) });
    }),
  );
}, 900_000);
afterAll(async () => {
  await Promise.all([...running.values()].map(({ folder }) => folder.remove()));
  await own.obliterate({ force: true });
  await own.close();
  if ('url' in database) await database.drop();
  removeTarball();
  // Thousands of files are removed, which a busy disk takes its time for.
}, 900_000);

const bearer = { authorization: `Bearer ${token}` };

describe.each(projects)('a board in a new project of $name', ({ name, compresses, test }) => {
  let origin: string;
  let folder: FreshFolder;
  beforeEach(({ skip }) => {
    const project = running.get(name);
    if (!project) skip('The registry of npm packages does not answer.');
    else ({ folder, origin } = project);
  });

  it('shows its page and files', async () => {
    const page = await get(origin, '/admin/queues', bearer);
    expect(page.status).toBe(200);
    const [, source = ''] = /src="([^"]+)"/.exec(page.bytes.toString()) ?? [];
    expect(source).toMatch(/^\/admin\/queues\/assets\//);
    const plain = await get(origin, source, bearer);
    expect(plain.headers['cache-control']).toContain('immutable');
    const packed = await get(origin, source, { ...bearer, 'accept-encoding': 'gzip, br' });
    const [encoding, unpack] = compresses ? ['gzip', gunzipSync] : ['br', brotliDecompressSync];
    expect(packed.headers['content-encoding']).toBe(encoding);
    expect(unpack(packed.bytes).equals(plain.bytes)).toBe(true);
  });

  it('lists the jobs of its queue, and answers 304, HEAD and an encoded slash', async () => {
    const path = '/admin/queues/api/queues?activeQueue=mail&status=waiting';
    const listed = await get(origin, path, bearer);
    expect(listed.status).toBe(200);
    expect(JSON.parse(listed.bytes.toString())).toMatchObject({
      queues: [{ name: 'mail', counts: { waiting: 1 } }],
    });
    const etag = String(listed.headers['etag']);
    expect((await get(origin, path, { ...bearer, 'if-none-match': etag })).status).toBe(304);
    const head = await get(origin, path, bearer, 'HEAD');
    expect([head.status, head.bytes.byteLength]).toEqual([200, 0]);
    const slash = await get(origin, '/admin/queues/api/queues/a%2Fb/1', bearer);
    expect(slash.status).toBe(404);
    expect(slash.bytes.toString()).toContain('ERRORS.QUEUE_NOT_FOUND');
  });

  it('refuses who has no token', async () => {
    const answer = await get(origin, '/admin/queues/api/queues');
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="board"');
  });

  it.runIf(name.startsWith('NestJS'))('serves lists, and refuses others', async () => {
    const answers = ['id', 'title'].map((path) => get(origin, `/admin/books?sort=${path}`));
    const [list, refused] = await Promise.all(answers);
    expect([list?.status, JSON.parse(String(list?.bytes))]).toMatchObject([200, { model: 'book' }]);
    expect([refused?.status, JSON.parse(String(refused?.bytes))]).toMatchObject([
      400,
      { code: 'FIELD_NOT_ALLOWED' },
    ]);
  });

  it.runIf(test)('passes tests that load the package', async () => {
    if (test) await folder.command(...test);
  });
});

describe.skipIf('missing' in database)('a list in a built application of Next.js', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const text = 'filter[id][in]=2,3&sort=-title&fields=title';
  const rows = { data: [{ title: 'Éden' }, { title: 'Solaris' }], total: 2 };

  it.each([
    ['a GET', `/books?${text}`, 'GET', ''],
    ['a POST with its parameters as body', '/books', 'POST', text],
    ['a POST with some of them in the address', '/books?fields=title', 'POST', text.slice(0, -13)],
    ['a GET of an API route', `/api/books?${text}`, 'GET', ''],
    ['a QUERY of an API route', '/api/books', 'QUERY', text],
  ])('answers %s', async (_, path, method, body) => {
    const project = running.get(next.name);
    if (!project) return;
    const answer = await get(project.origin, path, body === '' ? {} : form, method, body);
    expect([answer.status, JSON.parse(answer.bytes.toString())]).toMatchObject([200, rows]);
  });

  it('refuses a body of another type, and a path outside the rules', async () => {
    const project = running.get(next.name);
    if (!project) return;
    const json = { 'content-type': 'application/json' };
    for (const [headers, body, code] of [
      [json, '{}', 'QUERY_SYNTAX_INVALID'],
      [form, 'sort=mayor', 'FIELD_NOT_ALLOWED'],
    ] as const) {
      const answer = await get(project.origin, '/books', headers, 'POST', body);
      expect([answer.status, JSON.parse(answer.bytes.toString())]).toMatchObject([400, { code }]);
    }
  });
});
