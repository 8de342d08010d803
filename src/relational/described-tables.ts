/**
 * Tables as an adapter reads them, and the parts derived from them: the schemas of a derived registry, the storage of a
 * registry's models, and their description for the source check.
 */

import { oncePer } from '../lib/index.ts';
import type {
  DescribedField,
  DescribedModel,
  DescribedRelation,
  SourceOrigin,
} from '../rules/index.ts';
import {
  type FieldDescriptor,
  type FieldKind,
  type FieldOverride,
  type QuerySchema,
  Refusals,
  type RelationDescriptor,
  type SchemaRegistry,
  companionRoles,
  comparedKind,
  configurationError,
  fieldNamed,
  isArrayKind,
} from '../schema/index.ts';
import { unsignedMark } from './column-kinds.ts';
import { computedColumn } from './computed-column.ts';
import type { Dialect } from './compile/dialect.ts';
import { arrayColumn } from './compile/values/array-members.ts';
import { nativeMembers } from './compile/order/member-order.ts';
import type {
  ColumnCodec,
  PhysicalColumn,
  PhysicalModel,
  PhysicalRelation,
  PhysicalSchema,
  RowRestriction,
  StorageForm,
  TableRef,
} from './compile/physical.ts';

/** A column as far as its field needs it. */
export interface SchemaColumn {
  /** The database's own type, for casts. */
  readonly sqlType: string;
  /** Kind of the field in a derived registry. */
  readonly kind: FieldKind;
  /** Whether the field may be null. */
  readonly nullable: boolean;
  /** Members of an enum. */
  readonly enumValues: readonly string[] | undefined;
  /** The host's own settings of the field, of which kind, nullability and members are applied already. */
  readonly said: FieldOverride;
  /** Whether derived registries leave the column out. Default `false`. */
  readonly isLeftOut?: boolean;
  /** Whether fields of unsigned types take the numbers beyond the signed ones. Default `true`. */
  readonly takesUnsigned?: boolean;
}

/** A column of a model. */
export interface DescribedColumn extends SchemaColumn {
  /** Name in the database. */
  readonly name: string;
  /** Whether the database keeps null out of the column where it is a key. */
  readonly isNotNull: boolean;
  /** Members of an enum type of the database, in its order. Default: those of `enumValues`. */
  readonly members?: readonly string[] | undefined;
  /** Every kind that the column can hold. */
  held(dialect: Dialect): ReadonlySet<FieldKind>;
  /** How the column stores a kind; `undefined` where it does not hold it. */
  storageOf(dialect: Dialect, kind: FieldKind): StorageForm | undefined;
  /** How values of a kind are converted. Default: they are not. */
  codecOf?(kind: FieldKind): ColumnCodec | undefined;
  /** Kind that the codec converts to. Default: that of the field. */
  readonly storedKind?: FieldKind | undefined;
  /** Whether numbers are bound as text. Default `false`. */
  readonly numbersAsText?: boolean;
}

/** A relation as far as its schema needs it. */
export interface SchemaRelation extends Pick<PhysicalRelation, 'target' | 'cardinality'> {
  /** Whether a `one` relation may be absent. */
  readonly nullable: boolean;
}

/** A relation of a model. */
export interface DescribedJoin extends PhysicalRelation, SchemaRelation {
  /** Whether the host decides about `nullable`, because the ORM does not know it. Default `false`. */
  readonly isOpen?: boolean;
}

/** A table as far as its schema needs it. */
export interface SchemaTable {
  /** Columns by path. */
  readonly columns: ReadonlyMap<string, SchemaColumn>;
  /** Paths of the primary key, in order. */
  readonly primaryKey: readonly string[];
  /** Relations by path. */
  readonly relations: ReadonlyMap<string, SchemaRelation>;
}

/** A table and its model. */
export interface DescribedTable extends SchemaTable {
  readonly table: TableRef;
  readonly columns: ReadonlyMap<string, DescribedColumn>;
  /** The columns of each unique key, by their names in the database. */
  readonly uniqueKeys: readonly (readonly string[])[];
  readonly relations: ReadonlyMap<string, DescribedJoin>;
  /** Conditions that every row of the model meets. Default: none. */
  readonly restrictions?: readonly RowRestriction[];
}

