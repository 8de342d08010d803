/** Hostile parsed objects that a framework's parser, or a careless host, could pass as a request. */

import fc from 'fast-check';
import { filterKey, operator, params, path, unknownParams } from './request-parts.ts';
import type { HostileRequest } from './request-parts.ts';
import { hostileText, markers } from './values.ts';

const [mark] = markers;

/** Objects that a framework's parser, or a careless host, may pass instead of a value. */
const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: hostileText },
  { weight: 2, arbitrary: fc.array(hostileText, { maxLength: 4 }) },
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(
      0,
      1,
      -1,
      1.5,
      -0,
      1e400,
      Number.NaN,
      2 ** 31,
      2 ** 53,
      true,
      false,
      null,
      undefined,
      10n,
      Symbol.iterator,
      () => mark,
      new Date(0),
      new Date(Number.NaN),
      new Map([['eq', mark]]),
      /x/,
      Buffer.from(mark),
      [],
      [[]],
      [[mark]],
      [null],
      [undefined],
      [{}],
      {},
      { eq: { eq: mark } },
      Object.create(null),
      Object.create({ eq: mark }),
      { toString: () => mark },
      { valueOf: () => 1 },
      { length: 2 ** 32 },
      { then: mark },
      new Array(3),
      Array.from({ length: 10_000 }, () => 1),
    ),
  },
);

function nullPrototype(entries: Iterable<readonly [string, unknown]>): Record<string, unknown> {
  const result = Object.create(null) as Record<string, unknown>;
  for (const [key, value] of entries) define(result, key, value);
  return result;
}

/** Defines rather than assigns, so that `__proto__` is a key like any other. */
function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

/** A property that returns another value at every read. */
function withGetter(key: string, values: readonly unknown[]): Record<string, unknown> {
  let looks = 0;
  return Object.defineProperty({}, key, {
    enumerable: true,
    get: () => values[looks++ % values.length],
  }) as Record<string, unknown>;
}

const operands = fc.array(fc.tuple(operator, oddValue), { maxLength: 3 });
const conditions = fc.oneof(
  oddValue,
  operands.map(nullPrototype),
  operands.map((list) => Object.fromEntries(list)),
);
const filterObject = fc.array(fc.tuple(path, conditions), { maxLength: 4 });

type Make = () => Record<string, unknown>;
const paramEntries = fc.array(
  fc.tuple(
    fc.oneof(filterKey, fc.constantFrom<string>(...params, 'filter', ...unknownParams)),
    oddValue,
  ),
  { maxLength: 4 },
);

/** Requests as objects. */
export const hostileObject: fc.Arbitrary<HostileRequest> = fc
  .oneof(
    filterObject.map(
      (list): Make =>
        () =>
          nullPrototype([['filter', nullPrototype(list)]]),
    ),
    filterObject.map((list): Make => () => ({ filter: Object.fromEntries(list) })),
    filterObject.map(
      (list): Make =>
        () =>
          withGetter('filter', [Object.fromEntries(list), { name: { eq: mark } }, mark]),
    ),
    paramEntries.map(
      (list): Make =>
        () =>
          nullPrototype(list),
    ),
    paramEntries.map(
      (list): Make =>
        () =>
          Object.fromEntries(list),
    ),
    fc.tuple(filterKey, oddValue, oddValue).map(
      ([key, ...looks]): Make =>
        () =>
          withGetter(key, looks),
    ),
  )
  .map((make) => ({ input: make(), values: [] }));
