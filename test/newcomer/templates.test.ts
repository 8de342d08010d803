/**
 * The templates of `create-next-app` and `@nestjs/cli` with a board and lists, as the documents show them: the builds and
 * the tests of the template itself, with the tarball.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forgetKeys } from '../forget-keys.ts';
import { everyServiceRequired, findRedis } from '../services/index.ts';
import { type FreshFolder, freshFolder, removeTarball } from './fresh-folder.ts';
import { generatedProject } from './generated-project.ts';
import { programIn, replaced } from './printed-program.ts';

const redis = await findRedis();
if ('missing' in redis && everyServiceRequired()) throw new Error(redis.advice);
const connection = JSON.stringify({ url: 'missing' in redis ? '' : redis.url });
const prefix = `template-${process.pid}`;

const queues = { bullmq: '^6.0.0', ioredis: '^6.0.0' };

async function nextApp(): Promise<FreshFolder | undefined> {
  // The other template loads a font from Google, which a machine without a way there cannot build.
  const flags = ['--yes', '--empty', '--no-eslint', '--skip-install', '--disable-git'];
  const files = await generatedProject('create-next-app@latest', ['app', ...flags]);
  const route = programIn('docs/frameworks.md', 'route.ts').code;
  return freshFolder(queues, {
    ...files,
    'app/admin/queues/[[...path]]/route.ts': replaced(
      `import { Queue } from 'bullmq';\nimport { bullmqQueue } from 'sluice/board';\n${route}`,
      '{ auth: false }',
      `{ auth: false, queues: [bullmqQueue(new Queue('mail', { connection: ${connection}, prefix: '${prefix}' }))] }`,
    ),
  });
}

/** The template of a version of NestJS; `end` is how its relative imports end. */
async function nestApp(major: number, end: string): Promise<FreshFolder | undefined> {
  const flags = ['--skip-install', '--skip-git', '--package-manager', 'npm'];
  const files = await generatedProject(`@nestjs/cli@${major}`, ['new', 'app', ...flags]);
  const imports = `
    import { BullModule } from '@nestjs/bullmq';
    import { BoardModule, QueryModule } from 'sluice/nestjs';
    import { BooksController } from './books.controller${end}';
  `;
  const modules = `
    BullModule.forRoot({ connection: ${connection}, prefix: '${prefix}' }),
    BullModule.registerQueue({ name: 'mail' }),
    BoardModule.forRoot({ route: '/admin/queues', auth: false }),
    BoardModule.forFeature({ name: 'mail' }),
    QueryModule.forRoot(),
  `;
  const root = replaced(
    replaced(files['src/app.module.ts'] ?? '', 'imports: []', `imports: [${modules}]`),
    'controllers: [',
    'controllers: [BooksController, ',
  );
  const books = `
    import { Controller, Get } from '@nestjs/common';
    import { defineQueryRules, defineSchemaRegistry, planQuery } from 'sluice';
    import { ListQuery } from 'sluice/nestjs';

    const registry = defineSchemaRegistry([
      {
        model: 'book',
        primaryKey: ['id'],
        fields: [{ path: 'id', kind: 'integer', nullable: false, primaryKey: true }],
        relations: [],
      },
    ]);
    const rules = defineQueryRules(registry, 'book', { sorts: ['id'], fields: 'all' });

    @Controller('books')
    export class BooksController {
      @Get()
      list(@ListQuery(rules) query: string) {
        return planQuery(query, rules);
      }
    }
  `;
  const unit = `
    import { NestFactory } from '@nestjs/core';
    import { Test } from '@nestjs/testing';
    import { AppModule } from './app.module${end}';

    describe('AppModule', () => {
      it('is compiled', async () => {
        const module = await Test.createTestingModule({ imports: [AppModule] }).compile();
        await module.close();
      });

      it('is the context of a worker', async () => {
        const context = await NestFactory.createApplicationContext(AppModule, { logger: false });
        await context.close();
      });
    });
  `;
  // The test of the template, with requests to the board and the list beside the one that it has.
  const endToEnd = (files['test/app.e2e-spec.ts'] ?? '').replace(
    /it\('\/ \(GET\)'/,
    `it('serves its board and list', async () => {
      const answer = (route: string) => request(app.getHttpServer()).get(route);
      await answer('/admin/queues').expect(200).expect('content-type', /html/);
      await answer('/admin/queues/api/queues').expect(200).expect(/"mail"/);
      await answer('/books?sort=-id').expect(200);
      await answer('/books?sort=title').expect(400);
    });

    $&`,
  );
  expect(endToEnd).toContain('serves its board');
  return freshFolder(
    { ...queues, '@nestjs/bullmq': `^${major}.0.0` },
    {
      ...files,
      'src/app.module.ts': imports + root,
      'src/books.controller.ts': books,
      'src/app.module.spec.ts': unit,
      'test/app.e2e-spec.ts': endToEnd,
    },
  );
}

const folders = new Map<string, FreshFolder | undefined>();
beforeAll(async () => {
  if ('missing' in redis) return;
  const made = { next: nextApp(), vitest: nestApp(12, '.js'), jest: nestApp(11, '') };
  for (const [name, folder] of Object.entries(made)) folders.set(name, await folder);
}, 900_000);
afterAll(async () => {
  await Promise.all([...folders.values()].map((folder) => folder?.remove()));
  if (!('missing' in redis)) {
    const client = new Redis(redis.url);
    await forgetKeys(client, `${prefix}:`);
    client.disconnect();
    await redis.dispose();
  }
  removeTarball();
}, 900_000);

describe('the template of create-next-app', () => {
  it.each(['false', 'true'])('builds with a board, with cacheComponents: %s', async (isCached) => {
    const folder = folders.get('next');
    if (!folder) return;
    // The template has it on, and a setting that needs it.
    const config = path.join(folder.directory, 'next.config.ts');
    const text = readFileSync(config, 'utf8');
    const plain = text.replaceAll(/(cacheComponents|partialPrefetching): true/g, '$1: false');
    expect(plain).not.toBe(text);
    if (isCached === 'false') writeFileSync(config, plain);
    await folder.command('next', 'build');
    writeFileSync(config, text);
    if (isCached === 'false') return;
    const origin = await folder.serve('next', 'start');
    const page = await fetch(`${origin}/admin/queues`);
    expect(page.headers.get('content-type')).toContain('text/html');
    const list = await fetch(`${origin}/admin/queues/api/queues`);
    expect(await list.json()).toMatchObject({ queues: [{ name: 'mail' }] });
  });
});

describe.each([
  ['vitest', ['run'], ['run', '--config', './vitest.config.e2e.ts']],
  ['jest', [], ['--config', './test/jest-e2e.json']],
] as const)('the template of NestJS with %s', (runner, unit, endToEnd) => {
  it('passes its unit tests, and compiles modules without a server', async () => {
    await folders.get(runner)?.command(runner, ...unit);
  });

  it('passes its end-to-end test, with a board and a list', async () => {
    await folders.get(runner)?.command(runner, ...endToEnd);
  });

  // Jest has checked the types, by ts-jest.
  it.runIf(runner === 'vitest')('is built', async () => {
    await folders.get(runner)?.command('nest', 'build');
  });
});
