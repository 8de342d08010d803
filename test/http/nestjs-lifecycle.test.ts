/**
 * `BoardModule` where there is no HTTP server, or not yet one: modules that a test compiles, application contexts of
 * workers, and applications that a test initialises without listening.
 */

import 'reflect-metadata';
import { setImmediate as turn } from 'node:timers/promises';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter as NestExpress } from '@nestjs/platform-express';
import { FastifyAdapter as NestFastify } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { Queue } from 'bullmq';
import { afterAll, describe, expect, it } from 'vitest';
import { type KvqBoard, type QueueOptions, bullmqQueue } from '../../src/board/index.ts';
import { openBoard } from '../../src/board/core/index.ts';
import { LateMount, createdToken } from '../../src/http/nestjs/board-module.ts';
import { BoardModule, InjectBoard } from '../../src/http/nestjs/index.ts';
import { quiet } from '../quiet.ts';
import { everyServiceRequired, findRedis } from '../services/index.ts';
import { memoryEngine } from '../board/core/memory-engine.ts';
import { boardToken } from '../../src/http/nestjs/board-options.ts';

const redis = await findRedis();
if ('missing' in redis && everyServiceRequired()) throw new Error(redis.advice);
const queue = new Queue('nest-lifecycle', {
  connection: { url: 'missing' in redis ? '' : redis.url },
});
queue.on('error', quiet);
afterAll(async () => {
  await queue.obliterate();
  await queue.close();
  if (!('missing' in redis)) await redis.dispose();
});

@Controller()
class AppController {
  @InjectBoard() readonly board!: KvqBoard;

  @Get()
  hello() {
    return 'Hello World!';
  }

  /** A route of the application that takes every path. */
  @Get('*')
  rest() {
    return 'any other page';
  }
}

@Module({
  imports: [
    BoardModule.forRootAsync({ useFactory: () => ({ route: '/admin/queues', auth: false }) }),
    BoardModule.forFeature(bullmqQueue(queue)),
  ],
  controllers: [AppController],
})
class AppModule {}

const platforms = {
  Express: () => new NestExpress(),
  Fastify: () => new NestFastify(),
} as const;

const compiled = () => Test.createTestingModule({ imports: [AppModule] }).compile();

describe('BoardModule without an HTTP server', () => {
  it('is compiled in the module of a unit test', async () => {
    const module = await compiled();
    expect(module.get(AppController).hello()).toBe('Hello World!');
    await module.close();
  });

  it('lies in the application context of a worker, which can use the board and ends', async () => {
    const context = await NestFactory.createApplicationContext(AppModule, { logger: false });
    const { board } = context.get(AppController);
    expect(context.get(boardToken)).toBe(board);
    const request = new Request('http://127.0.0.1/api/queues?activeQueue=nest-lifecycle');
    const answer = await board.fetch(request);
    expect(await answer.json()).toMatchObject({ queues: [{ name: 'nest-lifecycle' }] });
    await context.close();
    expect((await board.fetch(request)).status).toBe(503);
  });
});

it('a queue that another module has registered has its options on the board', async () => {
  const { name } = queue;
  const board = async (options: QueueOptions) => {
    @Module({
      imports: [
        BoardModule.forRoot({ route: '/board', auth: false }),
        BoardModule.forFeature({ name, ...options }),
      ],
      providers: [{ provide: `BullQueue_${name}`, useValue: queue }],
    })
    class Registered {}
    const context = await NestFactory.createApplicationContext(Registered, { logger: false });
    const { fetch: ask } = context.get<KvqBoard>(boardToken);
    const answer = await ask(new Request('http://127.0.0.1/api/queues'));
    await context.close();
    return answer.json();
  };
  expect(await board({ displayName: 'Mail' })).toMatchObject({
    queues: [{ name, displayName: 'Mail' }],
  });
  expect(await board({ visibilityGuard: () => false })).toMatchObject({ queues: [] });
});

describe.each(Object.entries(platforms))('BoardModule on %s', (_name, platform) => {
  it('is mounted by an application that a test initialises, in front of its routes', async () => {
    const module = await compiled();
    const app = module.createNestApplication(platform() as never, { logger: false });
    await app.init();
    await app.listen(0, '127.0.0.1');
    const origin = await app.getUrl();
    const text = async (path: string) => (await fetch(`${origin}${path}`)).text();
    expect(await text('/')).toBe('Hello World!');
    expect(await text('/elsewhere')).toBe('any other page');
    expect(await text('/admin/queues')).toContain('<!doctype html>');
    expect(await text('/admin/queues/api/queues')).toContain('nest-lifecycle');
    await app.close();
  });
});

it('an application waits for its board, and that for the requests under way', async () => {
  let open = (): void => undefined;
  const engine = memoryEngine({ until: new Promise<void>((resolve) => (open = resolve)) });
  const mount = new LateMount();
  const board = openBoard(engine.factory, mount, {}, false);
  const module = await Test.createTestingModule({
    imports: [BoardModule.forRoot({ route: '/board', auth: false })],
  })
    .overrideProvider(createdToken)
    .useValue({ board, mount, route: '/board' })
    .compile();
  await module.init();
  const order: unknown[] = [];
  const asked = board.fetch(new Request('http://127.0.0.1/api/pgq/queues'));
  const answered = asked.then(({ status }) => order.push(status));
  await expect.poll(() => engine.ran).toEqual(['listPgqQueues']);
  const closed = module.close().then(() => order.push(`closed ${engine.closed}`));
  for (let turns = 0; turns < 20; turns += 1) await turn();
  open();
  await Promise.all([answered, closed]);
  expect(order).toEqual([200, 'closed 1']);
});

it('two applications in one process have a board each', async () => {
  const [one, other] = await Promise.all([compiled(), compiled()]);
  const boards = [one, other].map((module) => module.get(AppController).board);
  expect(boards[0]).not.toBe(boards[1]);
  await one.close();
  const answer = await boards[1]?.fetch(new Request('http://127.0.0.1/api/queues'));
  expect(answer?.status).toBe(200);
  await other.close();
});
