/** Rows for option tables: the types that an option may have. */

import { checkTable, checkValue, namesOf } from './check-options.ts';
import type { OptionRow, OptionTable, RemovedOption } from './check-options.ts';
import { isObject, isRecord } from './type-guards.ts';

const isString = (value: unknown): value is string => typeof value === 'string';

export const boolean: OptionRow = {
  expected: 'a boolean',
  plural: 'booleans',
  fits: (value) => typeof value === 'boolean',
};

export const string: OptionRow = { expected: 'a string', plural: 'strings', fits: isString };

export const nonEmptyString: OptionRow = {
  expected: 'a non-empty string',
  plural: 'non-empty strings',
  fits: (value) => isString(value) && value !== '',
};

export const func: OptionRow = {
  expected: 'a function',
  plural: 'functions',
  fits: (value) => typeof value === 'function',
};

/** A string with a certain syntax. `expected` is a noun with its article: `the name of a cookie`. */
export function matching(expected: string, pattern: RegExp): OptionRow {
  return { expected, fits: (value) => isString(value) && pattern.test(value) };
}

/** Any value; its type is checked elsewhere. */
export const anything: OptionRow = { expected: 'given', plural: 'values', fits: () => true };

/** An object that is passed on unchanged: its properties are not options. */
export const plainObject: OptionRow = {
  expected: 'an object',
  plural: 'objects',
  fits: isRecord,
};

/** An object that has its own option table. Messages show its form, such as `{ allowed, default, maxChildren? }`. */
export function objectOf(table: OptionTable): OptionRow & { readonly table: OptionTable } {
  const names = namesOf(table).map((name) => {
    const { required: isRequired } = table[name] as OptionRow;
    return isRequired ? name : `${name}?`;
  });
  const form = `{ ${names.join(', ')} }`;
  return {
    ...plainObject,
    expected: `an object ${form}`,
    plural: `objects ${form}`,
    table,
    checkParts: (value, place) => checkTable(value as Record<string, unknown>, table, place),
  };
}

/** An object whose options are reported without its own name. */
export function sectionOf(table: OptionTable): OptionRow {
  return { ...objectOf(table), flat: true };
}

/** An object with values of one type under any names. */
export function recordOf(row: OptionRow): OptionRow {
  return {
    ...plainObject,
    expected: `an object with ${row.plural ?? 'values'} by name`,
    anyName: true,
    checkParts: (value, place) => {
      for (const [name, each] of Object.entries(value as object)) {
        if (each !== undefined) checkValue(each, row, name, place);
      }
    },
  };
}

/** A list whose members have one type. */
export function listOf(row: OptionRow): OptionRow {
  const { plural = 'values', checkParts } = row;
  return {
    expected: `a list of ${plural}`,
    plural: `lists of ${plural}`,
    fits: (value) => Array.isArray(value) && value.every((each) => row.fits(each)),
    ...(checkParts && {
      checkParts: (value, place) => {
        (value as unknown[]).forEach((each, index) => checkValue(each, row, index, place));
      },
    }),
  };
}

/** A list with at least one member. */
export function nonEmptyListOf(row: OptionRow): OptionRow {
  const list = listOf(row);
  return {
    ...list,
    expected: `${list.expected}, at least one`,
    fits: (value) => list.fits(value) && (value as unknown[]).length > 0,
  };
}

/** A whole number from `least` to `most`, both inclusive. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): OptionRow {
  const bounds =
    most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  return {
    expected: `a whole number ${bounds}`,
    plural: `whole numbers ${bounds}`,
    fits: (value) => Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most,
  };
}

/** A number from `least` to `most`, both inclusive, with or without a fraction. */
export function number(least: number, most: number): OptionRow {
  return {
    expected: `a number from ${least} to ${most}`,
    fits: (value) => typeof value === 'number' && value >= least && value <= most,
  };
}

/** Milliseconds, with or without a fraction; not `NaN` and not the infinities. */
export const duration: OptionRow = {
  expected: 'a finite number of at least 0',
  fits: (value) => Number.isFinite(value) && Number(value) >= 0,
};

export const abortSignal: OptionRow = withMethods('an AbortSignal', 'addEventListener');

/** One of these strings. */
export function oneOf(...members: readonly string[]): OptionRow {
  const expected = alternatives(members.map((member) => `"${member}"`));
  return {
    expected,
    plural: expected,
    fits: (value) => isString(value) && members.includes(value),
  };
}

/** A value of any of these types. */
export function either(...rows: readonly OptionRow[]): OptionRow {
  const { table } = rows.find((row) => row.table) ?? {};
  return {
    ...(table && { table }),
    expected: alternatives(rows.map(({ expected }) => expected)),
    plural: alternatives(rows.map(({ plural = 'values' }) => plural)),
    fits: (value) => rows.some((row) => row.fits(value)),
    checkParts: (value, place) => rows.find((row) => row.fits(value))?.checkParts?.(value, place),
  };
}

/** An object of another library, recognised by its methods. `expected` is a noun with its article: `a PgBoss`. */
export function withMethods(expected: string, ...methods: readonly string[]): OptionRow {
  return {
    expected,
    plural: `values that are each ${expected}`,
    fits: (value) =>
      (isObject(value) || typeof value === 'function') &&
      methods.every((method) => typeof Reflect.get(value, method) === 'function'),
  };
}

/** A value of this type, or `false` to switch the option off. */
export function orFalse(row: OptionRow): OptionRow {
  return either(row, { expected: 'false', fits: (value) => value === false });
}

/** Marks the option as required. */
export function required<Row extends OptionRow>(row: Row): Row {
  return { ...row, required: true };
}

/** Also accepts `null`. */
export function nullable(row: OptionRow): OptionRow {
  return either(row, { expected: 'null', fits: (value) => value === null });
}

/** An option that was removed, or does not exist yet; `text` follows its name in the message. */
export function removed(text: string): RemovedOption {
  return { removed: text };
}

/** Joins words as `a, b or c`. */
function alternatives(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}
