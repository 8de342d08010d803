/** Reads texts in ASCII at once. Each unit of a text that has just been put together costs a search for its part. */

const room = new Uint8Array(4096);
export const encoder = new TextEncoder();

/** The bytes of a text in ASCII, which the next call overwrites; `undefined` for other texts and for long ones. */
export function asciiBytes(text: string): Uint8Array | undefined {
  const { read, written } = encoder.encodeInto(text, room);
  return read === text.length && written === read ? room : undefined;
}