/** Tables by model. */
export type DescribedTables = ReadonlyMap<string, DescribedTable>;

/** The columns that have fields. */
const fieldsOf = <Column extends SchemaColumn>(columns: ReadonlyMap<string, Column>) =>
  [...columns].filter(([, { isLeftOut }]) => !isLeftOut);

/** The schema of a model in a derived registry. Companions are internal. */
export function schemaOf(model: string, table: SchemaTable): QuerySchema {
  const fields = fieldsOf(table.columns);
  const texts = new Set(
    fields.flatMap(([path, { kind, said }]) =>
      kind === 'string' && said.internal !== false ? [path] : [],
    ),
  );
  const companions = new Map(
    fields.map(([path, column]) => [path, companionsOf(path, column, texts)]),
  );
  const internal = new Set([...companions.values()].flatMap((found) => Object.values(found)));
  return {
    model,
    primaryKey: table.primaryKey,
    fields: fields.map(([path, { kind, nullable, enumValues, said, ...column }]) => ({
      path,
      kind,
      nullable,
      ...(column.takesUnsigned !== false && unsignedMark(kind, column.sqlType)),
      primaryKey: table.primaryKey.includes(path),
      ...(comparedKind(kind) === 'enum' && enumValues && { enumValues }),
      ...companions.get(path),
      ...(said.paths && { paths: said.paths }),
      ...((said.internal ?? internal.has(path)) && { internal: true }),
    })),
    relations: [...table.relations].map(([path, { target, cardinality, nullable }]) => ({
      path,
      target,
      cardinality,
      nullable,
    })),
  };
}

function companionsOf(
  path: string,
  { kind, said }: SchemaColumn,
  texts: ReadonlySet<string>,
): { readonly [role: string]: string } {
  const found: { [role: string]: string } = {};
  for (const { role, kinds, suffixes } of companionRoles) {
    const byName = () => suffixes.map((suffix) => path + suffix).find((name) => texts.has(name));
    const companion = said[role] ?? (kinds.has(kind) ? byName() : undefined);
    if (typeof companion === 'string') found[role] = companion;
  }
  return found;
}

/**
 * The storage of each model that has a table and a schema. The registry decides kinds; columns and relations that it
 * does not declare are ignored, except that relations may join on such columns.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID naming each model and path where a field has no column, a column does
 * not hold the declared kind, or a relation is not declared by the table or has another target or cardinality; unless
 * `isWhole` is `false`, which leaves those out for the source check to name
 */
export function storageOfTables(
  tables: DescribedTables,
  registry: SchemaRegistry,
  dialect: Dialect,
  isWhole = true,
): PhysicalSchema {
  const models = new Map<string, PhysicalModel>();
  const refusals = new Refusals();
  for (const [model, described] of tables) {
    const schema = registry.get(model);
    if (!schema) continue;
    const { table, uniqueKeys, restrictions } = described;
    const at = { model, described, schema, dialect };
    models.set(model, {
      model,
      table,
      columns: fitting(schema.fields, refusals, (field) => columnOfField(at, field)),
      relations: fitting(schema.relations, refusals, (relation) => joined(at, relation)),
      hidden: hiddenColumns(at),
      uniqueKeys,
      restrictions,
    });
  }
  if (isWhole) refusals.throwAll();
  return models;
}

interface Place {
  readonly model: string;
  readonly described: DescribedTable;
  readonly schema: QuerySchema;
  readonly dialect: Dialect;
}

/** Maps each part, by its path. */
function fitting<Part extends { readonly path: string }, Made>(
  parts: readonly Part[],
  refusals: Refusals,
  make: (part: Part) => Made,
): ReadonlyMap<string, Made> {
  const made = new Map<string, Made>();
  for (const part of parts) {
    const found = refusals.attempt(() => make(part));
    if (found !== undefined) made.set(part.path, found);
  }
  return made;
}

