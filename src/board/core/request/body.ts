/** Bodies: JSON of bounded size and depth. */

import { BoardError } from '../board-error.ts';
import { invalidPart } from './validate.ts';
import type { ReadBody } from './request.ts';

/** Deeper JSON than this is refused: what stores or prints it may go through it by recursion. */
const maxDepth = 500;

/** Whether a value holds objects or lists in each other more than `maxDepth` deep. */
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
      // The rest of the body is not read.
      headers: { connection: 'close' },
    }),
  'not-json': () =>
    new BoardError('INVALID_REQUEST_BODY', { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' }),
};

/** The reason why a body is refused, if there is one. */
export function bodyRefusal(body: ReadBody): BoardError | undefined {
  if ('refused' in body) return refusals[body.refused]();
  return isTooDeep(body.value) ? invalidPart('body', 'body') : undefined;
}

/** Reads JSON out of the bytes of a body, for server adapters. An empty body is the same as none. */
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

/** The refusal of a body whose content type is not JSON: `application/json` or a `+json` type. */
export function refuseUnlessJson(contentType: string | undefined): ReadBody | undefined {
  const json = /^\s*application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType ?? '');
  return json ? undefined : { refused: 'not-json' };
}
