/** JSON request bodies of limited size, depth and number of parts. */

import { BoardError } from '../board-error.ts';
import { parseSent } from '../values/exact-json.ts';
import { isTooLarge } from '../values/nesting.ts';
import { invalidPart } from './validate.ts';
import type { ReadBody } from './request.ts';

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
  return 'refused' in body ? refusals[body.refused]() : undefined;
}

/** Parses the bytes of a JSON body, for server adapters. An empty body counts as absent. */
export function parseJsonBody(bytes: Uint8Array, contentType: string | undefined): ReadBody {
  const refused = refuseUnlessJson(contentType);
  // A page of another site could send an empty form.
  const isForm = contentType !== undefined && refused !== undefined;
  if (bytes.byteLength === 0) return isForm ? refused : { value: undefined };
  if (refused) return refused;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { value: parseSent(text) };
  } catch {
    return { refused: 'malformed' };
  }
}

/** The body that a parser of the host has made of JSON, within the limits of {@link parseJsonBody}. */
export function parsedBody(value: unknown, contentType: string | undefined): ReadBody {
  const refused = refuseUnlessJson(contentType);
  if (refused) return refused;
  return isTooLarge(value) ? { refused: 'malformed' } : { value };
}

/** Refuses a body whose content type is not JSON: `application/json` or a `+json` type. */
function refuseUnlessJson(contentType: string | undefined): ReadBody | undefined {
  const json = /^\s*application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType ?? '');
  return json ? undefined : { refused: 'not-json' };
}
