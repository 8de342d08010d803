/**
 * Serves a board on Node's request and response, after its authentication; reads the target of a request, and a body that the
 * host may already have read.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { bytesWithin } from '../../lib/index.ts';
import { endStream, isStreamed, parseJsonBody, parsedBody } from '../../board/core/index.ts';
import type { BoardRequest, BoardResponse, ReadBody, ServedBoard } from '../../board/core/index.ts';

/** Node's request, with the body that a parser of the host may have attached. */
export interface NodeRequest extends IncomingMessage {
  body?: unknown;
}

/** Where a request finds its board. */
export interface NodePlace {
  /** Path of the board in browsers. */
  readonly basePath: string;
  /** Path and query string below the mount path. */
  readonly target: string;
}

function nodeRequest(
  request: NodeRequest,
  response: ServerResponse,
  { basePath, target }: NodePlace,
): BoardRequest {
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

/** The most bytes that a client may send behind the answer to a request whose body nobody has read. */
const mostUnread = 64 * 1024;

/** Connections of HTTP/1.1 whose last answer has been given: what a client has sent behind it is not done. */
const ending = new WeakSet<object>();
const nothing: BoardResponse = { status: 400, headers: { connection: 'close' }, body: undefined };

/** The board's answer to a request. It closes the connection where much of a body is left unread. */
export async function askBoard(
  board: ServedBoard,
  request: NodeRequest,
  response: ServerResponse,
  place: NodePlace,
): Promise<BoardResponse | undefined> {
  if (ending.has(request.socket)) return nothing;
  const answer = await board.handle(nodeRequest(request, response, place));
  if (!answer) return undefined;
  const { 'content-length': length = 0, 'transfer-encoding': encoding } = request.headers;
  const isLong = encoding !== undefined || Number(length) > mostUnread;
  const isLeft = !request.complete && (isLong || answer.headers['connection'] === 'close');
  // Requests of HTTP/2 share a connection, and each body has a stream of its own.
  if (!isLeft || request.httpVersionMajor > 1) return answer;
  ending.add(request.socket);
  return { ...answer, headers: { ...answer.headers, connection: 'close' } };
}

/** Sends the board's response, unless the client has disconnected or the response was already sent. */
export async function sendResponse(
  { status, headers, body }: BoardResponse,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (response.headersSent || response.closed) {
    if (isStreamed(body)) await endStream(body);
    return;
  }
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (body === undefined) {
    response.end();
  } else if (isStreamed(body)) {
    await sendStream(body, response);
  } else if (request.complete || headers['connection'] !== 'close') {
    response.end(body);
  } else {
    // A connection that is closed while the client still sends is reset, and the response is lost with it.
    response.write(body);
    drain(request, () => response.end());
  }
}

/** Sends the pieces as fast as the client takes them. Ends the stream when the client disconnects. */
async function sendStream(
  body: AsyncIterable<Uint8Array>,
  response: ServerResponse,
): Promise<void> {
  response.flushHeaders();
  try {
    // The pipeline reads no further than the socket takes, and ends each side when the other one ends.
    await pipeline(Readable.from(body, { objectMode: false, highWaterMark: 0 }), response);
  } catch {
    // The client has disconnected, or the stream has failed: the connection is closed, which tells the client.
    response.destroy();
  }
}

/** How long the rest of a refused body is discarded, in milliseconds. */
const maxDrainMs = 5_000;

/** Discards the rest of the body, then calls `done`. */
function drain(request: IncomingMessage, done: () => void): void {
  const timer = setTimeout(finish, maxDrainMs);
  function finish(): void {
    clearTimeout(timer);
    request.off('end', finish).off('close', finish).off('error', finish);
    done();
  }
  request.on('end', finish).on('close', finish).on('error', finish).resume();
}

async function readBody(request: NodeRequest, limit: number): Promise<ReadBody> {
  const type = request.headers['content-type'];
  const encoding = request.headers['content-encoding'] ?? 'identity';
  // The stream was read to its end and contained no data.
  if (request.readableEnded && !request.readableDidRead) {
    return parseJsonBody(new Uint8Array(), type);
  }
  if (Number(request.headers['content-length'] ?? 0) > limit) return { refused: 'too-large' };
  if (request.readableDidRead) return hostBody(request.body, type, limit);
  if (encoding !== 'identity') return { refused: 'not-json' };
  const chunks = request.iterator({ destroyOnReturn: false });
  // One cut short by a disconnect counts as malformed.
  const bytes = await bytesWithin(chunks, limit).catch(() => null);
  if (bytes === null) return { refused: 'malformed' };
  return bytes ? parseJsonBody(bytes, type) : { refused: 'too-large' };
}

/** The body as a parser of the host has left it. */
function hostBody(body: unknown, type: string | undefined, limit: number): ReadBody {
  if (body === undefined) return { value: undefined };
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  if (bytes instanceof Uint8Array) {
    return bytes.byteLength > limit ? { refused: 'too-large' } : parseJsonBody(bytes, type);
  }
  return parsedBody(body, type);
}

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
