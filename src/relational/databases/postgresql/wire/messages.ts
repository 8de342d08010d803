/** The messages of PostgreSQL's protocol that run prepared statements, in one buffer: one write instead of one each. */

/** A run of a prepared statement: its name, and the texts of its values. */
interface PreparedRun {
  readonly name: string;
  readonly values: readonly (string | null)[];
}

const codes = { bind: 0x42, execute: 0x45, sync: 0x53 } as const;

/** Bytes of a Bind message beside the name and the values: code, length, portal, end of the name, three counts. */
const bindFrame = 1 + 4 + 1 + 1 + 2 + 2 + 2;
/** Code, length, portal, and the limit of rows. */
const executeFrame = 1 + 4 + 1 + 4;
/** Code and length. */
const syncFrame = 1 + 4;
/** The most bytes of a UTF-16 code unit in UTF-8. */
const unitBytes = 3;

/** Bind and Execute for each run, on the unnamed portal, and one Sync. Values and results are texts. */
export function runMessages(runs: readonly PreparedRun[]): Uint8Array {
  let most = syncFrame;
  for (const { name, values } of runs) {
    most += bindFrame + executeFrame + name.length * unitBytes;
    for (const value of values) most += 4 + (value?.length ?? 0) * unitBytes;
  }
  const bytes = new MessageBytes(most);
  for (const { name, values } of runs) {
    bytes.byte(codes.bind);
    const length = bytes.at;
    bytes.int32(0);
    // The unnamed portal.
    bytes.byte(0);
    bytes.text(name);
    bytes.byte(0);
    // No format codes: all values are texts.
    bytes.int16(0);
    bytes.int16(values.length);
    for (const value of values) {
      if (value === null) bytes.int32(-1);
      else bytes.sized(value);
    }
    bytes.int16(0);
    bytes.lengthAt(length);
    bytes.byte(codes.execute);
    bytes.int32(executeFrame - 1);
    bytes.byte(0);
    // All rows.
    bytes.int32(0);
  }
  bytes.byte(codes.sync);
  bytes.int32(syncFrame - 1);
  return bytes.written;
}

/** A buffer that is written from its beginning. */
class MessageBytes {
  at = 0;
  readonly #buffer: Buffer;

  constructor(most: number) {
    this.#buffer = Buffer.allocUnsafe(most);
  }

  get written(): Uint8Array {
    return this.#buffer.subarray(0, this.at);
  }

  byte(value: number): void {
    this.#buffer[this.at] = value;
    this.at += 1;
  }

  int16(value: number): void {
    this.at = this.#buffer.writeUInt16BE(value, this.at);
  }

  int32(value: number): void {
    this.at = this.#buffer.writeInt32BE(value, this.at);
  }

  text(text: string): void {
    const buffer = this.#buffer;
    const begin = this.at;
    // Short ASCII text, which nearly all values are, is copied faster than by a call of the runtime.
    if (text.length <= 40) {
      let index = 0;
      for (; index < text.length; index += 1) {
        const unit = text.charCodeAt(index);
        if (unit > 0x7f) break;
        buffer[begin + index] = unit;
      }
      if (index === text.length) {
        this.at = begin + index;
        return;
      }
    }
    this.at = begin + buffer.write(text, begin);
  }

  /** A text after its length in bytes. */
  sized(text: string): void {
    const begin = this.at;
    this.at += 4;
    this.text(text);
    this.#buffer.writeInt32BE(this.at - begin - 4, begin);
  }

  /** Writes at this position how many bytes have been written from there. */
  lengthAt(begin: number): void {
    this.#buffer.writeInt32BE(this.at - begin, begin);
  }
}
