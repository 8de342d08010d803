/** A model for the compiler: its schema and its table. */

import type { QuerySchema, RelationDescriptor, SchemaRegistry } from '../../schema/index.ts';
import { configurationError, relationNamed } from '../../schema/index.ts';
import type { Dialect } from './dialect.ts';
import { memberColumn } from './values/json-member.ts';
import type {
  PhysicalColumn,
  PhysicalModel,
  PhysicalRelation,
  PhysicalSchema,
} from './physical.ts';
import type { RowChannel } from './row-channel.ts';

/** The inputs of the compiler that do not depend on the plan. */
export interface LoweringContext {
  readonly dialect: Dialect;
  readonly registry: SchemaRegistry;
  readonly physical: PhysicalSchema;
  /** How the driver returns rows. Default: as arrays. */
  readonly channel?: RowChannel | undefined;
  /** Relations to columns that are declared unique, of which the catalogue knows no unique index. Default: none. */
  readonly lacking?: ReadonlySet<PhysicalRelation> | undefined;
  /** Relations of which the catalogue has the foreign key, from columns that are never null. Default: none. */
  readonly enforced?: ReadonlySet<PhysicalRelation> | undefined;
}

export interface ModelContext {
  readonly schema: QuerySchema;
  readonly physical: PhysicalModel;
}

/**
 * Finds a model by name.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when it has no table
 */
export function modelOf(context: LoweringContext, model: string): ModelContext {
  const schema = context.registry.get(model);
  const physical = context.physical.get(model);
  if (!schema || !physical) {
    throw configurationError(`The source has no table for model "${model}"; add it to tables.`, {
      model,
    });
  }
  return { schema, physical };
}

export function columnOf(model: ModelContext, path: string): PhysicalColumn {
  const column = model.physical.columns.get(path) ?? memberColumn(model, path);
  if (!column) {
    throw configurationError(`${model.schema.model}.${path}: the table has no such column.`, {
      path,
    });
  }
  return column;
}

/** Whether a value is that of a column itself, which any index on it serves. */
export const isStored = ({ member, expression }: PhysicalColumn): boolean => !member && !expression;

/** Names of the columns of the primary key, in its order. */
export const keyNames = (model: ModelContext): string[] =>
  model.schema.primaryKey.map((path) => columnOf(model, path).name);

export function relationOf(model: ModelContext, path: string): PhysicalRelation {
  const relation = model.physical.relations.get(path);
  if (!relation) {
    throw configurationError(
      `${model.schema.model}.${path}: the source does not say how the relation joins; pass relations.`,
      { path },
    );
  }
  return relation;
}

export function declaredRelation({ schema }: ModelContext, path: string): RelationDescriptor {
  const relation = relationNamed(schema, path);
  if (!relation) {
    throw configurationError(`${schema.model}.${path}: the relation does not exist.`, { path });
  }
  return relation;
}

/** A column of a physical model by its name in the database. */
export function columnNamed(model: PhysicalModel, name: string): PhysicalColumn | undefined {
  for (const column of model.columns.values()) if (column.name === name) return column;
  return model.hidden?.get(name);
}
