/** Reads the bytes of a body up to a limit, with functions of the web alone. */

const encoder = new TextEncoder();

/**
 * The bytes of all chunks; `undefined` where there are more than `most`, whose rest is left. Chunks are texts where the
 * host has set an encoding.
 */
export async function bytesWithin(
  chunks: AsyncIterable<unknown> | Iterable<unknown>,
  most: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    const part = typeof chunk === 'string' ? encoder.encode(chunk) : (chunk as Uint8Array);
    length += part.length;
    if (length > most) return undefined;
    parts.push(part);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
