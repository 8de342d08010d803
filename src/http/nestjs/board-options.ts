/** Options of `BoardModule`, and how a board of them is injected. */

import { Inject, type ModuleMetadata } from '@nestjs/common';
import type {
  BoardQueue,
  KvqBoardConfig,
  PgqBoardConfig,
  QueueOptions,
} from '../../board/index.ts';
import { normalizeBasePath } from '../../lib/index.ts';

/** Where the module mounts its board. */
export interface BoardPlace {
  /** Path of the board below the global prefix of the application, such as `/admin/queues`. */
  readonly route: string;
  /**
   * Path under which browsers find the board, where a proxy strips a part of it. Default: the path of `auth`, else the
   * global prefix and `route`.
   */
  readonly basePath?: string;
}

/** Options of `BoardModule.forRoot`: those of `createBoard`, and where to mount the board. */
export type BoardModuleOptions = BoardPlace &
  (Omit<KvqBoardConfig, 'serverAdapter'> | Omit<PgqBoardConfig, 'serverAdapter'>);

/** Options of `BoardModule.forRootAsync`. */
export interface BoardModuleAsyncOptions extends Pick<ModuleMetadata, 'imports'> {
  /** Returns the options; its arguments are the providers of `inject`. */
  // Nest knows the types of providers by their tokens only.
  readonly useFactory: (...providers: never[]) => BoardModuleOptions | Promise<BoardModuleOptions>;
  /** Tokens of the providers that `useFactory` receives. Default: none. */
  readonly inject?: readonly (string | symbol | Function)[];
}

/** A queue that `@nestjs/bullmq` or `@nestjs/bull` has registered, by its name, with its options on the board. */
export interface RegisteredQueue extends QueueOptions {
  /** Name given to `BullModule.registerQueue`. */
  readonly name: string;
  /** Library of the queue. Default `bullmq`. */
  readonly library?: 'bull' | 'bullmq';
}

/** A queue of `BoardModule.forFeature`. */
export type FeatureQueue = BoardQueue | RegisteredQueue;

/** Token of the board. */
export const boardToken: unique symbol = Symbol('sluice board');

/** Injects the board of `BoardModule`. */
export const InjectBoard = (): ParameterDecorator & PropertyDecorator => Inject(boardToken);

/**
 * Joins the global prefix and the route.
 *
 * @throws {TypeError} when the result is not a path
 */
export function mountPathOf(globalPrefix: string, route: unknown): string {
  const path =
    typeof route === 'string' ? normalizeBasePath(`${globalPrefix}/${route}`) : undefined;
  if (path === undefined) throw new TypeError('"route" must be a path such as /admin/queues');
  return path;
}
