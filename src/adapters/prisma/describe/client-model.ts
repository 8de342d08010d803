/** A model from the perspective of the Prisma client: the names and types of its fields there. */

import type { DatabaseFamily } from '../../../rules/index.ts';
import { families } from '../../../relational/index.ts';
import type { FieldDescriptor, RelationDescriptor, SchemaRegistry } from '../../../schema/index.ts';
import { configurationError } from '../../../schema/index.ts';
import type { PrismaDescription, PrismaFieldDescription } from './description.ts';

/** A field of the registry and the client's field behind it. */
export interface ClientField {
  readonly descriptor: FieldDescriptor;
  readonly family: DatabaseFamily;
  /** Prisma's type. */
  readonly type: string;
  readonly sqlType: string;
  /** The client's names of enum members, by the names in lists, where they differ. */
  readonly memberNames: ReadonlyMap<string, string> | null;
  /** The names in lists, by the client's names of enum members, where they differ. */
  readonly shownMembers: ReadonlyMap<string, string> | null;
}

/** A model of the registry. */
export interface ClientModel {
  readonly name: string;
  readonly primaryKey: readonly string[];
  readonly fields: ReadonlyMap<string, ClientField>;
  readonly relations: ReadonlyMap<string, RelationDescriptor>;
}

/** The models that a source can reach. */
export type ClientModels = ReadonlyMap<string, ClientModel>;

/** The models of a registry that the description contains. */
export function clientModels(
  family: DatabaseFamily,
  registry: SchemaRegistry,
  description: PrismaDescription,
): ClientModels {
  const models = new Map<string, ClientModel>();
  for (const [name, { fields }] of Object.entries(description.models)) {
    const schema = registry.get(name);
    if (!schema) continue;
    models.set(name, {
      name,
      primaryKey: schema.primaryKey,
      fields: new Map(
        schema.fields.flatMap((descriptor) => {
          const described = fields[descriptor.path];
          return described
            ? [[descriptor.path, clientField(family, descriptor, described)] as const]
            : [];
        }),
      ),
      relations: new Map(schema.relations.map((relation) => [relation.path, relation])),
    });
  }
  return models;
}

function clientField(
  family: DatabaseFamily,
  descriptor: FieldDescriptor,
  { type, sqlType, client }: PrismaFieldDescription,
): ClientField {
  const names = client ? Object.entries(client) : null;
  return {
    descriptor,
    family,
    type,
    sqlType,
    memberNames: names && new Map(names),
    shownMembers: names && new Map(names.map(([member, name]) => [name, member])),
  };
}

/**
 * Finds a model by name.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the schema has no such model
 */
export function modelNamed(models: ClientModels, name: string): ClientModel {
  const model = models.get(name);
  if (model) return model;
  throw configurationError(`The Prisma schema that describes the source has no model "${name}".`, {
    model: name,
  });
}

export function fieldAt(model: ClientModel, path: string): ClientField {
  const field = model.fields.get(path);
  if (field) return field;
  throw configurationError(`${model.name}.${path}: the field does not exist.`, { path });
}

/** Whether the column has instants that are finer than the client's milliseconds. */
export function isFiner({ type, sqlType, family, descriptor }: ClientField): boolean {
  const isInstant = type === 'DateTime' && descriptor.kind !== 'date';
  return isInstant && families[family].dialect.hasMicroseconds(sqlType);
}
