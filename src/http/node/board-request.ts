/** Reads requests of Node's HTTP server for a board: their target, and bodies that the host may already have read. */

import type { IncomingMessage, ServerResponse } from 'node:http';

import { parseJsonBody, refuseUnlessJson } from '../../board/core/index.ts';
import type { BoardRequest, BoardResponse, ReadBody } from '../../board/core/index.ts';

/** Node's request, with the body that a parser of the host may have attached. */
export interface NodeRequest extends IncomingMessage {
  body?: unknown;
}

/** The board request for a board that is mounted where `request.url` begins. */
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
  // A client that disconnected before this point causes no further event.
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

/** Sends the board's response, unless the client has disconnected or the response was already sent. */
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
  // The stream was read to its end and contained no data.
  if (request.readableEnded && !request.readableDidRead) return { value: undefined };
  if (request.readableDidRead) return hostBody(request.body, type, limit);
  if (encoding !== 'identity') return { refused: 'not-json' };
  if (Number(request.headers['content-length'] ?? 0) > limit) return { refused: 'too-large' };
  const bytes = await collect(request, limit);
  return bytes instanceof Uint8Array ? parseJsonBody(bytes, type) : { refused: bytes };
}

/** The body as a parser of the host has left it. */
function hostBody(body: unknown, type: string | undefined, limit: number): ReadBody {
  if (body === undefined) return { value: undefined };
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  if (bytes instanceof Uint8Array) {
    return bytes.byteLength > limit ? { refused: 'too-large' } : parseJsonBody(bytes, type);
  }
  return refuseUnlessJson(type) ?? { value: body };
}

/** Reads the bytes of a body. A body cut short by a disconnect counts as malformed. */
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
    // A client that disconnected before this point causes no further event.
    if (request.destroyed) onGone();
    else request.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
}
