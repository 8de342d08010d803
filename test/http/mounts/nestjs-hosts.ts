/** Applications of NestJS with a `BoardModule`, on Express and Fastify. */

import 'reflect-metadata';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Catch, Controller, Get, Module, NotFoundException } from '@nestjs/common';
import { ExpressAdapter as NestExpress } from '@nestjs/platform-express';
import { FastifyAdapter as NestFastify } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { BoardModule, LateMount, createdToken } from '../../../src/http/nestjs/board-module.ts';
import { type Host, hostCookie, hostMissing, hostPage } from './hosts.ts';
import type { Place } from './site.ts';

@Controller()
class HostController {
  @Get('host')
  page() {
    return hostPage;
  }
}

/** Answers as the other hosts do. */
@Catch(NotFoundException)
class MissingFilter {
  catch(_error: unknown, host: { switchToHttp(): { getResponse(): unknown } }): void {
    const response = host.switchToHttp().getResponse() as {
      status(code: number): { send(body: string): unknown };
    };
    response.status(404).send(hostMissing);
  }
}

interface WithHook {
  addHook(name: 'onRequest', hook: (request: unknown, reply: WithHeader) => Promise<void>): unknown;
}
interface WithHeader {
  header(name: string, value: string): unknown;
}

async function start(site: Place, platform: 'Express' | 'Fastify') {
  const mount = new LateMount();
  const [, first = '', rest = ''] = /^(\/[^/]*)(.*)$/.exec(site.mountPath) ?? [];
  const route = rest === '' ? site.mountPath || '/' : rest;

  @Module({
    imports: [BoardModule.forRoot({ route })],
    controllers: [HostController],
  })
  class Application {}

  const basePath = site.basePath === site.mountPath ? {} : { basePath: site.basePath };
  const created = { board: site.open(mount), mount, route, ...basePath };
  const module = await Test.createTestingModule({ imports: [Application] })
    .overrideProvider(createdToken)
    .useValue(created)
    .compile();
  const app = module.createNestApplication(
    platform === 'Express' ? new NestExpress() : (new NestFastify() as never),
    { logger: false, bodyParser: site.parsesFirst },
  );
  // The first segment of the mount path, where it has two, is the global prefix of the application.
  if (rest !== '') app.setGlobalPrefix(first, { exclude: ['host'] });
  app.useGlobalFilters(new MissingFilter());
  if (platform === 'Express') {
    app.use(
      (
        _request: unknown,
        response: { setHeader: (...header: string[]) => void },
        next: () => void,
      ) => {
        response.setHeader('set-cookie', hostCookie);
        next();
      },
    );
  } else {
    const instance = app.getHttpAdapter().getInstance() as WithHook;
    instance.addHook('onRequest', async (_request, reply) => {
      reply.header('set-cookie', hostCookie);
    });
  }
  await app.listen(0, '127.0.0.1');
  const server = app.getHttpServer() as Server;
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections();
      await app.close();
    },
  };
}

export const nestHosts: readonly Host[] = (['Express', 'Fastify'] as const).map((platform) => ({
  name: `NestJS 11 on ${platform}`,
  fallsThrough: true,
  start: (site) => start(site, platform),
}));
