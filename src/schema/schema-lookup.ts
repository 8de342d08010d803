/** Looks up fields and relations of a schema by path, with an index per schema. */

import type { FieldDescriptor, QuerySchema, RelationDescriptor } from './types.ts';

interface SchemaIndex {
  readonly fields: ReadonlyMap<string, FieldDescriptor>;
  readonly relations: ReadonlyMap<string, RelationDescriptor>;
}

const indexes = new WeakMap<QuerySchema, SchemaIndex>();

function indexOf(schema: QuerySchema): SchemaIndex {
  let index = indexes.get(schema);
  if (!index) {
    index = {
      fields: new Map(schema.fields.map((field) => [field.path, field])),
      relations: new Map(schema.relations.map((relation) => [relation.path, relation])),
    };
    indexes.set(schema, index);
  }
  return index;
}

/** The field with the path, also if it is internal. */
export function fieldNamed(schema: QuerySchema, path: string): FieldDescriptor | undefined {
  return indexOf(schema).fields.get(path);
}

/** The relation with the path. */
export function relationNamed(schema: QuerySchema, path: string): RelationDescriptor | undefined {
  return indexOf(schema).relations.get(path);
}
