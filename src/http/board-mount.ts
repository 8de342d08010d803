/** The part that all server adapters share: one board, and the path under which browsers find it. */

import { normalizeBasePath, pathOf } from '../lib/index.ts';
import type { ServedBoard, ServerAdapter } from '../board/core/index.ts';

export abstract class BoardMount implements ServerAdapter {
  #basePath: string | undefined;
  #board: ServedBoard | undefined;

  /**
   * Sets the path under which browsers find the board, with the prefix that a proxy in front strips. May be called at
   * any time. Default: the path of the authentication (`publicUrl`, else `basePath`), else where the board is mounted.
   *
   * @throws {TypeError} when it is not a path, or not that of the board's authentication
   */
  setBasePath(basePath: string): this {
    const normalized = mountPathOf('basePath', basePath);
    checkPaths(normalized, this.#board);
    this.#basePath = normalized;
    return this;
  }

  /**
   * Called by `createBoard`.
   *
   * @throws {Error} when the adapter already has a board
   * @throws {TypeError} when the board's authentication has another path than the adapter
   */
  attach(board: ServedBoard): void {
    if (this.#board)
      throw new Error(
        'A server adapter serves one board; create another adapter for the next board',
      );
    checkPaths(this.#basePath, board);
    this.#board = board;
  }

  /** The board; undefined until `createBoard`. */
  protected get board(): ServedBoard | undefined {
    return this.#board;
  }

  /** The path that was set, or that of the authentication. */
  protected get ownBasePath(): string | undefined {
    return this.#basePath ?? this.#board?.auth?.publicPath ?? undefined;
  }
}

/** A server adapter for frameworks that do not tell a handler where it is mounted. */
export abstract class PlacedMount extends BoardMount {
  #mountPath: string | undefined;

  /**
   * Sets the path under which requests for the board arrive at this process, where a proxy strips the base path or a
   * part of it: `/` if it strips all of it. Default: where the framework has mounted the board, else the base path.
   *
   * @throws {TypeError} when it is not a path
   */
  setMountPath(mountPath: string): this {
    this.#mountPath = mountPathOf('mountPath', mountPath);
    return this;
  }

  /** The path that was set, else the base path. */
  protected get ownMountPath(): string {
    return this.#mountPath ?? this.ownBasePath ?? '';
  }
}

/**
 * A path in its normal form.
 *
 * @throws {TypeError} when the value of the option is not a path
 */
function mountPathOf(option: string, value: string): string {
  const normalized = normalizeBasePath(value);
  if (normalized !== undefined) return normalized;
  throw new TypeError(`"${option}" must be a path such as /admin/queues`);
}

/** Login, cookie and board must share one path; otherwise clients could not reach all of them. */
function checkPaths(basePath: string | undefined, board: ServedBoard | undefined): void {
  const path = board?.auth?.publicPath ?? null;
  if (basePath === undefined || path === null || path === basePath) return;
  throw new TypeError(
    '"basePath" must be the path of the authentication: that of "publicUrl", else its "basePath"',
  );
}

/**
 * The mount path of a target, from the pattern of a route such as `/admin/:tenant/queues/*`: as many segments as the
 * pattern has in front of its wildcard, as the client spelled them.
 */
export function mountedAt(pattern: string, target: string): string {
  const count = pattern.split('/').filter((segment) => segment !== '' && segment !== '*').length;
  return pathOf(target)
    .split('/')
    .slice(0, count + 1)
    .join('/');
}
