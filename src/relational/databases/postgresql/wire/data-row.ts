/** Reads the values of a DataRow message. */

/** Parses the text of a value; `null` where the text itself is the value. */
export type ParseText = ((text: string) => unknown) | null;

/** The most bytes of a value that is cut from the text of its row; a longer one is decoded for itself. */
const mostCut = 64;

/** The text of a value; `whole` is its row in `latin1`, which begins at `start`. */
export function valueText(
  bytes: Buffer,
  from: number,
  to: number,
  whole: string,
  start: number,
): string {
  return to - from <= mostCut && isAscii(bytes, from, to)
    ? whole.slice(from - start, to - start)
    : bytes.toString('utf8', from, to);
}
/** The most bytes of a number that is read from its digits. */
const mostDigits = 10;

function isAscii(bytes: Uint8Array, begin: number, end: number): boolean {
  let bits = 0;
  for (let at = begin; at < end; at += 1) bits |= bytes[at] as number;
  return bits < 0x80;
}

/** The whole number that is written in decimal; `undefined` for other texts. */
function wholeNumber(bytes: Uint8Array, begin: number, end: number): number | undefined {
  const isNegative = bytes[begin] === 0x2d;
  let at = isNegative ? begin + 1 : begin;
  if (at === end) return undefined;
  let found = 0;
  for (; at < end; at += 1) {
    const digit = (bytes[at] as number) - 0x30;
    if (digit < 0 || digit > 9) return undefined;
    found = found * 10 + digit;
  }
  return isNegative ? -found : found;
}

/**
 * The values of the row whose message has its content between `begin` and `end`; a parser for each of them. Short texts
 * are parts of one text, so each of them holds no more in memory than its row.
 */
export function rowValues(
  bytes: Buffer,
  begin: number,
  end: number,
  parsers: readonly ParseText[],
): unknown[] {
  const whole = bytes.toString('latin1', begin, end);
  // Behind the number of values.
  let next = begin + 2;
  return parsers.map((parse) => {
    const length = bytes.readInt32BE(next);
    const from = next + 4;
    next = from;
    // Of null.
    if (length < 0) return null;
    next += length;
    const number =
      parse === Number && length <= mostDigits ? wholeNumber(bytes, from, next) : undefined;
    if (number !== undefined) return number;
    const text = valueText(bytes, from, next, whole, begin);
    return parse ? parse(text) : text;
  });
}
