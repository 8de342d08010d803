/** A model from the perspective of the Prisma client: the names and types of its fields there. */

import type { DatabaseFamily } from '../../rules/index.ts';
import type {
  FieldDescriptor,
  QuerySchema,
  RelationDescriptor,
  SchemaRegistry,
} from '../../schema/index.ts';
import { configurationError } from '../../schema/index.ts';
import type { PrismaDescription, PrismaFieldDescription } from './description.ts';

/** A field of the registry and the client's field behind it. */
export interface ClientField {
  readonly descriptor: FieldDescriptor;
  readonly family: DatabaseFamily;
  /** Prisma's type. */
  readonly type: string;
  readonly sqlType: string;
  /** Whether it holds folded text for another field. */
  readonly folded: boolean;
  /** The client's names of enum members, by the names in lists, where they differ. */
  readonly memberNames: ReadonlyMap<string, string> | null;
  /** The names in lists, by the client's names of enum members, where they differ. */
  readonly shownMembers: ReadonlyMap<string, string> | null;
}

/** A relation of the registry and the client's field, or fields, behind it. */
export interface ClientRelation {
  readonly descriptor: RelationDescriptor;
  readonly through: readonly [list: string, reference: string] | null;
}

/** A model of the registry. */
export interface ClientModel {
  readonly name: string;
  readonly primaryKey: readonly string[];
  readonly fields: ReadonlyMap<string, ClientField>;
  readonly relations: ReadonlyMap<string, ClientRelation>;
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
  for (const [name, { fields, relations }] of Object.entries(description.models)) {
    const schema = registry.get(name);
    if (!schema) continue;
    const folded = foldedFields(schema);
    models.set(name, {
      name,
      primaryKey: schema.primaryKey,
      fields: new Map(
        schema.fields.flatMap((descriptor) => {
          const described = fields[descriptor.path];
          const isFolded = folded.has(descriptor.path);
          return described
            ? [[descriptor.path, clientField(family, descriptor, described, isFolded)] as const]
            : [];
        }),
      ),
      relations: new Map(
        schema.relations.map((descriptor) => {
          const through = relations[descriptor.path]?.through ?? null;
          return [descriptor.path, { descriptor, through }];
        }),
      ),
    });
  }
  return models;
}

function foldedFields({ fields }: QuerySchema): ReadonlySet<string | undefined> {
  return new Set(fields.map(({ foldedField }) => foldedField));
}

function clientField(
  family: DatabaseFamily,
  descriptor: FieldDescriptor,
  { type, sqlType, client }: PrismaFieldDescription,
  folded: boolean,
): ClientField {
  const names = client ? Object.entries(client) : null;
  return {
    descriptor,
    family,
    type,
    sqlType,
    folded,
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

/** The field that a field is ordered by: its order companion, else the field itself. */
export function orderFieldAt(model: ClientModel, path: string): ClientField {
  return fieldAt(model, fieldAt(model, path).descriptor.portableOrderField ?? path);
}
