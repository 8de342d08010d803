/** Requests and responses independent of a framework, and the request as hooks and visibility guards see it. */

/** A body after reading: its value (undefined if there was none), or why it is invalid. */
export type ReadBody =
  | { readonly value: unknown }
  | { readonly refused: 'malformed' | 'too-large' | 'not-json' };

/** Request headers; names in lower case. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A request as a server adapter passes it to a board. */
export interface BoardRequest {
  /** HTTP method. */
  readonly method: string;
  /** Path below the mount of the board, still encoded, without the query string: `/api/pgq/queues/a%2Fb`. */
  readonly path: string;
  /** The query string without its question mark, still encoded. */
  readonly rawQuery: string;
  /** Headers, with names in lower case. */
  readonly headers: RequestHeaders;
  /** Reads the body, up to `limit` bytes. Called at most once. */
  readBody(limit: number): Promise<ReadBody>;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** Path prefix of the board for clients: '' or a path without a trailing slash. */
  readonly basePath: string;
  /** The request of the framework, for hooks that need it. */
  readonly native?: unknown;
}

/**
 * A body: text, bytes, or bytes in pieces, such as a `ReadableStream`. Pieces are taken as fast as the client reads, and
 * the stream is cancelled (an iterator: `return`) when the client disconnects.
 */
export type BoardBody = string | Uint8Array | AsyncIterable<Uint8Array>;

/** A response for a server adapter to send. */
export interface BoardResponse {
  /** HTTP status. */
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined sends no body. */
  readonly body: BoardBody | undefined;
}

/** The request as hooks and visibility guards see it. */
export interface HookRequest {
  /** Path parameters, decoded; unchanged where decoding fails. */
  readonly params: Readonly<Record<string, string>>;
  /** Unvalidated in the before-hook; validated and coerced afterwards. */
  query: unknown;
  /**
   * Unvalidated in the before-hook and in `permissions`, undefined where it cannot be parsed; validated afterwards. It is
   * read when one of them looks at it: the access throws, and the function is called again with the body. Functions that
   * look at nothing else first therefore have no effect twice.
   */
  body: unknown;
  /** Headers, with names in lower case. */
  readonly headers: RequestHeaders;
  /** Queues registered on the board, by name; empty on a `pgq` board. */
  readonly queues: ReadonlyMap<string, unknown>;
  /** The appearance, as the page receives it. */
  readonly uiConfig: Readonly<Record<string, unknown>>;
  /** The request of the framework (Express: `req`), with the properties that middleware of the host has set. */
  readonly native: unknown;
}