function columnOfField(at: Place, field: FieldDescriptor): PhysicalColumn {
  if (field.sql === undefined) return physicalColumn(at, field);
  return computedColumn(at.dialect, at.model, field, (path) => {
    const named = fieldNamed(at.schema, path);
    if (named) return physicalColumn(at, named);
    return refuse(at, field.path, `its expression names "${path}", which is not a field.`);
  });
}

function physicalColumn(at: Place, field: FieldDescriptor): PhysicalColumn {
  const { described, schema, dialect } = at;
  const { path, kind } = field;
  const column = described.columns.get(path);
  if (!column) {
    refuse(at, path, 'the table has no such column; declare the column or correct the path.');
  }
  const { name, sqlType, enumValues, members = enumValues, isNotNull } = column;
  const { storedKind = kind } = column;
  const storage = column.storageOf(dialect, storedKind);
  if (!storage) {
    refuse(
      at,
      path,
      `a column of type ${sqlType} does not hold kind ${kind} on ${dialect.family}; declare the kind it holds, or how it holds it as storage.`,
    );
  }
  const codec = column.codecOf?.(kind);
  if (codec && isArrayKind(kind)) {
    refuse(
      at,
      path,
      'the column has a transformer, so its members cannot be read; declare kind opaque.',
    );
  }
  const { primaryKey } = schema;
  const keepsNull =
    primaryKey.includes(path) &&
    !isNotNull &&
    dialect.keyKeepsNull(sqlType, primaryKey.length === 1);
  return arrayColumn({
    path,
    name,
    kind: storedKind,
    storage,
    sqlType,
    ...(codec && { codec }),
    ...(column.numbersAsText && { numbersAsText: true }),
    ...nativeMembers(dialect, sqlType, field, members),
    ...(keepsNull && { keepsNull }),
  });
}

function joined(at: Place, { path, target, cardinality }: RelationDescriptor): PhysicalRelation {
  const found = at.described.relations.get(path);
  if (!found) refuse(at, path, 'the source declares no such relation; declare it there.');
  if (found.target !== target || found.cardinality !== cardinality) {
    const said = `${found.cardinality} ${found.target}`;
    refuse(at, path, `declared as ${cardinality} ${target}, but the source declares ${said}.`);
  }
  const { hops, isEnforced } = found;
  return { path, target, cardinality, hops, ...(isEnforced && { isEnforced }) };
}

/** Columns without a field; a column without a kind is read in the driver's form. */
function hiddenColumns({ described, schema, dialect }: Place): PhysicalModel['hidden'] {
  const fields = new Set(schema.fields.map(({ path }) => path));
  const hidden = new Map<string, PhysicalColumn>();
  for (const [path, { name, kind: own, sqlType }] of described.columns) {
    if (fields.has(path)) continue;
    const kind = own === 'opaque' ? 'string' : own;
    const wide = kind === 'integer' && dialect.wideIntegers ? 'bigint' : kind;
    hidden.set(name, { path, name, kind: wide, storage: 'native', sqlType });
  }
  return hidden;
}

function refuse({ model }: Place, path: string, message: string): never {
  throw configurationError(`${model}.${path}: ${message}`, { model, path });
}

/** The origin of all sources on these tables. Models are described on first use. */
export function originOfTables(tables: DescribedTables, dialect: Dialect): SourceOrigin {
  return {
    describe: oncePer((model) => {
      const table = tables.get(model);
      return table && describedModel(table, dialect);
    }),
  };
}

function describedModel(table: DescribedTable, dialect: Dialect): DescribedModel {
  const fields = new Map<string, DescribedField>();
  for (const [path, column] of fieldsOf(table.columns)) {
    const { nullable, enumValues = [] } = column;
    const members = enumValues.length > 0 ? enumValues : undefined;
    fields.set(path, { kinds: column.held(dialect), nullable, enumValues: members });
  }
  const relations = new Map<string, DescribedRelation>();
  for (const [path, { target, cardinality, nullable, isOpen }] of table.relations) {
    relations.set(path, { target, cardinality, nullable: isOpen ? undefined : nullable });
  }
  return { primaryKey: table.primaryKey, fields, relations };
}
