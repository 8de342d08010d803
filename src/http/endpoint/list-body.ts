/** The body of a list request, as text: its type, encoding and length are checked before and while it is read. */

import { QueryError, configurationError } from '../../schema/index.ts';
import { syntaxError, tooLong } from '../../rules/index.ts';

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
  return textOf(await collect(open(), maxBodyLength));
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
export function textOf(bytes: Uint8Array): string {
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

async function collect(
  chunks: AsyncIterable<unknown> | Iterable<unknown>,
  maxBodyLength: number,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of chunks) {
      const bytes = typeof chunk === 'string' ? encoder.encode(chunk) : (chunk as Uint8Array);
      length += bytes.length;
      if (length > maxBodyLength) throw tooLong({ maxBodyLength });
      parts.push(bytes);
    }
  } catch (error) {
    throw error instanceof QueryError ? error : syntaxError('The body was cut short.');
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const encoder = new TextEncoder();
