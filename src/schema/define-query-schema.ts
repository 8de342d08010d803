/** Validates a query schema once, at boot. */

import { checkExpression } from './expressions.ts';
import { checkedPaths } from './json-paths.ts';
import { comparedKind, kinds } from './kinds/index.ts';
import { configurationError } from './query-error.ts';
import { Refusals } from './refusals.ts';
import type { FieldDescriptor, QuerySchema, RelationDescriptor } from './types.ts';
import { assertSchemaForm } from './schema-form.ts';

/** `__proto__` cannot be assigned as a property of a row. */
const name = /^(?!__proto__$)[A-Za-z_][A-Za-z0-9_]*$/;

const form =
  'a name of letters, digits and underscores that does not begin with a digit and is not __proto__';

type Fields = ReadonlyMap<string, FieldDescriptor>;

/**
 * Checks a schema and returns a frozen copy of it.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the schema is not an object of the documented form, a name is
 * not an identifier or is `__proto__`, a kind is unknown, a path is declared twice, an enum has no members, a relation has the name of a
 * field, the primary key is empty or names a field that is undeclared, nullable or not marked `primaryKey`, or a
 * companion field is undeclared, not internal, not of kind `string`, not nullable for a nullable field, or of a role
 * that the kind does not have. The message names the model, the path and the remedy.
 */
export function defineQuerySchema<const Schema extends QuerySchema>(schema: Schema): Schema {
  assertSchemaForm(schema);
  const model = schema.model;
  if (!name.test(model)) {
    throw configurationError(`"model" must be ${form}; rename ${JSON.stringify(model)}.`, {
      model,
    });
  }
  const fields = new Map<string, FieldDescriptor>();
  const refusals = new Refusals();
  for (const field of schema.fields) refusals.attempt(() => addField(model, fields, field));
  for (const field of fields.values()) {
    refusals.attempt(() => checkCompanions(model, fields, field));
    refusals.attempt(() => checkExpression(schema, field));
  }
  refusals.attempt(() => checkPrimaryKey(model, fields, schema.primaryKey));
  const relations = new Map<string, RelationDescriptor>();
  for (const relation of schema.relations) {
    refusals.attempt(() => addRelation(model, fields, relations, relation));
  }
  refusals.throwAll();
  return Object.freeze({
    model,
    primaryKey: Object.freeze([...schema.primaryKey]),
    fields: Object.freeze([...fields.values()]),
    relations: Object.freeze([...relations.values()]),
  }) as QuerySchema as Schema;
}

function refuse(model: string, path: string, message: string): never {
  throw configurationError(`${model}.${path}: ${message}`, { model, path });
}

/** Names what must be renamed: tables of other people have many columns that such a message may mean. */
function refuseName(model: string, part: 'field' | 'relation', path: string): never {
  throw configurationError(
    `${model}: a ${part} path must be ${form}; rename ${JSON.stringify(path)}.`,
    { model, path },
  );
}

function addField(model: string, fields: Map<string, FieldDescriptor>, field: FieldDescriptor) {
  const { path, kind, enumValues } = field;
  if (!name.test(path)) {
    refuseName(model, 'field', path);
  }
  if (fields.has(path)) refuse(model, path, 'the path is declared twice; keep one declaration.');
  if (!kinds.has(kind)) {
    refuse(model, path, `unknown kind; use one of ${[...kinds.keys()].join(', ')}.`);
  }
  if (comparedKind(kind) === 'enum' && !(enumValues && enumValues.length > 0)) {
    refuse(model, path, 'an enum field must have "enumValues"; list its members.');
  }
  if (enumValues && new Set(enumValues).size !== enumValues.length) {
    refuse(model, path, '"enumValues" contains a member twice; keep one.');
  }
  const copy = {
    ...field,
    ...(enumValues && { enumValues: Object.freeze([...enumValues]) }),
    ...(field.paths && { paths: checkedPaths(model, field) }),
    ...(typeof field.sql === 'object' && {
      sql: Object.freeze({ ...field.sql }),
    }),
  };
  fields.set(path, Object.freeze(copy));
}

function checkCompanions(model: string, fields: Fields, field: FieldDescriptor) {
  for (const role of ['foldedField', 'portableOrderField'] as const) {
    const companion = field[role];
    if (companion === undefined) continue;
    const target = fields.get(companion);
    if (!target) {
      refuse(
        model,
        field.path,
        `its ${role} "${companion}" is not declared; declare it as a field.`,
      );
    }
    if (!target.internal) {
      refuse(
        model,
        field.path,
        `its ${role} "${companion}" is not internal; mark it internal: true.`,
      );
    }
    if (target.kind !== 'string') {
      refuse(
        model,
        field.path,
        `its ${role} "${companion}" is not of kind string; declare it with kind: 'string'.`,
      );
    }
    if (field.nullable && !target.nullable) {
      refuse(
        model,
        field.path,
        `its ${role} "${companion}" is not nullable, but the companion of null is null; declare it with nullable: true.`,
      );
    }
    if (role === 'portableOrderField' && kinds.get(field.kind)?.order === 'none') {
      refuse(model, field.path, `${field.kind} fields have no order; remove "portableOrderField".`);
    }
    if (role === 'foldedField' && !kinds.get(field.kind)?.textual) {
      refuse(
        model,
        field.path,
        'only string, uuid and enum fields are folded; remove "foldedField".',
      );
    }
  }
}

function checkPrimaryKey(model: string, fields: Fields, primaryKey: readonly string[]) {
  if (primaryKey.length === 0) {
    throw configurationError(`${model}: primaryKey is empty; name at least one field.`, { model });
  }
  if (new Set(primaryKey).size !== primaryKey.length) {
    throw configurationError(`${model}: "primaryKey" names a field twice; keep one.`, { model });
  }
  for (const path of primaryKey) {
    const field = fields.get(path);
    if (!field) refuse(model, path, '"primaryKey" names it, but it is not declared; declare it.');
    if (field.nullable) {
      refuse(
        model,
        path,
        'a field of the primary key must not be nullable; declare it with nullable: false.',
      );
    }
    if (!field.primaryKey) {
      refuse(
        model,
        path,
        '"primaryKey" names it, but it is not marked; declare it with primaryKey: true.',
      );
    }
  }
  for (const field of fields.values()) {
    if (field.primaryKey && !primaryKey.includes(field.path)) {
      refuse(
        model,
        field.path,
        'it is marked primaryKey, but "primaryKey" does not name it; add it.',
      );
    }
  }
}

function addRelation(
  model: string,
  fields: Fields,
  relations: Map<string, RelationDescriptor>,
  relation: RelationDescriptor,
) {
  const { path } = relation;
  if (!name.test(path)) {
    refuseName(model, 'relation', path);
  }
  if (fields.has(path))
    refuse(model, path, 'a relation has the name of a field; rename one of them.');
  if (relations.has(path)) refuse(model, path, 'the relation is declared twice; keep one.');
  relations.set(path, Object.freeze({ ...relation }));
}
