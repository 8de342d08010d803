/** The list request of a request of the Fetch API: its query string, and the body of POST and QUERY. */

import { type CompiledQueryRules, type ListRequestInput, bodyRequest } from '../../rules/index.ts';
import { bodyIsGone, checkType, readListBody, takesBody, type HeaderOf } from '../list-request.ts';

/** The query string as the client sent it. */
export const queryOf = (request: Request): string => new URL(request.url).search.slice(1);

/**
 * The request for `runQuery`: the query string, with the parameters of the body where the method is POST or QUERY.
 *
 * @param reread returns a body that middleware of the application has read; `undefined` where nothing is left of it
 * @throws {QueryError} QUERY_SYNTAX_INVALID when the body is too long, cut short, encoded, or of a type without
 * parameters; SOURCE_CONFIGURATION_INVALID when the application has read the body and kept nothing
 */
export function webListRequest(
  request: Request,
  { limits: { maxBodyLength } }: CompiledQueryRules,
  reread?: () => Promise<string> | undefined,
): ListRequestInput | Promise<ListRequestInput> {
  const query = queryOf(request);
  if (!takesBody(request.method)) return query;
  const header: HeaderOf = (name) => request.headers.get(name);
  const { body, bodyUsed } = request;
  if (!bodyUsed && body?.locked !== true) {
    return readBody(header, body, maxBodyLength).then((text) => bodyRequest(text, query));
  }
  checkType(header);
  const text = reread?.();
  if (!text) throw bodyIsGone();
  return text.then((whole) => bodyRequest(whole, query));
}

async function readBody(
  header: HeaderOf,
  body: ReadableStream<Uint8Array> | null,
  maxBodyLength: number,
): Promise<string> {
  try {
    const open = () => body?.values({ preventCancel: true }) ?? [];
    return await readListBody(header, open, maxBodyLength);
  } catch (error) {
    if (body) void discard(body);
    throw error;
  }
}

/** How much of a refused body is discarded before the server is told to stop it, in bytes. */
const mostDiscarded = 4 * 1024 * 1024;

/** Reads the rest of a refused body, so that the connection takes further requests. */
async function discard(body: ReadableStream<Uint8Array>): Promise<void> {
  let left = mostDiscarded;
  try {
    // Leaving the loop cancels the rest.
    for await (const { length } of body) {
      left -= length;
      if (left < 0) return;
    }
  } catch {
    // The client has gone.
  }
}
