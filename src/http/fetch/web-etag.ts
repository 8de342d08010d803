/** ETags of JSON where only the functions of the web exist, equal to those of Node.js. */

/** The bytes of a text, and their weak ETag. */
export async function withWebEtag(
  text: string,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; etag: string }> {
  const bytes = new TextEncoder().encode(text);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-1', bytes));
  const sum = btoa(String.fromCharCode(...digest)).slice(0, 27);
  return { bytes, etag: `W/"${bytes.length.toString(16)}-${sum}"` };
}
