/** `fetch` for answers of the provider, none of which is long: a compressed one may be, once it is unpacked. */

/** Bytes of the longest answer, unpacked. Key sets and token answers have some thousands. */
export const longestAnswer = 1_048_576;

/**
 * Reads the whole answer, or stops where it exceeds the limit.
 *
 * @throws {TypeError} when the answer is too long, with the cause `ANSWER_TOO_LONG`, and when `fetch` fails
 */
export async function boundedFetch(url: string, options: object): Promise<Response> {
  const response = await fetch(url, options);
  if (response.body === null) return response;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    // Leaving the loop cancels the stream, and with it the connection.
    if (size > longestAnswer) {
      throw new TypeError('answer too long', { cause: { code: 'ANSWER_TOO_LONG' } });
    }
    chunks.push(chunk);
  }
  const { status, statusText, headers } = response;
  return new Response(Buffer.concat(chunks), { status, statusText, headers });
}
