/** The list request of a request of Node.js: its query string, and the body of POST and QUERY. */

import type { Readable } from 'node:stream';
import {
  type CompiledQueryRules,
  type ListRequestInput,
  bodyRequest,
  syntaxError,
} from '../rules/index.ts';
import { isObject } from '../lib/index.ts';
import {
  type HeaderOf,
  bodyIsGone,
  readListBody,
  takesBody,
  textOf,
} from './endpoint/list-body.ts';

/** A request that may have a body: a stream, or `body` where the application has a body parser. */
interface BodiedRequest extends Partial<Readable> {
  readonly method?: string;
  readonly headers?: { readonly [name: string]: string | readonly string[] | undefined };
  readonly body?: unknown;
}

/**
 * The request for `runQuery`: the raw query string, with the parameters of the body where the method is POST or QUERY.
 *
 * @param request the request of Node.js, or one that inherits from it
 * @param query the raw query string
 * @param parsed the body as a parser of the application has left it. Default: the property `body` of the request
 * @throws {QueryError} QUERY_SYNTAX_INVALID when the body is too long, cut short, encoded, or of a type without
 * parameters; SOURCE_CONFIGURATION_INVALID when the application has read the body and kept nothing
 */
export function listRequest(
  request: object,
  query: string,
  { limits: { maxBodyLength } }: CompiledQueryRules,
  parsed: unknown = (request as BodiedRequest).body,
): ListRequestInput | Promise<ListRequestInput> {
  const bodied = request as BodiedRequest;
  if (!takesBody(bodied.method)) return query;
  // Parsers that skip a request leave an empty object in Express 4, and the stream as it was.
  if (bodied.readableDidRead === false && bodied.readableEnded !== true) {
    return readBody(bodied as BodiedRequest & Readable, maxBodyLength).then((text) =>
      bodyRequest(text, query),
    );
  }
  if (parsed !== undefined) return bodyRequest(bodyOf(parsed), query);
  // A stream without data may have been read to its end.
  if (bodied.readableDidRead === false) return bodyRequest('', query);
  throw bodyIsGone();
}

function bodyOf(parsed: unknown): string | { readonly [param: string]: unknown } {
  if (parsed instanceof Uint8Array) return textOf(parsed);
  if (typeof parsed === 'string') return parsed;
  if (isObject(parsed)) return parsed as { readonly [param: string]: unknown };
  throw syntaxError('The body must be an object of parameters.');
}

async function readBody(request: BodiedRequest & Readable, maxBodyLength: number): Promise<string> {
  const header: HeaderOf = (name) => request.headers?.[name]?.toString();
  try {
    const open = () => request.iterator({ destroyOnReturn: false });
    return await readListBody(header, open, maxBodyLength);
  } catch (error) {
    // The rest of a refused body is discarded, so that the connection takes further requests.
    request.resume();
    throw error;
  }
}
