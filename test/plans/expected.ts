/** The rows of the world in memory, in the order of each request. */

import { type Filter, type Order, type Page, perPage } from './requests.ts';
import { companies, count, often } from './world.ts';

/** Columns of the items, by their number. */
export const itemOf = (id: number) => ({
  company: 1 + (Math.floor(id / 3) % companies),
  kind: Math.floor(id / 5) % 4,
  createdAt: Math.floor(((id * 7) % count) / 3),
  seenAt: id % 49 > 0 ? Math.floor(((id * 11) % count) / 3) : null,
  /** The label of both of its marks. */
  label: id % 2 > 0 ? null : often(id / 2 - 1) ? 'often' : `m${(id / 2 - 1) % 5000}`,
});

const meets: Readonly<Record<Filter['name'], (id: number) => boolean>> = {
  'no filter': () => true,
  'a kind': (id) => itemOf(id).kind === 1,
  'a country of companies': (id) => itemOf(id).company % 4 === 0,
  'one company by name': (id) => itemOf(id).company === 77,
  'a frequent mark': (id) => itemOf(id).label === 'often',
  'a rare mark': (id) => itemOf(id).label === 'm77',
};

/** The numbers of all items in an order. */
export function orderedIds({ sort, direction, nulls }: Order): Uint32Array {
  const sign = direction === 'asc' ? 1 : -1;
  const absent = nulls === 'first' ? -1 : 1;
  const beyond = 2 * count * count;
  const keys = Float64Array.from({ length: count }, (_, at) => {
    const id = at + 1;
    const value = itemOf(id)[sort];
    return (value === null ? absent * beyond : sign * value * 2 * count) + sign * id;
  }).toSorted();
  return Uint32Array.from(keys, (key) => {
    const left = Math.abs(key) % (2 * count);
    // A key below zero is that of a negative value and number, and a number above its place wraps.
    return key < 0 === sign < 0 ? left : 2 * count - left;
  });
}

/** The numbers of the items that meet a filter, in the order of the given ones. */
export const filtered = (ids: Uint32Array, { name }: Filter): Uint32Array =>
  ids.filter((id) => meets[name]?.(id));

/** The numbers of the items on a page. */
export function idsOf(ids: Uint32Array, { after, isBackwards, offset }: Page): number[] {
  const start = isBackwards ? after - perPage : after + offset;
  return Array.from(ids.subarray(start, start + perPage));
}
