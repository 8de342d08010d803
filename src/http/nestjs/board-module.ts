/** The module that serves a board in an application of NestJS, on Express and Fastify. */

import {
  type DynamicModule,
  Inject,
  Module,
  type NestModule,
  type OnModuleDestroy,
  type Provider,
} from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost } from '@nestjs/core';
import type { Board, KvqBoard } from '../../board/index.ts';
import { ExpressAdapter } from '../express/board.ts';
import { FastifyAdapter } from '../fastify/board.ts';
import { boardFeature } from './board-feature.ts';
import { boardToken, mountPathOf } from './board-options.ts';
import type { BoardModuleAsyncOptions, BoardModuleOptions, FeatureQueue } from './board-options.ts';

/** The part of an HTTP adapter of NestJS that the module uses. */
interface HttpAdapter {
  getType(): string;
  getInstance(): unknown;
  use(path: string, handler: unknown): unknown;
}

interface FastifyInstance {
  register(plugin: unknown, options: { prefix: string }): unknown;
}

/** A board, and the adapter that mounts it. */
export interface Created {
  readonly board: Board<'pgq'> | KvqBoard;
  readonly adapter: ExpressAdapter | FastifyAdapter;
  readonly route: string;
}

const optionsToken = Symbol('sluice board options');
/** Token of the board with its adapter. */
export const createdToken = Symbol('sluice created board');

/**
 * Serves one board: `imports: [BoardModule.forRoot({ route: '/admin/queues', queues })]` in the root module. The board
 * can be injected with `@InjectBoard()`, and is closed with the application.
 */
@Module({})
export class BoardModule implements NestModule, OnModuleDestroy {
  readonly #created: Created;
  readonly #host: HttpAdapterHost;
  readonly #config: ApplicationConfig;

  constructor(
    @Inject(createdToken) created: Created,
    @Inject(HttpAdapterHost) host: HttpAdapterHost,
    @Inject(ApplicationConfig) config: ApplicationConfig,
  ) {
    this.#created = created;
    this.#host = host;
    this.#config = config;
  }

  /** A board of these options. */
  static forRoot(options: BoardModuleOptions): DynamicModule {
    return rootModule([{ provide: optionsToken, useFactory: () => options }]);
  }

  /** A board of options that depend on other providers. */
  static forRootAsync({
    imports,
    inject = [],
    useFactory,
  }: BoardModuleAsyncOptions): DynamicModule {
    const provider = { provide: optionsToken, useFactory, inject: [...inject] };
    return rootModule([provider as Provider], imports);
  }

  /**
   * Adds queues to the board of engine `kvq`, in the module that registers them: queues made by `bullmqQueue` and its
   * like, or `{ name }` of those registered with `@nestjs/bullmq` or `@nestjs/bull`.
   */
  static forFeature(...queues: readonly FeatureQueue[]): DynamicModule {
    return boardFeature(queues);
  }

  /** Called by NestJS before it registers the routes of the application. */
  configure(): void {
    const { adapter, route } = this.#created;
    const http: HttpAdapter = this.#host.httpAdapter;
    const path = mountPathOf(this.#config.getGlobalPrefix(), route);
    if (adapter instanceof FastifyAdapter) {
      const instance = http.getInstance() as FastifyInstance;
      instance.register(adapter.registerPlugin(), { prefix: path });
    } else http.use(path || '/', adapter.getRouter());
  }

  /** Called by NestJS when the application closes. */
  onModuleDestroy(): Promise<void> {
    return this.#created.board.close();
  }
}

function rootModule(
  options: readonly Provider[],
  imports: DynamicModule['imports'] = [],
): DynamicModule {
  return {
    module: BoardModule,
    global: true,
    imports,
    providers: [
      ...options,
      { provide: createdToken, useFactory: create, inject: [optionsToken, HttpAdapterHost] },
      {
        provide: boardToken,
        useFactory: ({ board }: Created) => board,
        inject: [createdToken],
      },
    ],
    exports: [boardToken],
  };
}

/** @throws {TypeError} when an option is wrong, or the application runs on neither Express nor Fastify */
async function create(
  { route, basePath, ...config }: BoardModuleOptions,
  { httpAdapter }: HttpAdapterHost,
): Promise<Created> {
  mountPathOf('', route);
  const adapter = adapterOf((httpAdapter as HttpAdapter).getType());
  if (basePath !== undefined) adapter.setBasePath(basePath);
  // Applications without a board do not load it.
  const { createBoard } = await import('../../board/index.ts');
  const board =
    config.engine === 'pgq'
      ? createBoard({ ...config, serverAdapter: adapter })
      : createBoard({ ...config, serverAdapter: adapter });
  return { board, adapter, route };
}

function adapterOf(platform: string): Created['adapter'] {
  if (platform === 'fastify') return new FastifyAdapter();
  if (platform === 'express') return new ExpressAdapter();
  throw new TypeError(`A board needs an application on Express or Fastify, not on "${platform}"`);
}
