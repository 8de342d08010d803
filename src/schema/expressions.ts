/** The expressions of computed fields: their form, and the fields that they name in braces. */

import { configurationError } from './query-error.ts';
import type { FieldDescriptor, QuerySchema } from './types.ts';
import { type DatabaseFamily, databaseFamilies } from './families.ts';

/** The kinds that a computed field may have. */
const computedKinds: readonly string[] = [
  'string',
  'integer',
  'bigint',
  'decimal',
  'float',
  'boolean',
  'date',
  'datetime',
];

const families: readonly string[] = databaseFamilies;

const placeholder = /\{([A-Za-z_]\w*)\}/;
const placeholders = new RegExp(placeholder, 'g');

/** An expression in parts: texts at even places, and the paths of fields between them. */
export const partsOf = (text: string): readonly string[] => text.split(placeholder);

/** The expression of a family; `undefined` where the field has none for it. */
export function expressionOf({ sql }: FieldDescriptor, family: DatabaseFamily): string | undefined {
  return typeof sql === 'string' ? sql : sql?.[family];
}

/** Quoted texts and names, in which parentheses and comments are not syntax. */
const quoted = /'(?:[^']|'')*'|"[^"]*"|`[^`]*`/g;
/** Drivers take a question mark for a parameter, within texts as well. */
const refused = /[?\0]|\$\d/;
const ending = /;|--|\/\*|['"`\\{}]/;

function isWhole(text: string): boolean {
  let rest = text.replaceAll(quoted, '').replaceAll(placeholders, '');
  if (refused.test(text) || ending.test(rest) || text.trim() === '') return false;
  for (let before = ''; before !== rest;) {
    before = rest;
    rest = rest.replaceAll(/\([^()]*\)/g, '');
  }
  return !/[()]/.test(rest);
}

/**
 * Checks the expression of a computed field against the fields of its model.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the kind is not computed, the field belongs to the primary key, an
 * expression is not whole, or it names what is not a field with a column
 */
export function checkExpression({ model, fields }: QuerySchema, field: FieldDescriptor): void {
  const { path, kind, sql } = field;
  if (sql === undefined) return;
  const refuse = (message: string) =>
    configurationError(`${model}.${path}: ${message}`, { model, path });
  if (!computedKinds.includes(kind)) {
    throw refuse(`a computed field is of kind ${computedKinds.join(', ')}, not ${kind}.`);
  }
  if (field.primaryKey || field.unsigned || field.portableOrderField !== undefined) {
    throw refuse(
      'a computed field has no "primaryKey", "unsigned" and "portableOrderField"; remove them.',
    );
  }
  const named = typeof sql === 'string' ? [] : Object.keys(sql);
  const texts =
    typeof sql === 'string' ? [sql] : Object.values(sql).filter((text) => text !== undefined);
  if (texts.length === 0 || !named.every((each) => families.includes(each))) {
    throw refuse(`"sql" must be one text, or a text for each of ${families.join(', ')}.`);
  }
  for (const text of texts) {
    if (typeof text !== 'string' || !isWhole(text)) {
      throw refuse(
        '"sql" must be one whole SQL expression: parentheses and quotes closed, without ?, $1 and ;, without braces and backslashes outside quotes but those of names, and without comments.',
      );
    }
    for (const [at, name] of partsOf(text).entries()) {
      const target = at % 2 === 0 || fields.find((each) => each.path === name);
      if (target === true || (target && target.sql === undefined)) continue;
      throw refuse(
        `"sql" names "{${name}}", which is not a field of ${model} with a column; correct the name.`,
      );
    }
  }
}
