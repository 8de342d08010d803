/** Describes the storage of a description's models for the SQL compiler. */

import type { DatabaseFamily } from '../../rules/index.ts';
import type { FieldDescriptor, SchemaRegistry } from '../../schema/index.ts';
import { configurationError } from '../../schema/index.ts';
import type {
  ColumnCodec,
  PhysicalColumn,
  PhysicalModel,
  PhysicalSchema,
  TableRef,
} from '../../relational/index.ts';
import { families, nativeMembers } from '../../relational/index.ts';
import { familyFacts } from './family-facts.ts';
import type {
  PrismaDescription,
  PrismaFieldDescription,
  PrismaModelDescription,
} from './description.ts';

/**
 * The tables of a registry's models; `defaultSchema` is that of tables without a schema. The registry decides kinds and
 * which parts of the description are used.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the description lacks a field or relation
 */
export function physicalSchema(
  family: DatabaseFamily,
  registry: SchemaRegistry,
  description: PrismaDescription,
  defaultSchema: string | undefined,
): PhysicalSchema {
  const tableRef = ({ schema = defaultSchema, table }: Located): TableRef =>
    schema === undefined ? { name: table } : { schema, name: table };
  const models = new Map<string, PhysicalModel>();
  for (const [name, described] of Object.entries(description.models)) {
    const schema = registry.get(name);
    if (!schema) continue;
    models.set(name, {
      model: name,
      table: tableRef(described),
      columns: new Map(
        schema.fields.map((field) => {
          const own = memberOf(described.fields, name, field.path);
          return [field.path, physicalColumn(family, field, own, description)];
        }),
      ),
      relations: new Map(
        schema.relations.map(({ path, target, cardinality }) => {
          const { hops } = memberOf(described.relations, name, path);
          const joins = hops.map(({ from, to, ...table }) => ({
            table: tableRef(table),
            from,
            to,
          }));
          return [path, { path, target, cardinality, hops: joins }];
        }),
      ),
      uniqueKeys: described.uniqueKeys,
    });
  }
  return models;
}

type Located = Pick<PrismaModelDescription, 'schema' | 'table'>;

function memberOf<T>(members: { readonly [path: string]: T }, model: string, path: string): T {
  const found = Object.hasOwn(members, path) ? members[path] : undefined;
  if (found) return found;
  throw configurationError(
    `${model}.${path}: the Prisma schema that describes the source has no such field; correct the path or generate again.`,
    { model, path },
  );
}

function physicalColumn(
  family: DatabaseFamily,
  field: FieldDescriptor,
  described: PrismaFieldDescription,
  { timestamps }: PrismaDescription,
): PhysicalColumn {
  const { path, kind } = field;
  const { column = path, sqlType, type, stored, enumValues } = described;
  const codec = stored ? memberCodec(stored) : undefined;
  const own = enumValues?.map((member) => stored?.[member] ?? member);
  const members = nativeMembers(families[family].dialect, sqlType, field, own);
  // The engine of Prisma 6 rounds numbers, and refuses the largest.
  const numbersAsText = true;
  const plain = {
    path,
    name: column,
    kind,
    sqlType,
    numbersAsText,
    ...(codec && { codec }),
    ...members,
  };
  if (kind === 'uuid' && type === 'Bytes') return { ...plain, storage: 'uuid-bytes' };
  if (kind === 'decimal' && type === 'String') return { ...plain, storage: 'numeric-text' };
  const { ownForms } = familyFacts[family];
  if (ownForms && type === 'Json') return { ...plain, storage: 'json-number' };
  if (kind === 'float' || kind === 'opaque') {
    return { ...plain, storage: families[family].dialect.storageOf(sqlType, kind) ?? 'native' };
  }
  if (!ownForms) return { ...plain, storage: 'native' };
  const isInstant = type === 'DateTime';
  if (isInstant && kind === 'date') {
    return { ...plain, storage: 'native', codec: timestamps ? epochDay : textDay };
  }
  const instants = timestamps ? 'epoch-milliseconds' : 'offset-text';
  return { ...plain, storage: kind === 'datetime' ? instants : 'native' };
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
