/** `fetch` with a limit on the decompressed size of provider responses, against decompression bombs. */

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
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    // Leaving the loop cancels the stream and closes the connection.
    if (size > longestAnswer) {
      throw new TypeError('answer too long', { cause: { code: 'ANSWER_TOO_LONG' } });
    }
    chunks.push(chunk);
  }
  const { status, statusText, headers } = response;
  return new Response(Buffer.concat(chunks), { status, statusText, headers });
}
