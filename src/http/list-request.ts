/**
 * The list request of a request of Node.js: its query string, and the body of POST and QUERY, whose type, encoding and
 * length are checked before and while it is read.
 */

import type { Readable } from 'node:stream';
import {
  type CompiledQueryRules,
  type ListRequestInput,
  bodyRequest,
  syntaxError,
  tooLong,
} from '../rules/index.ts';
import { bytesWithin, isObject } from '../lib/index.ts';
import { type QueryError, configurationError } from '../schema/index.ts';

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

/** A request with its target. */
export interface TargetedRequest {
  /** Path and query string, as middleware in front may have rewritten them. */
  readonly url: string;
}

/** The part of the target after the first question mark, still percent-encoded. */
export function rawQuery({ url }: TargetedRequest): string {
  const mark = url.indexOf('?');
  return mark < 0 ? '' : url.slice(mark + 1);
}

/** Whether a request of the method may have a body with parameters. */
export const takesBody = (method: string | undefined): boolean =>
  method === 'POST' || method === 'QUERY';

/** Returns the value of a header by its name in lower case. */
export type HeaderOf = (name: string) => string | null | undefined;

const textTypes: ReadonlySet<string> = new Set([
  '',
  'application/x-www-form-urlencoded',
  'text/plain',
]);
const charsets: ReadonlySet<string | undefined> = new Set([undefined, 'utf-8', 'utf8', 'us-ascii']);

/**
 * Reads a body that nothing has read yet. `open` begins to read it.
 *
 * @throws {QueryError} QUERY_SYNTAX_INVALID when it is too long, cut short, encoded, not UTF-8, or of a type without
 * parameters
 */
export async function readListBody(
  header: HeaderOf,
  open: () => AsyncIterable<unknown> | Iterable<unknown>,
  maxBodyLength: number,
): Promise<string> {
  checkType(header);
  if (Number(header('content-length') ?? 0) > maxBodyLength) throw tooLong({ maxBodyLength });
  const bytes = await bytesWithin(open(), maxBodyLength).catch(() => {
    throw syntaxError('The body was cut short.');
  });
  if (!bytes) throw tooLong({ maxBodyLength });
  return textOf(bytes);
}

/**
 * Refuses a body of another type than a form's, in another charset than UTF-8, or with a content encoding.
 *
 * @throws {QueryError} QUERY_SYNTAX_INVALID
 */
export function checkType(header: HeaderOf): void {
  const [media = '', ...parameters] = (header('content-type') ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charset = parameters
    .find((parameter) => parameter.startsWith('charset='))
    ?.slice('charset='.length)
    .replaceAll('"', '');
  const encoding = header('content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (textTypes.has(media) && charsets.has(charset) && encoding === 'identity') return;
  throw syntaxError(
    'The body must have the parameters of a query string, with the type application/x-www-form-urlencoded, in UTF-8 and with no encoding.',
  );
}

/**
 * The text of a body.
 *
 * @throws {QueryError} QUERY_SYNTAX_INVALID when the bytes are not UTF-8
 */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw syntaxError('The body is not valid UTF-8.');
  }
}

/** The mistake of an application that has read the body and kept nothing of it. */
export const bodyIsGone = (): QueryError =>
  configurationError(
    'The body of a list request was read before the endpoint; mount the endpoint before the parser, or let the parser set "body".',
  );
