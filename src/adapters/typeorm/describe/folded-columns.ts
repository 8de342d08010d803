/** `foldedColumns`: fills companion columns when TypeORM writes an entity. */

import { EventSubscriber } from 'typeorm';
import type {
  DataSource,
  EntitySubscriberInterface,
  InsertEvent,
  ObjectLiteral,
  UpdateEvent,
} from 'typeorm';
import { oncePer } from '../../../lib/index.ts';
import { foldText, portableOrderKey, type FieldDescriptor } from '../../../schema/index.ts';
import { schemaOf } from '../../../relational/index.ts';
import { declarationOf } from './data-source-entities.ts';
import { type DeclaredPart, declaredEntity } from './declared-entity.ts';
import { describeFields } from './describe-fields.ts';
import type { ColumnMetadata, EntityMetadata } from './metadata-types.ts';
import { leaveOut } from './refuse.ts';

/** One companion column and the function that computes its value. */
interface Companion {
  readonly source: ColumnMetadata;
  readonly column: ColumnMetadata;
  readonly make: (value: string | number | boolean | bigint) => string;
}

class FoldedColumns implements EntitySubscriberInterface {
  beforeInsert({ entity, metadata, connection }: InsertEvent<ObjectLiteral>): void {
    const companions = companionsOf(connection, metadata);
    for (const { source } of companions) generate(entity, source);
    fill(entity, companions);
  }

  beforeUpdate(event: UpdateEvent<ObjectLiteral>): void {
    const { entity, metadata, connection, updatedColumns } = event;
    const companions = companionsOf(connection, metadata);
    // A query builder's update does not report changed columns: here `updatedColumns` are all columns that it sets.
    const changed = companions.filter(({ source }) => updatedColumns.includes(source));
    fill(entity, event.databaseEntity ? changed : companions);
  }
}
EventSubscriber()(FoldedColumns);

/**
 * Returns a subscriber class for `subscribers` of a DataSource. On insert and update it writes `foldText` of a property
 * into its `<path>_folded` column and `portableOrderKey` of it into `<path>_order`, embedded entities and cascades
 * included; null where the property is null. A companion is not written where its property is not. A generated uuid
 * with companions is generated before the insert, by `crypto.randomUUID`.
 *
 * It applies where TypeORM has the value of a property: `save`, `insert`, `update` by criteria, and query builders with
 * values. It does not apply to raw SQL, values that are SQL expressions, columns that the database fills by default,
 * rows that `upsert` overwrites (include the companions in its values), nor writes with `listeners: false` or
 * `callListeners(false)`.
 */
export function foldedColumns(): new () => EntitySubscriberInterface {
  return FoldedColumns;
}

/** Generates a uuid that the database would generate, so that its companions can be computed. */
function generate(entity: ObjectLiteral, column: ColumnMetadata): void {
  if (!column.isGenerated || column.generationStrategy !== 'uuid') return;
  if (column.getEntityValue(entity) !== undefined) return;
  column.setEntityValue(entity, globalThis.crypto.randomUUID());
}

function fill(entity: ObjectLiteral | undefined, companions: readonly Companion[]): void {
  if (!entity) return;
  for (const { source, column, make } of companions) {
    const value: unknown = source.getEntityValue(entity);
    if (value === null) column.setEntityValue(entity, null);
    else if (isPlain(value)) column.setEntityValue(entity, make(value));
  }
}

function isPlain(value: unknown): value is string | number | boolean | bigint {
  return /^(?:string|number|boolean|bigint)$/.test(typeof value);
}

const companionsOf = oncePer(
  (dataSource: DataSource, metadata: EntityMetadata): readonly Companion[] => {
    const declaration = declarationOf(dataSource, metadata);
    return declaration ? partCompanions(metadata, declaredEntity(declaration), '') : [];
  },
);

function partCompanions(
  metadata: EntityMetadata,
  part: DeclaredPart,
  prefix: string,
): readonly Companion[] {
  // Entities that are never queried may have columns of any type.
  const columns = describeFields(metadata.name, part, leaveOut);
  const { fields } = schemaOf('', { columns, primaryKey: [], relations: new Map() });
  return [
    ...fields.flatMap((field) => fieldCompanions(metadata, field, prefix)),
    ...part.embeddeds
      .filter(({ isArray }) => !isArray)
      .flatMap(({ property, part: embedded }) =>
        partCompanions(metadata, embedded(), `${prefix}${property}.`),
      ),
  ];
}

function fieldCompanions(
  metadata: EntityMetadata,
  field: FieldDescriptor,
  prefix: string,
): Companion[] {
  const source = metadata.findColumnWithPropertyPath(prefix + field.path);
  const companion = (path: string | undefined, make: Companion['make']): Companion[] => {
    const column = path && metadata.findColumnWithPropertyPath(prefix + path);
    return source && column ? [{ source, column, make }] : [];
  };
  return [
    ...companion(field.foldedField, (value) => foldText(String(value))),
    ...companion(field.portableOrderField, (value) => portableOrderKey(field, value)),
  ];
}
