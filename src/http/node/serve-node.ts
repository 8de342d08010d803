/** Serves a board on Node's request and response, after its authentication. */

import type { ServerResponse } from 'node:http';
import type { ServedBoard } from '../../board/core/index.ts';
import { type NodePlace, type NodeRequest, askBoard, sendResponse } from './board-request.ts';

/** Resolves to true when the response has been sent, to false when the path does not belong to the board. */
export async function serveNode(
  board: ServedBoard,
  request: NodeRequest,
  response: ServerResponse,
  place: NodePlace,
): Promise<boolean> {
  if (await board.auth?.handle(request, response)) return true;
  const answer = await askBoard(board, request, response, place);
  if (!answer) return false;
  await sendResponse(answer, request, response);
  return true;
}

/**
 * Gives a request the properties that Express sets, by which the authentication finds the mount path, where the
 * framework has not set them.
 */
export function tellMount(request: NodeRequest, mountPath: string, originalUrl: string): void {
  const told = request as { baseUrl?: unknown; originalUrl?: unknown };
  told.baseUrl ??= mountPath;
  told.originalUrl ??= originalUrl;
}
