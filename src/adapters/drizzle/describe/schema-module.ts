/** Finds the tables, views and relations among the exports of a schema module. */

import { Relations, Table, View } from 'drizzle-orm';
import { isObject, isRecord, oncePer } from '../../../lib/index.ts';
import { configurationError } from '../../../schema/index.ts';
import { type DrizzleTables, isA, viewAsTable } from './describe-metadata.ts';
import type { DrizzleRelations } from './describe-relations.ts';
import { ManyToMany } from './many-to-many.ts';

/** Exports of a schema module, as in `import * as schema`: tables and views by model name, and anything else. */
export interface DrizzleSchema {
  readonly [name: string]: unknown;
}

/**
 * The tables and views by model name; enums, sequences, roles and functions are passed over.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the argument is not an object with names, an export is not
 * defined yet, or none is a table or a view.
 */
export function tablesAmong(schema: DrizzleSchema): DrizzleTables {
  if (!isRecord(schema)) {
    throw configurationError('"tables" must be an object of tables by model name');
  }
  return tablesIn(schema);
}

const tablesIn = oncePer((schema: DrizzleSchema): DrizzleTables => {
  const found = Object.entries(schema).flatMap(([name, value]) => tableOf(name, value));
  const isPlain = found.every(([name, table]) => schema[name] === table);
  const onlyTables = isPlain && found.length === Object.keys(schema).length;
  return onlyTables ? (schema as DrizzleTables) : Object.fromEntries(found);
});

function tableOf(name: string, value: unknown): [name: string, table: Table][] {
  if (value === undefined || value === null) {
    throw configurationError(
      `${name}: not a Drizzle table; pass a table, and where modules import each other make sure it is defined by then.`,
      { model: name },
    );
  }
  if (isA(value, Table)) return [[name, value]];
  return isA(value, View) ? [[name, viewAsTable(value)]] : [];
}

/**
 * The relations among the exports, followed by those that are given apart.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when those are one relation, no object, or overrides, which would
 * show the columns that they leave out
 */
export function relationsAmong(
  schema: DrizzleSchema,
  relations: DrizzleRelations,
): DrizzleRelations {
  if (!isObject(relations) || isOneRelation(relations)) {
    throw configurationError(
      '"relations" must be a list or an object of results of relations() and manyToMany()',
    );
  }
  const misplaced = Object.entries(relations).find(
    ([name, value]) => Object.hasOwn(schema, name) && isLiteral(value),
  );
  if (misplaced) {
    throw configurationError(
      `"relations" has overrides of ${misplaced[0]}; pass them as the third argument, after the relations.`,
      { model: misplaced[0] },
    );
  }
  const exported = Object.entries(schema).filter(
    ([, value]) => isA(value, Relations) || value instanceof ManyToMany,
  );
  if (exported.length === 0) return relations;
  const apart = Object.entries(relations).filter(
    ([, value]) => !exported.some(([, other]) => other === value),
  );
  const names = new Set(exported.map(([name]) => name));
  return Object.fromEntries([
    ...exported,
    ...apart.map(([name, value]) => [names.has(name) ? `relations.${name}` : name, value]),
  ]);
}

/** Whether a value is one result of `relations()` or `manyToMany()`. */
const isOneRelation = (value: object): boolean =>
  value instanceof ManyToMany || isA(value, Relations);

/** Whether a value is written as `{ ... }`, unlike tables and relations. */
const isLiteral = (value: unknown): boolean =>
  isObject(value) && Object.getPrototypeOf(value) === Object.prototype;
