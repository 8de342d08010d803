/** `fetch` with a limit on the decompressed size of provider responses, against decompression bombs. */

import { bytesWithin } from '../../lib/index.ts';

/** Maximum decompressed size of a response in bytes. Key sets and token responses have a few thousand. */
const longestAnswer = 1_048_576;

/**
 * Reads the whole response, or stops when it exceeds the limit.
 *
 * @throws {TypeError} when the response is too long, with the cause `ANSWER_TOO_LONG`, and when `fetch` fails
 */
export async function boundedFetch(url: string, options: object): Promise<Response> {
  const response = await fetch(url, options);
  if (response.body === null) return response;
  // Leaving the rest cancels the stream and closes the connection.
  const bytes = await bytesWithin(response.body, longestAnswer);
  if (!bytes) throw new TypeError('answer too long', { cause: { code: 'ANSWER_TOO_LONG' } });
  const { status, statusText, headers } = response;
  return new Response(bytes, { status, statusText, headers });
}
