/** Describes the tables of a Prisma schema as the generator wrote it. */

import type { DatabaseFamily } from '../../../rules/index.ts';
import { type FieldKind, isArrayKind } from '../../../schema/index.ts';
import {
  type ColumnCodec,
  type DescribedColumn,
  type DescribedJoin,
  type DescribedTable,
  type DescribedTables,
  type Dialect,
  type StorageForm,
  type TableRef,
} from '../../../relational/index.ts';
import type { RuntimeDataModel } from '../foreign.ts';
import type {
  PrismaDescription,
  PrismaFieldDescription,
  PrismaModelDescription,
} from './description.ts';
import { clientBehaviour } from '../client-behaviour.ts';
import { heldKinds } from './held-kinds.ts';

type RuntimeModel = RuntimeDataModel['models'][string];

/** The database and the client that a description is for. */
interface Surroundings {
  /** Default: the tables are not stored, as in the derivation of a registry. */
  readonly family?: DatabaseFamily | undefined;
  /** Schema of the tables without a schema. Default: that of the connection. */
  readonly defaultSchema?: string | undefined;
  /**
   * The client's own description of its schema. Where the two differ it applies, because the client runs the queries.
   * Default: only the description counts.
   */
  readonly runtime?: RuntimeDataModel | undefined;
}

/** The tables by model. */
export function describeTables(
  description: PrismaDescription,
  { family, defaultSchema, runtime }: Surroundings = {},
): DescribedTables {
  const described = new Map<string, DescribedTable>();
  for (const [model, { primaryKey, uniqueKeys = [], ...own }] of Object.entries(
    description.models,
  )) {
    const known = runtime && Object.hasOwn(runtime.models, own.name);
    const actual = known ? runtime.models[own.name] : undefined;
    if (runtime && !actual) continue;
    described.set(model, {
      table: tableRef(own, defaultSchema),
      primaryKey,
      uniqueKeys,
      columns: new Map(
        Object.entries(own.fields).flatMap(([path, field]): [string, DescribedColumn][] => {
          const column = describeColumn(path, field, description, family, actual);
          return column ? [[path, column]] : [];
        }),
      ),
      relations: relationsOf(own, defaultSchema, actual),
    });
  }
  return described;
}

function tableRef(
  { schema, table }: Pick<PrismaModelDescription, 'schema' | 'table'>,
  defaultSchema: string | undefined,
): TableRef {
  return { schema: schema ?? defaultSchema, name: table };
}

function relationsOf(
  { relations }: Pick<PrismaModelDescription, 'relations'>,
  defaultSchema: string | undefined,
  actual: RuntimeModel | undefined,
): DescribedTable['relations'] {
  const known = actual && new Set(actual.fields.map(({ name }) => name));
  const joins = Object.entries(relations).flatMap(([path, relation]): [string, DescribedJoin][] => {
    const { target, cardinality, nullable = false, through, hops } = relation;
    if (known && !known.has(through ? through[0] : path)) return [];
    const joined = hops.map(({ from, to, ...table }) => ({
      table: tableRef(table, defaultSchema),
      from,
      to,
    }));
    return [[path, { path, target, cardinality, nullable, hops: joined }]];
  });
  return new Map(joins);
}

function describeColumn(
  path: string,
  field: PrismaFieldDescription,
  { timestamps }: PrismaDescription,
  family: DatabaseFamily | undefined,
  actual: RuntimeModel | undefined,
): DescribedColumn | undefined {
  const { kind, type, sqlType, column: name = path, nullable = false, enumValues, stored } = field;
  const found = actual?.fields.find((each) => each.name === path);
  if (actual && (!found || (found.dbName ?? path) !== name)) return undefined;
  const isEnum = found ? found.kind === 'enum' : kind === 'enum' && type !== 'String';
  const isInMilliseconds = timestamps !== undefined;
  const ownForms = family !== undefined && clientBehaviour[family].ownForms;
  const form = { ownForms, isInMilliseconds, type, sqlType };
  const days = isInMilliseconds ? epochDay : textDay;
  return {
    name,
    sqlType,
    kind,
    nullable,
    isNotNull: true,
    enumValues,
    members: enumValues?.map((member) => stored?.[member] ?? member),
    // The generator has decided on the companions.
    said: { foldedField: false, portableOrderField: false, internal: false, ...field },
    // The engine of Prisma 6 rounds numbers, and refuses the largest.
    numbersAsText: true,
    takesUnsigned: false,
    held: () => heldKinds(found?.type ?? type, isEnum, sqlType.endsWith('[]')),
    storageOf: (dialect, of) => storageOf(dialect, form, of),
    codecOf: (of) => {
      if (stored) return memberCodec(stored);
      return ownForms && type === 'DateTime' && of === 'date' ? days : undefined;
    },
  };
}

/** The facts that decide how a column stores a kind. */
interface Form {
  readonly ownForms: boolean;
  readonly isInMilliseconds: boolean;
  readonly type: string;
  readonly sqlType: string;
}

function storageOf(
  dialect: Dialect,
  { ownForms, isInMilliseconds, type, sqlType }: Form,
  kind: FieldKind,
): StorageForm {
  if (kind === 'uuid' && type === 'Bytes') return 'uuid-bytes';
  if (kind === 'decimal' && type === 'String') return 'numeric-text';
  if (ownForms && type === 'Json') return 'json-number';
  if (kind === 'float' || kind === 'opaque' || isArrayKind(kind))
    return dialect.storageOf(sqlType, kind) ?? 'native';
  if (!ownForms || kind !== 'datetime') return 'native';
  return isInMilliseconds ? 'epoch-milliseconds' : 'offset-text';
}

function memberCodec(stored: { readonly [member: string]: string }): ColumnCodec {
  const members = new Map(Object.entries(stored));
  const shown = new Map([...members].map(([member, text]) => [text, member]));
  return {
    exact: true,
    bind: (value) => members.get(String(value)) ?? value,
    read: (value) => shown.get(String(value)) ?? value,
  };
}

/** A day that SQLite stores as the instant at which it begins. */
const textDay: ColumnCodec = {
  exact: true,
  bind: (value) => `${value}T00:00:00.000+00:00`,
  read: (value) => (value instanceof Date ? value.toISOString() : String(value)).slice(0, 10),
};

const epochDay: ColumnCodec = {
  exact: true,
  bind: (value) => Date.parse(`${value}T00:00:00.000Z`),
  read: (value) => new Date(Number(value)).toISOString().slice(0, 10),
};
