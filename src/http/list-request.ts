/** The list request of an HTTP request: its query string, and the body of POST and QUERY. */

import type { Readable } from 'node:stream';
import {
  type CompiledQueryRules,
  type ListRequestInput,
  bodyRequest,
  syntaxError,
  tooLong,
} from '../rules/index.ts';
import { configurationError } from '../schema/index.ts';
import { isObject } from '../lib/index.ts';
import { type TargetedRequest, rawQuery } from './raw-query.ts';

/** A request that may have a body: a stream, or `body` where the application has a body parser. */
interface BodiedRequest extends TargetedRequest, Partial<Readable> {
  readonly method?: string;
  readonly headers?: { readonly [name: string]: string | readonly string[] | undefined };
  readonly body?: unknown;
}

const withBody: ReadonlySet<string | undefined> = new Set(['POST', 'QUERY']);
const textTypes: ReadonlySet<string> = new Set([
  '',
  'application/x-www-form-urlencoded',
  'text/plain',
]);

/**
 * The request for `runQuery`: the raw query string, with the parameters of the body where the method is POST or QUERY.
 *
 * @throws {QueryError} QUERY_SYNTAX_INVALID when the body is too long, encoded, or of a type without parameters;
 * SOURCE_CONFIGURATION_INVALID when the application has read the body and kept nothing
 */
export function listRequest(
  request: TargetedRequest,
  { limits: { maxBodyLength } }: CompiledQueryRules,
): ListRequestInput | Promise<ListRequestInput> {
  const bodied = request as BodiedRequest;
  const query = rawQuery(request);
  if (!withBody.has(bodied.method)) return query;
  const { body } = bodied;
  // Parsers that skip a request leave an empty object in Express 4, and the stream as it was.
  const isRead = bodied.readableDidRead !== false;
  if (isRead && body instanceof Uint8Array) return bodyRequest(textOf(body), query);
  if (isRead && (typeof body === 'string' || isObject(body))) {
    return bodyRequest(body as { readonly [param: string]: unknown }, query);
  }
  if (isRead) {
    throw configurationError(
      'The body of a list request was read before the endpoint; mount the endpoint before the parser, or let the parser set "body".',
    );
  }
  return readBody(bodied as BodiedRequest & Readable, maxBodyLength).then((text) =>
    bodyRequest(text, query),
  );
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

async function readBody(request: BodiedRequest & Readable, maxBodyLength: number): Promise<string> {
  const { 'content-type': type, 'content-encoding': encoding = 'identity' } = request.headers ?? {};
  const media =
    String(type ?? '')
      .split(';')[0]
      ?.trim()
      .toLowerCase() ?? '';
  if (!textTypes.has(media) || encoding !== 'identity') {
    throw syntaxError(
      'The body must have the parameters of a query string, with the type application/x-www-form-urlencoded and no encoding.',
    );
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    const bytes = chunk as Uint8Array;
    length += bytes.length;
    if (length > maxBodyLength) throw tooLong({ maxBodyLength });
    chunks.push(bytes);
  }
  return textOf(Buffer.concat(chunks));
}
