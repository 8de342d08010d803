/** List endpoints in a NestJS application, on Express and Fastify: the same requests, answers and documentation. */

import 'reflect-metadata';
import { once } from 'node:events';
import { request } from 'node:http';
import {
  Controller,
  Get,
  HttpCode,
  type INestApplication,
  Module,
  Param,
  Post,
} from '@nestjs/common';
import { type AbstractHttpAdapter, NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { ApiOkResponse, DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ItemQuery, ListQuery, QueryModule, QuerySignal } from '../../src/http/nestjs/index.ts';
import { QueryError, openApiOperation, runOne, runQuery } from '../../src/index.ts';
import type { ListRequestInput } from '../../src/index.ts';
import { freePort } from '../services/server-process.ts';
import { tileRules, tileSource, tiles } from './tiles.ts';

const source = tileSource();
const single = tileSource(async ({ where }) =>
  tiles.filter(({ id }) => where?.type === 'condition' && where.value === id),
);
/** The last state of the signal of the last waiting request. */
let stopped: Promise<boolean> | undefined;
let waiting: (() => void) | undefined;
const reported: unknown[] = [];

@Controller('tiles')
class TilesController {
  @Get()
  list(@ListQuery(tileRules) query: string) {
    return runQuery(source, query, tileRules);
  }

  @Post()
  @HttpCode(200)
  search(@ListQuery(tileRules) query: ListRequestInput) {
    return runQuery(source, query, tileRules);
  }

  @Get('one/:id')
  one(@Param('id') id: string, @ItemQuery(tileRules) query: string) {
    return runOne(single, id, query, tileRules);
  }

  @Get('described')
  @ApiOkResponse({ description: 'Tiles of the house.' })
  described(@ListQuery(tileRules) query: string) {
    return runQuery(source, query, tileRules);
  }

  @Get('away')
  away() {
    throw new QueryError('SOURCE_UNAVAILABLE', 'Away.', { retryAfterSeconds: 7 });
  }

  @Get('waiting')
  wait(@QuerySignal() signal: AbortSignal) {
    stopped = once(signal, 'abort').then(() => signal.aborted);
    waiting?.();
    return stopped;
  }
}

@Module({
  imports: [QueryModule.forRoot({ onError: (error) => reported.push(error.code) })],
  controllers: [TilesController],
})
class AppModule {}

@Module({ controllers: [TilesController] })
class PlainModule {}

const platforms = [
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter()],
] as const;

async function listening(module: new () => object, adapter: AbstractHttpAdapter) {
  const app = await NestFactory.create(module, adapter, { logger: false });
  const port = await freePort();
  await app.listen(port, '127.0.0.1');
  return { app, origin: `http://127.0.0.1:${port}` };
}

describe.each(platforms)('NestJS on %s', (_, adapter) => {
  let app: INestApplication;
  let origin: string;
  beforeAll(async () => ({ app, origin } = await listening(AppModule, adapter())));
  afterAll(() => app.close());

  const get = async (path: string) => {
    const response = await fetch(origin + path);
    const body = (await response.json()) as unknown;
    return { status: response.status, headers: response.headers, body };
  };

  it('answers a list request as the client wrote it', async () => {
    const { status, body } = await get(
      '/tiles?filter[colour][in]=red,"red%20%26%20blue"&perPage=5',
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({
      data: [{ colour: 'red' }, { colour: 'red & blue' }],
      perPage: 5,
      total: 2,
    });
  });

  it('answers a list request with a body', async () => {
    const colours = Array.from({ length: 900 }, (_, at) => `${'x'.repeat(40)}${at}`);
    const parameters = { 'filter[colour][in]': [...colours, 'green'].join(), fields: 'id' };
    const post = async (body: URLSearchParams | string, type?: string) => {
      const headers = type ? { 'content-type': type } : {};
      const sent = await fetch(`${origin}/tiles?perPage=5`, { method: 'POST', headers, body });
      return { status: sent.status, body: (await sent.json()) as unknown };
    };
    const expected = { status: 200, body: { data: [{ id: 2 }], perPage: 5 } };
    expect(await post(new URLSearchParams(parameters))).toMatchObject(expected);
    expect(await post(JSON.stringify(parameters), 'application/json')).toMatchObject(expected);
    expect(await post('weight=1', 'application/x-www-form-urlencoded')).toMatchObject({
      status: 400,
      body: { code: 'QUERY_SYNTAX_UNKNOWN_PARAM' },
    });
  });

  it('answers one row', async () => {
    expect(await get('/tiles/one/1?fields=colour')).toMatchObject({
      status: 200,
      body: { colour: 'red' },
    });
    expect(await get('/tiles/one/9')).toMatchObject({
      status: 404,
      body: { code: 'ROW_NOT_FOUND' },
    });
    expect(await get('/tiles/one/2?perPage=2')).toMatchObject({ status: 400 });
  });

  it('answers 400 to a request outside the rules', async () => {
    const { status, body } = await get('/tiles?sort=weight');
    expect(status).toBe(400);
    expect(body).toMatchObject({
      statusCode: 400,
      code: 'FIELD_NOT_ALLOWED',
      details: { path: 'weight' },
    });
  });

  it('answers 503 with Retry-After, and reports it', async () => {
    const { status, headers } = await get('/tiles/away');
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toBe('7');
    expect(reported).toContain('SOURCE_UNAVAILABLE');
  });

  it('answers the same status without QueryModule', async () => {
    const plain = await listening(PlainModule, adapter());
    try {
      const refused = await fetch(`${plain.origin}/tiles?sort=weight`);
      expect(refused.status).toBe(400);
      expect(await refused.json()).toEqual({
        statusCode: 400,
        message: 'A path in "sort" is not allowed here.',
      });
      expect((await fetch(`${plain.origin}/tiles/one/9`)).status).toBe(404);
      expect((await fetch(`${plain.origin}/tiles/away`)).status).toBe(503);
    } finally {
      await plain.app.close();
    }
  });

  it('leaves other errors to NestJS', async () => {
    const { status, body } = await get('/nothing');
    expect(status).toBe(404);
    expect(body).toMatchObject({ statusCode: 404, error: 'Not Found' });
  });

  it('aborts the signal when the client disconnects', async () => {
    const arrived = new Promise<void>((resolve) => (waiting = resolve));
    const client = request(`${origin}/tiles/waiting`).on('error', () => undefined);
    client.end();
    await arrived;
    client.destroy();
    expect(await stopped).toBe(true);
  });

  it('documents parameters, answer and errors', async () => {
    const config = new DocumentBuilder().setOpenAPIVersion('3.1.0').setTitle('Tiles').build();
    const document = SwaggerModule.createDocument(app, config);
    const operation = openApiOperation(tileRules);
    const listed = document.paths['/tiles']?.get;
    expect(listed?.parameters).toEqual(operation.parameters);
    expect(listed?.responses).toEqual(operation.responses);
    const one = document.paths['/tiles/one/{id}']?.get;
    const { parameters, responses } = openApiOperation(tileRules, { of: 'item' });
    expect(one?.parameters).toEqual(expect.arrayContaining([...parameters]));
    expect(one?.parameters).toHaveLength(parameters.length + 1);
    expect(one?.responses).toEqual(responses);
    expect(Object.keys(responses)).toContain('404');
    const own = document.paths['/tiles/described']?.get?.responses['200'];
    expect(own).toMatchObject({
      description: expect.stringContaining('Tiles of the house.') as string,
    });
    const copy = JSON.parse(JSON.stringify(document)) as Record<string, unknown>;
    expect(await new Validator().validate(copy)).toMatchObject({ valid: true });
  });
});
