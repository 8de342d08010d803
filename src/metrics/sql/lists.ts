/** Lists of numbers and of packed counts, which a statement gives as one text: decoding a row each would cost more. */

/** Packed lists of several rows, in hexadecimal digits. */
export const packedList = (column: string): string =>
  `string_agg(encode(${column}, 'hex'), ',') as packed`;

/** The counts of packed lists of some length. */
export function unpackedList(packed: unknown, length: number): number[][] {
  if (typeof packed !== 'string') return [];
  return packed.split(',').map((digits) => {
    const bytes = Buffer.from(digits, 'hex');
    const width = bytes.length / length;
    return Array.from({ length }, (_none, at) => countOf(bytes, at * width, width));
  });
}

/** A number of 1, 2, 4 or 8 bytes. */
function countOf(bytes: Buffer, at: number, width: number): number {
  return width <= 4 ? bytes.readUIntBE(at, width) : Number(bytes.readBigUInt64BE(at));
}

/** The numbers of an array in its text form, `{1,2}`; none where it is null. */
export function numbersOf(array: unknown): number[] {
  return typeof array === 'string' ? (JSON.parse(`[${array.slice(1, -1)}]`) as number[]) : [];
}
