/** Requests of Node's HTTP server, read for a board: their target, and bodies that a host may have read already. */

import type { IncomingMessage, ServerResponse } from 'node:http';

import { parseJsonBody, refuseUnlessJson } from '../../board/core/index.ts';
import type { BoardRequest, BoardResponse, ReadBody } from '../../board/core/index.ts';

/** A request of Node's, with the body that a parser of the host may have left on it. */
export interface NodeRequest extends IncomingMessage {
  body?: unknown;
}

/** The request for a board mounted where `request.url` begins. */
export function nodeRequest(
  request: NodeRequest,
  response: ServerResponse,
  basePath: string,
): BoardRequest {
  const target = request.url ?? '/';
  const mark = target.indexOf('?');
  const gone = new AbortController();
  const onClose = (): void => {
    if (!response.writableFinished) gone.abort();
  };
  response.once('close', onClose);
  // A client that left before this point leaves no event to wait for.
  if (response.closed) onClose();
  return {
    method: request.method ?? 'GET',
    path: mark < 0 ? target : target.slice(0, mark),
    rawQuery: mark < 0 ? '' : target.slice(mark + 1),
    headers: request.headers,
    readBody: (limit) => readBody(request, limit),
    signal: gone.signal,
    basePath,
    native: request,
  };
}

/** Sends the answer of a board, unless the client is gone or was answered already. */
export function sendResponse(
  { status, headers, body }: BoardResponse,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (response.headersSent || response.closed) return;
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (body === undefined) {
    response.end();
    return;
  }
  const bytes = Buffer.from(body);
  response.setHeader('content-length', bytes.byteLength);
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

async function readBody(request: NodeRequest, limit: number): Promise<ReadBody> {
  const type = request.headers['content-type'];
  const encoding = request.headers['content-encoding'] ?? 'identity';
  // Somebody has read it to its end, and there was nothing.
  if (request.readableEnded && !request.readableDidRead) return { value: undefined };
  if (request.readableDidRead) return hostBody(request.body, type, limit);
  if (encoding !== 'identity') return { refused: 'not-json' };
  if (Number(request.headers['content-length'] ?? 0) > limit) return { refused: 'too-large' };
  const bytes = await collect(request, limit);
  return bytes instanceof Uint8Array ? parseJsonBody(bytes, type) : { refused: bytes };
}

/** What a parser of the host has made of the body. */
function hostBody(body: unknown, type: string | undefined, limit: number): ReadBody {
  if (body === undefined) return { value: undefined };
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  if (bytes instanceof Uint8Array) {
    return bytes.byteLength > limit ? { refused: 'too-large' } : parseJsonBody(bytes, type);
  }
  return refuseUnlessJson(type) ?? { value: body };
}

/** The bytes of a body, or why there are none to use. What a client that goes away has sent is malformed. */
function collect(
  request: IncomingMessage,
  limit: number,
): Promise<Uint8Array | 'too-large' | 'malformed'> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    const settle = (outcome: Uint8Array | 'too-large' | 'malformed'): void => {
      request.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      resolve(outcome);
    };
    const onData = (chunk: Uint8Array): void => {
      size += chunk.byteLength;
      if (size > limit) settle('too-large');
      else chunks.push(chunk);
    };
    const onEnd = (): void => settle(Buffer.concat(chunks));
    const onGone = (): void => settle('malformed');
    // A client that left before this point leaves no event to wait for.
    if (request.destroyed) onGone();
    else request.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
}
