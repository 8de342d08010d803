/** The engine of a board: opened when the board is created, and after a failure again at the next request. */

import type { EngineName } from '../contract/index.ts';
import type { AnyHandler } from './dispatch.ts';
import type { BoardEngine, EngineFactory, EngineHost } from './engine.ts';

/** An engine that may still be opening. */
export interface OpenedEngine {
  /** The handler of an operation. Rejects when the engine cannot be opened. */
  handlerOf(operation: string): Promise<AnyHandler>;
  readonly translateError: NonNullable<BoardEngine['translateError']>;
  close(): Promise<void>;
}

export function openEngine<Name extends EngineName>(
  factory: EngineFactory<Name>,
  host: EngineHost,
): OpenedEngine {
  let engine: BoardEngine<Name> | undefined;
  let opening: Promise<BoardEngine<Name>> | undefined;
  const open = (): Promise<BoardEngine<Name>> => {
    opening ??= factory.open(host).then(
      (opened) => (engine = opened),
      (error: unknown) => {
        opening = undefined;
        throw error;
      },
    );
    return opening;
  };
  open().catch((error: unknown) => {
    host.options.logger.error(`Board: the ${factory.engine} engine cannot be opened`, error);
  });
  return {
    async handlerOf(operation) {
      const { handlers } = engine ?? (await open());
      const table: Readonly<Record<string, unknown>> = handlers;
      const handler = table[operation];
      if (!isHandler(handler)) throw new Error(`The ${factory.engine} engine lacks ${operation}`);
      return handler;
    },
    translateError: (error) => engine?.translateError?.(error),
    async close() {
      const opened = await opening?.catch(() => undefined);
      await opened?.close();
    },
  };
}

/** Handlers are typed per route; here, the route is known only by name. */
function isHandler(value: unknown): value is AnyHandler {
  return typeof value === 'function';
}
