/** The engine of a board: opened when the board is created, and after a failure again at the next request. */

import type { AttentionReading } from './history/attention.ts';
import type { HistoryScope } from './history/scope.ts';
import type { ListQueues } from './live/listing.ts';
import type { HookRequest } from './request/request.ts';
import type { EngineName } from '../contract/index.ts';
import type { AnyHandler } from './dispatch.ts';
import type { BoardEngine, EngineFactory, EngineHost } from './engine.ts';

/** An engine that may still be opening. */
export interface OpenedEngine {
  /** The handler of an operation. Rejects when the engine cannot be opened. */
  handlerOf(operation: string): Promise<AnyHandler>;
  historyScope(request: HookRequest): Promise<HistoryScope>;
  attentionReadings(): Promise<readonly AttentionReading[]>;
  readonly listQueues: ListQueues;
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
    async historyScope(request) {
      const opened = engine ?? (await open());
      return opened.historyScope?.(request) ?? everyQueue;
    },
    async attentionReadings() {
      const opened = engine ?? (await open());
      return (await opened.attentionReadings?.()) ?? [];
    },
    async listQueues() {
      const opened = engine ?? (await open());
      if (!opened.listQueues) throw new Error(`The ${factory.engine} engine lists no queues`);
      return opened.listQueues();
    },
    translateError: (...failure) => engine?.translateError?.(...failure),
    async close() {
      const opened = await opening?.catch(() => undefined);
      await opened?.close();
    },
  };
}

/** The scope of an engine that hides nothing. */
const everyQueue: HistoryScope = {
  all: true,
  readOnly: false,
  allows: async () => true,
  names: async () => [],
  isReadOnly: () => false,
};

/** Handlers are typed per route; here, the route is known only by name. */
function isHandler(value: unknown): value is AnyHandler {
  return typeof value === 'function';
}
