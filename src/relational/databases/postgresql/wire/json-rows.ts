/**
 * Writes rows of the protocol as JSON, without the objects and texts between. The text is that of `JSON.stringify` of the
 * presented objects.
 */

import { valueText } from './data-row.ts';
import { type JsonField, type JsonProgram, mostColumns, way } from './json-program.ts';

const initialBytes = 2 ** 14;
/** A larger buffer is not kept for the next answer. */
const keptBytes = 2 ** 20;
/** The most bytes of a value beside those of its text: quotes, what an instant adds, the brace of an object. */
const spareBytes = 16;
/** Whole numbers below this are written digit by digit. */
const wholeLimit = 1e9;
/** Whole numbers of so many digits are the same in JSON as in the protocol. */
const mostDigits = 15;

const zero = 0x30;
const nine = 0x39;
const [space, quote, plus, comma, minus, point, colon] = [0x20, 0x22, 0x2b, 0x2c, 0x2d, 0x2e, 0x3a];
const [capitalA, capitalT, capitalZ, backslash, closing] = [0x41, 0x54, 0x5a, 0x5c, 0x7d];
/** As the protocol writes `true` and `false`. */
const [smallT, smallF] = [0x74, 0x66];
/** The first byte that is not ASCII, and the last of ASCII, which JSON does not escape. */
const firstBeyond = 0x80;

const [nullText, trueText, falseText] = ['null', 'true', 'false'].map((text) =>
  new TextEncoder().encode(text),
) as [Uint8Array, Uint8Array, Uint8Array];

/** A value without JSON, or whose JSON depends on more than the value. */
class NotWritten extends Error {}

/** Where the values of the row begin and end in its chunk; an end of -1 is null. */
const begins = new Int32Array(mostColumns);
const ends = new Int32Array(mostColumns);

function findValues(bytes: Buffer, begin: number): void {
  const count = bytes.readUInt16BE(begin);
  let next = begin + 2;
  for (let index = 0; index < count; index += 1) {
    const length = bytes.readInt32BE(next);
    next += 4;
    begins[index] = next;
    ends[index] = length < 0 ? -1 : next + length;
    if (length > 0) next += length;
  }
}

/** A buffer that grows. One answer after the other is written there, each without a pause. */
class JsonBytes {
  #buffer = Buffer.allocUnsafeSlow(initialBytes);
  #at = 0;
  #isAscii = true;
  /** The row in `latin1`; made for the first value of a row that is presented. */
  #whole: string | undefined;
  #begin = 0;
  #end = 0;

  /** The first `count` rows, separated by commas. */
  rows(
    program: JsonProgram,
    chunks: readonly Buffer[],
    bounds: readonly number[],
    count: number,
  ): string {
    this.#at = 0;
    this.#isAscii = true;
    for (let row = 0; row < count; row += 1) {
      const bytes = chunks[row] as Buffer;
      this.#begin = bounds[2 * row] as number;
      this.#end = bounds[2 * row + 1] as number;
      this.#whole = undefined;
      findValues(bytes, this.#begin);
      this.#reserve(spareBytes);
      if (row > 0) this.#byte(comma);
      this.#object(program, bytes);
    }
    const text = this.#buffer.toString(this.#isAscii ? 'latin1' : 'utf8', 0, this.#at);
    if (this.#buffer.length > keptBytes) this.#buffer = Buffer.allocUnsafeSlow(initialBytes);
    return text;
  }

  /** Makes room for so many bytes. */
  #reserve(bytes: number): void {
    const needed = this.#at + bytes;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#buffer.length));
    this.#buffer.copy(larger, 0, 0, this.#at);
    this.#buffer = larger;
  }

  #byte(byte: number): void {
    this.#buffer[this.#at] = byte;
    this.#at += 1;
  }

