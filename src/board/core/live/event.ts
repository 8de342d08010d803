/** One event of a live stream: its bytes, made once for all who receive it. */

import { constants, deflateRaw } from 'node:zlib';

/** Begins a gzip stream. Its blocks follow as raw deflate data; each event has its own. */
const gzipHeader = Uint8Array.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

/** Bytes for a client that takes gzip, or plain ones. */
export type LiveEncoding = 'gzip' | 'identity';

/** The bytes before the first event. */
export const openingOf = (encoding: LiveEncoding): Uint8Array =>
  encoding === 'gzip' ? gzipHeader : new Uint8Array();

/** Bytes to send. Equal events of many clients are one object. */
export class LiveEvent {
  /** Position among the events of its view; `null` for events that are not resumed from. */
  readonly sequence: number | null;
  readonly bytes: Uint8Array;
  #deflated: Promise<Uint8Array> | undefined;

  constructor(text: string, sequence: number | null = null) {
    this.bytes = Buffer.from(text);
    this.sequence = sequence;
  }

  /** The bytes in an encoding; compressed once, at the first call. */
  in(encoding: LiveEncoding): Promise<Uint8Array> | Uint8Array {
    if (encoding === 'identity') return this.bytes;
    this.#deflated ??= deflated(this.bytes);
    return this.#deflated;
  }
}

/**
 * Compresses to blocks that refer to no earlier data and are not the last ones, ending at a byte: they continue any
 * deflate stream.
 */
function deflated(bytes: Uint8Array): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    deflateRaw(bytes, { finishFlush: constants.Z_SYNC_FLUSH }, (error, result) =>
      error ? reject(error) : resolve(result),
    );
  });
}

/** The text of an event; `data` is JSON, which has no line breaks. */
export const eventText = (event: string, data: string, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`;

/** A comment, which clients ignore and connections stay open for. */
export const heartbeat = new LiveEvent(': \n\n');
