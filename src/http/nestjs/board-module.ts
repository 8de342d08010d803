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
import type { Board, KvqBoard, ServedBoard, ServerAdapter } from '../../board/index.ts';
import { boardFeature } from './board-feature.ts';
import { boardToken, mountPathOf } from './board-options.ts';
import type { BoardModuleAsyncOptions, BoardModuleOptions, FeatureQueue } from './board-options.ts';

/** The part of an HTTP adapter of NestJS that the module uses. */
interface HttpAdapter {
  getType(): string;
  getInstance(): unknown;
  use(path: string, handler: unknown): unknown;
}

interface PlacedAdapter extends ServerAdapter {
  setBasePath(basePath: string): unknown;
}

interface FastifyInstance {
  register(plugin: unknown, options: { prefix: string }): unknown;
}

/** A board, and where to mount it. */
export interface Created {
  readonly route: string;
  readonly basePath?: string;
  readonly board: Board<'pgq'> | KvqBoard;
  /** Gives the board to the adapter of the platform, which is known once the application has one. */
  readonly mount: LateMount;
}

/** Keeps a board for a server adapter that comes later. */
export class LateMount implements ServerAdapter {
  #board: ServedBoard | undefined;

  attach(board: ServedBoard): void {
    this.#board = board;
  }

  on<Adapter extends ServerAdapter>(adapter: Adapter): Adapter {
    if (this.#board) adapter.attach(this.#board);
    return adapter;
  }
}

const optionsToken = Symbol('sluice board options');
/** Token of the board with its mount. */
export const createdToken = Symbol('sluice created board');

/**
 * Serves one board: `imports: [BoardModule.forRoot({ route: '/admin/queues', queues })]` in the root module. The board
 * can be injected with `@InjectBoard()`, and is closed with the application. Without an HTTP server, as in a test that
 * only compiles the module or in an application context of a worker, the board is not mounted.
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

  /**
   * Called by NestJS before it registers the routes of the application; not where there is no HTTP server.
   *
   * @throws {TypeError} when the application runs on neither Express nor Fastify
   */
  async configure(): Promise<void> {
    const { mount, route, basePath } = this.#created;
    const http: HttpAdapter = this.#host.httpAdapter;
    const path = mountPathOf(this.#config.getGlobalPrefix(), route);
    const on = <Adapter extends PlacedAdapter>(adapter: Adapter): Adapter => {
      if (basePath !== undefined) adapter.setBasePath(basePath);
      return mount.on(adapter);
    };
    const platform = http.getType();
    if (platform === 'fastify') {
      const { FastifyAdapter } = await import('../fastify/board.ts');
      const instance = http.getInstance() as FastifyInstance;
      instance.register(on(new FastifyAdapter()).registerPlugin(), { prefix: path });
    } else if (platform === 'express') {
      const { ExpressAdapter } = await import('../express/board.ts');
      http.use(path || '/', on(new ExpressAdapter()).getRouter());
    } else {
      throw new TypeError(
        `A board needs an application on Express or Fastify, not on "${platform}"`,
      );
    }
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
      { provide: createdToken, useFactory: create, inject: [optionsToken] },
      {
        provide: boardToken,
        useFactory: ({ board }: Created) => board,
        inject: [createdToken],
      },
    ],
    exports: [boardToken],
  };
}

/** @throws {TypeError} when an option is wrong */
async function create({ route, basePath, ...config }: BoardModuleOptions): Promise<Created> {
  mountPathOf('', route);
  const mount = new LateMount();
  // Applications without a board do not load it.
  const { createBoard } = await import('../../board/index.ts');
  const board =
    config.engine === 'pgq'
      ? createBoard({ ...config, serverAdapter: mount })
      : createBoard({ ...config, serverAdapter: mount });
  return { board, mount, route, ...(basePath !== undefined && { basePath }) };
}