  /** Copies bytes for which there is room. */
  #copy(bytes: Uint8Array, begin: number, end: number): void {
    const buffer = this.#buffer;
    let to = this.#at;
    for (let from = begin; from < end; from += 1) {
      buffer[to] = bytes[from] as number;
      to += 1;
    }
    this.#at = to;
  }

  #object({ fields, relations }: JsonProgram, bytes: Buffer): void {
    for (const field of fields) {
      const { key, index } = field;
      const [begin, end] = [begins[index] as number, ends[index] as number];
      this.#reserve(key.length + Math.max(0, end - begin) + spareBytes);
      this.#copy(key, 0, key.length);
      if (end < 0) this.#copy(nullText, 0, nullText.length);
      else if (!this.#asSent(field, bytes, begin, end)) this.#presented(field, bytes, begin, end);
    }
    for (const { key, marker, program } of relations) {
      this.#reserve(key.length + spareBytes);
      this.#copy(key, 0, key.length);
      if ((ends[marker] as number) < 0) this.#copy(nullText, 0, nullText.length);
      else this.#object(program, bytes);
    }
    this.#reserve(spareBytes);
    this.#byte(closing);
  }

  /** Writes a value of the usual form from its bytes; `false`, without an effect, for others. */
  #asSent(field: JsonField, bytes: Buffer, begin: number, end: number): boolean {
    switch (field.way) {
      case way.digits:
        return this.#digits(bytes, begin, end);
      case way.text:
        return this.#text(bytes, begin, end, false);
      case way.lowerText:
        return this.#text(bytes, begin, end, true);
      case way.instant:
        return this.#instant(bytes, begin, end);
      case way.boolean:
        return this.#boolean(bytes, begin, end);
      default:
        return false;
    }
  }

  #digits(bytes: Buffer, begin: number, end: number): boolean {
    const first = bytes[begin] === minus ? begin + 1 : begin;
    const count = end - first;
    if (count === 0 || count > mostDigits) return false;
    // Zero has a sign in the protocol at the most, and other numbers do not begin with it.
    if (bytes[first] === zero && (count > 1 || first > begin)) return false;
    for (let index = first; index < end; index += 1) {
      const digit = bytes[index] as number;
      if (digit < zero || digit > nine) return false;
    }
    this.#copy(bytes, begin, end);
    return true;
  }

  /** Text without characters that JSON escapes; with `isLower` without capital letters. */
  #text(bytes: Buffer, begin: number, end: number, isLower: boolean): boolean {
    const buffer = this.#buffer;
    let to = this.#at;
    let all = 0;
    buffer[to] = quote;
    to += 1;
    for (let from = begin; from < end; from += 1) {
      const byte = bytes[from] as number;
      if (byte < space || byte === quote || byte === backslash) return false;
      if (isLower && ((byte >= capitalA && byte <= capitalZ) || byte >= firstBeyond)) return false;
      all |= byte;
      buffer[to] = byte;
      to += 1;
    }
    if (all >= firstBeyond) this.#isAscii = false;
    buffer[to] = quote;
    this.#at = to + 1;
    return true;
  }

  /** `2024-03-01 10:20:30`, with a fraction of a second or without, and with the offset of UTC or without. */
  #instant(bytes: Buffer, begin: number, end: number): boolean {
    const time = begin + 11;
    const fraction = begin + 19;
    if (end < fraction || bytes[begin + 4] !== minus || bytes[begin + 7] !== minus) return false;
    if (bytes[begin + 10] !== space) return false;
    if (bytes[time + 2] !== colon || bytes[time + 5] !== colon) return false;
    let rest = fraction;
    if (rest < end && bytes[rest] === point) {
      rest += 1;
      while (rest < end && (bytes[rest] as number) >= zero && (bytes[rest] as number) <= nine) {
        rest += 1;
      }
    }
    const isUtc =
      rest === end ||
      (end - rest === 3 &&
        bytes[rest] === plus &&
        bytes[rest + 1] === zero &&
        bytes[rest + 2] === zero);
    if (!isUtc) return false;
    this.#byte(quote);
    this.#copy(bytes, begin, begin + 10);
    this.#byte(capitalT);
    this.#copy(bytes, time, fraction);
    this.#byte(point);
    for (let digit = fraction + 1; digit < fraction + 4; digit += 1) {
      this.#byte(digit < rest ? (bytes[digit] as number) : zero);
    }
    this.#byte(capitalZ);
    this.#byte(quote);
    return true;
  }

  #boolean(bytes: Buffer, begin: number, end: number): boolean {
    const letter = bytes[begin];
    if (end - begin !== 1 || (letter !== smallT && letter !== smallF)) return false;
    const text = letter === smallT ? trueText : falseText;
    this.#copy(text, 0, text.length);
    return true;
  }

  /** Writes a value as its parser and presenter show it. */
  #presented({ parse, present }: JsonField, bytes: Buffer, begin: number, end: number): void {
    const whole = (this.#whole ??= bytes.toString('latin1', this.#begin, this.#end));
    const text = valueText(bytes, begin, end, whole, this.#begin);
    const value = (parse ? parse(text) : text) ?? null;
    const shown = value === null || !present ? value : present(value);
    if (typeof shown === 'string') this.#string(shown);
    else if (shown === true) this.#copy(trueText, 0, trueText.length);
    else if (shown === false) this.#copy(falseText, 0, falseText.length);
    else if (shown === null) this.#copy(nullText, 0, nullText.length);
    else if (typeof shown === 'number' && Math.abs(shown) < wholeLimit && Number.isInteger(shown)) {
      this.#number(shown);
    } else this.#json(shown);
  }

  /** A whole number that is small; zero has no sign in JSON. */
  #number(value: number): void {
    const buffer = this.#buffer;
    if (value < 0) this.#byte(minus);
    let rest = Math.abs(value);
    let digits = 1;
    for (let most = 10; rest >= most; most *= 10) digits += 1;
    for (let at = this.#at + digits - 1; at >= this.#at; at -= 1) {
      const tens = Math.floor(rest / 10);
      buffer[at] = zero + (rest - 10 * tens);
      rest = tens;
    }
    this.#at += digits;
  }

  #string(text: string): void {
    // Room for the bytes of the value was made before; its presenter may have made it longer.
    this.#reserve(text.length + spareBytes);
    const buffer = this.#buffer;
    let to = this.#at;
    buffer[to] = quote;
    to += 1;
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index);
      if (unit < space || unit >= firstBeyond || unit === quote || unit === backslash) {
        this.#json(text);
        return;
      }
      buffer[to] = unit;
      to += 1;
    }
    buffer[to] = quote;
    this.#at = to + 1;
  }

  #json(value: unknown): void {
    const isOwn = typeof value === 'object' && value !== null && 'toJSON' in value;
    const text = isOwn ? undefined : JSON.stringify(value);
    if (text === undefined) throw new NotWritten();
    // The most bytes of a unit of UTF-16.
    this.#reserve(3 * text.length + spareBytes);
    const written = this.#buffer.write(text, this.#at);
    if (written !== text.length) this.#isAscii = false;
    this.#at += written;
  }
}

let json: JsonBytes | undefined;

/**
 * The first rows as JSON objects separated by commas; `undefined` if a value cannot be written. `bounds` has the positions
 * at which the content of a row begins and ends in its chunk.
 *
 * @throws {unknown} the error of a parser or presenter
 */
export function rowsJson(
  program: JsonProgram,
  chunks: readonly Buffer[],
  bounds: readonly number[],
  count: number,
): string | undefined {
  const writer = json ?? new JsonBytes();
  // A parser or presenter that asks for rows itself finds no writer at work.
  json = undefined;
  try {
    return writer.rows(program, chunks, bounds, count);
  } catch (error) {
    if (error instanceof NotWritten) return undefined;
    throw error;
  } finally {
    json = writer;
  }
}
