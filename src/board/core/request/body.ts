/** JSON request bodies of limited size and depth. */

import { BoardError } from '../board-error.ts';
import { invalidPart } from './validate.ts';
import type { ReadBody } from './request.ts';

/** Maximum nesting depth of JSON, because code that stores or serializes it may be recursive. */
const maxDepth = 500;

/** Whether objects and arrays are nested deeper than `maxDepth`. */
function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) return true;
    level = level.flatMap((item) =>
      typeof item === 'object' && item !== null ? Object.values(item) : [],
    );
  }
  return false;
}

const refusals: Readonly<
  Record<Extract<ReadBody, { refused: string }>['refused'], () => BoardError>
> = {
  malformed: () => invalidPart('body', 'body'),
  'too-large': () =>
    new BoardError('INVALID_REQUEST_BODY', {
      status: 413,
      code: 'PAYLOAD_TOO_LARGE',
      // Do not read the rest of the body.
      headers: { connection: 'close' },
    }),
  'not-json': () =>
    new BoardError('INVALID_REQUEST_BODY', { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' }),
};

/** Why a body is refused; undefined for a valid one. */
export function bodyRefusal(body: ReadBody): BoardError | undefined {
  if ('refused' in body) return refusals[body.refused]();
  return isTooDeep(body.value) ? invalidPart('body', 'body') : undefined;
}

/** Parses the bytes of a JSON body, for server adapters. An empty body counts as absent. */
export function parseJsonBody(bytes: Uint8Array, contentType: string | undefined): ReadBody {
  if (bytes.byteLength === 0) return { value: undefined };
  const refused = refuseUnlessJson(contentType);
  if (refused) return refused;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { refused: 'malformed' };
  }
}

/** Refuses a body whose content type is not JSON: `application/json` or a `+json` type. */
export function refuseUnlessJson(contentType: string | undefined): ReadBody | undefined {
  const json = /^\s*application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType ?? '');
  return json ? undefined : { refused: 'not-json' };
}
