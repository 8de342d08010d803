/** The check of options by a table: names, suggestions, types, nesting, and the error of the caller. */

import { expect, test } from 'vitest';
import { checkOptions, nearestName } from '../../../src/lib/index.ts';
import * as option from '../../../src/lib/option-rows.ts';
import type { OptionTableOf } from '../../../src/lib/index.ts';

interface Example {
  readonly readOnly?: boolean;
  readonly title?: string;
  readonly limit?: number;
  readonly mode?: 'first' | 'last';
  readonly queues?: readonly string[] | ((name: string) => boolean);
  readonly hooks?: { readonly before?: () => void };
  readonly rules?: readonly (string | { readonly path: string })[];
  readonly formats?: { readonly [name: string]: () => void };
  readonly library?: { find(): void };
  readonly secret?: string | null;
}

const table = {
  readOnly: option.boolean,
  title: option.nonEmptyString,
  limit: option.wholeNumber(1, 10),
  mode: option.oneOf('first', 'last'),
  queues: option.either(option.listOf(option.string), option.func),
  hooks: option.objectOf({ before: option.func }),
  rules: option.listOf(
    option.either(option.string, option.objectOf({ path: option.required(option.string) })),
  ),
  formats: option.recordOf(option.func),
  library: option.withMethods('a library', 'find'),
  secret: option.nullable(option.string),
  operators: option.removed('was removed'),
} satisfies OptionTableOf<Example, 'operators'>;

// @ts-expect-error an option without a row does not compile
export const incomplete = { readOnly: option.boolean } satisfies OptionTableOf<Example>;

const messageOf = (options: unknown): string | null => {
  try {
    checkOptions('createExample', options, table);
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError);
    return (error as TypeError).message;
  }
};

test('options of the right names and types pass, and undefined counts as not given', () => {
  expect(messageOf(undefined)).toBeNull();
  expect(messageOf({})).toBeNull();
  expect(messageOf({ readOnly: undefined, hooks: { before: undefined } })).toBeNull();
  expect(
    messageOf({
      readOnly: true,
      title: 'Jobs',
      limit: 10,
      mode: 'last',
      queues: () => true,
      hooks: { before: () => undefined },
      rules: ['age', { path: 'name' }],
      formats: { any: () => undefined },
      library: { find: () => undefined },
      secret: null,
    }),
  ).toBeNull();
});

test.each([
  [{ readonly: true }, '"readonly" is not an option of createExample; did you mean "readOnly"?'],
  [{ colour: 'red' }, '"colour" is not an option of createExample; did you mean "formats.colour"?'],
  [{ before: 1 }, '"before" is not an option of createExample; did you mean "hooks.before"?'],
  [
    { hooks: { befroe: 1 } },
    '"hooks.befroe" is not an option of createExample; did you mean "hooks.before"?',
  ],
  [{ operators: [] }, '"operators" was removed'],
  [
    { rules: ['age', { path: 'a', alias: 'b' }] },
    '"rules[1].alias" is not an option of createExample; "rules[1]" has path',
  ],
  [
    { hooks: JSON.parse('{"__proto__": 1}') },
    '"hooks.__proto__" is not an option of createExample; "hooks" has before',
  ],
  [
    { hooks: { constructor: 1 } },
    '"hooks.constructor" is not an option of createExample; "hooks" has before',
  ],
])('refuses the name %j', (options, message) => {
  expect(messageOf(options)).toBe(message);
});

test.each([
  [{ readOnly: 'true' }, '"readOnly" must be a boolean'],
  [{ readOnly: null }, '"readOnly" must be a boolean'],
  [Object.create({ readOnly: 1 }), '"readOnly" must be a boolean'],
  [{ title: '' }, '"title" must be a non-empty string'],
  [{ limit: 11 }, '"limit" must be a whole number from 1 to 10'],
  [{ limit: 1.5 }, '"limit" must be a whole number from 1 to 10'],
  [{ mode: 'middle' }, '"mode" must be "first" or "last"'],
  [{ queues: ['a', 1] }, '"queues" must be a list of strings or a function'],
  [{ hooks: [] }, '"hooks" must be an object { before? }'],
  [{ hooks: { before: 1 } }, '"hooks.before" must be a function'],
  [{ rules: [1] }, '"rules" must be a list of strings or objects { path }'],
  [{ rules: [{}] }, '"rules[0].path" must be a string'],
  [{ formats: { any: 1 } }, '"formats.any" must be a function'],
  [{ library: {} }, '"library" must be a library'],
  [{ secret: 1 }, '"secret" must be a string or null'],
  [null, 'The options of createExample must be an object'],
  [[], 'The options of createExample must be an object'],
  ['text', 'The options of createExample must be an object'],
])('refuses the type in %j', (options, message) => {
  expect(messageOf(options)).toBe(message);
});

test('the caller creates the error from the message and the path', () => {
  const refuse = (message: string, name: string, path: readonly (string | number)[]): Error =>
    new RangeError(`${name} ${path.join('/')}: ${message}`);
  expect(() => checkOptions('createExample', { rules: [{ path: 1 }] }, table, refuse)).toThrow(
    new RangeError('rules[0].path rules/0/path: "rules[0].path" must be a string'),
  );
});

test('options of a section are reported one level up', () => {
  const outer = { options: option.sectionOf({ readOnly: option.boolean }) };
  const check = (options: object) => () => checkOptions('createExample', options, outer);
  expect(check({ options: { readonly: true } })).toThrow(
    '"readonly" is not an option of createExample; did you mean "readOnly"?',
  );
  expect(check({ readOnly: true })).toThrow(
    '"readOnly" is not an option of createExample; did you mean "options.readOnly"?',
  );
});

test.each([
  ['readonly', 'readOnly'],
  ['visibiltyGuard', 'visibilityGuard'],
  ['readOnlyMode', 'readOnly'],
  ['ulr', 'url'],
  ['raelm', 'realm'],
  ['x', undefined],
  ['completely', undefined],
])('the name nearest to %s is %s', (misspelt, nearest) => {
  const names = ['readOnly', 'visibilityGuard', 'url', 'realm'];
  expect(nearestName(misspelt, names)).toBe(nearest);
});
