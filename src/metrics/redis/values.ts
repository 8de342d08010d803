/** The values of the Redis store as its scripts tell them, and the fields that a range has. */

import { bucketCount, emptyHistogram } from '../model/histogram.ts';
import type { BucketRange, Durations } from '../model/store.ts';

/** Fields that are read by their names; of more, all are read. */
const fewFields = 10;

/** Buckets, inclusive. */
export type Range = Pick<BucketRange, 'from' | 'to'>;

/** The buckets of some width that a range touches. */
export function bucketsOf({ from, to }: Range, width: number): number[] {
  const first = Math.floor(from / width);
  return Array.from({ length: Math.floor(to / width) - first + 1 }, (_none, at) => first + at);
}

/** The fields to read of a hash that has a field for each bucket; all of them where they are many. */
export function fieldsOf(range: Range, width: number): number[] | undefined {
  return (range.to - range.from) / width < fewFields ? bucketsOf(range, width) : undefined;
}

/** A number or a list of numbers. */
export const numbersOf = (raw: unknown): readonly number[] =>
  Array.isArray(raw) ? (raw as number[]) : [Number(raw)];

/** The durations of a list of buckets and counts. */
export function durationsOf(flat: unknown): Durations[] {
  const sums = [...emptyHistogram(), 0];
  const list = listOf<number>(flat);
  for (let index = 0; index < list.length; index += 2) {
    sums[list[index] ?? 0] = list[index + 1] ?? 0;
  }
  return [{ counts: sums.slice(0, bucketCount), ms: sums[bucketCount] ?? 0 }];
}

/** A list from Lua, which encodes an empty one as an object. */
export function listOf<Member = unknown>(value: unknown): readonly Member[] {
  return Array.isArray(value) ? (value as Member[]) : [];
}
