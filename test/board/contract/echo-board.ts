/** Boards of both engines whose handlers return their input, with requests that need no server. */

import { openBoard } from '../../../src/board/core/index.ts';
import type {
  BoardRequest,
  EngineFactory,
  EngineHandlers,
  HandlerContext,
  ServedBoard,
} from '../../../src/board/core/index.ts';
import { engineRoutes } from '../../../src/board/contract/index.ts';
import type { EngineName } from '../../../src/board/contract/index.ts';

function echo<Name extends EngineName>(engine: Name): EngineFactory<Name> {
  const handlers = Object.keys(engineRoutes[engine]).map((operation) => [
    operation,
    ({ query, body, params }: HandlerContext) => ({ operation, query, body, params }),
  ]);
  return {
    engine,
    open: async () => ({
      engine,
      handlers: Object.fromEntries(handlers) as EngineHandlers<Name>,
      close: async () => undefined,
    }),
  };
}

function serve(engine: EngineName): ServedBoard {
  let served: ServedBoard | undefined;
  openBoard<EngineName>(
    echo(engine),
    { attach: (board) => void (served = board) },
    // Routes that respond with 204 return the input too.
    {
      handlerHooks: {
        after: (_, { body }) => (body === undefined ? undefined : { status: 200, body }),
      },
    },
  );
  if (!served) throw new Error('The board was not attached');
  return served;
}

const boards: Readonly<Record<EngineName, ServedBoard>> = { kvq: serve('kvq'), pgq: serve('pgq') };

/** The response of an echo board. The path selects the engine. */
export async function ask(
  method: string,
  target: string,
  body?: unknown,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const request: BoardRequest = {
    method,
    path,
    rawQuery: mark < 0 ? '' : target.slice(mark + 1),
    headers: {},
    readBody: async () => ({ value: body }),
    signal: new AbortController().signal,
    basePath: '',
  };
  const answer = await boards[path.startsWith('/api/pgq') ? 'pgq' : 'kvq'].handle(request);
  return { status: answer?.status ?? 0, body: JSON.parse(String(answer?.body ?? '{}')) };
}
