/** Describes the models for the source check from a description and the client's own data model. */

import type {
  DescribedField,
  DescribedModel,
  DescribedRelation,
  SourceOrigin,
} from '../../rules/index.ts';
import type { RuntimeDataModel } from './client.ts';
import type {
  PrismaDescription,
  PrismaFieldDescription,
  PrismaModelDescription,
} from './description.ts';
import { heldKinds } from './held-kinds.ts';

type RuntimeField = RuntimeDataModel['models'][string]['fields'][number];

/**
 * The origin of all sources of a description on one generated client. Where the two differ, the client's data model
 * applies, because the client runs the queries.
 */
function makeOrigin(
  description: PrismaDescription,
  runtime: RuntimeDataModel | undefined,
): SourceOrigin {
  const models = new Map<string, DescribedModel | undefined>();
  return {
    describe: (name) => {
      if (models.has(name)) return models.get(name);
      const own = Object.hasOwn(description.models, name) ? description.models[name] : undefined;
      const model = own && describedModel(own, runtime);
      models.set(name, model);
      return model;
    },
  };
}

function describedModel(
  model: PrismaModelDescription,
  runtime: RuntimeDataModel | undefined,
): DescribedModel | undefined {
  const known = runtime && Object.hasOwn(runtime.models, model.name);
  const actual = known ? runtime.models[model.name] : undefined;
  if (runtime && !actual) return undefined;
  const byName = actual && new Map(actual.fields.map((field) => [field.name, field]));
  return {
    primaryKey: model.primaryKey,
    fields: new Map(
      Object.entries(model.fields).flatMap(([path, field]) => {
        const found = describedField(path, field, byName);
        return found ? [[path, found] as const] : [];
      }),
    ),
    relations: new Map(
      Object.entries(model.relations).flatMap(([path, relation]): [string, DescribedRelation][] => {
        const { target, cardinality, nullable, through } = relation;
        if (byName && !byName.has(through ? through[0] : path)) return [];
        return [[path, { target, cardinality, nullable: nullable === true }]];
      }),
    ),
  };
}

function describedField(
  path: string,
  { kind, type, nullable, enumValues, column = path }: PrismaFieldDescription,
  byName: ReadonlyMap<string, RuntimeField> | undefined,
): DescribedField | undefined {
  const actual = byName?.get(path);
  if (byName && (!actual || (actual.dbName ?? path) !== column)) return undefined;
  const isEnum = actual ? actual.kind === 'enum' : kind === 'enum' && type !== 'String';
  return {
    kinds: heldKinds(actual?.type ?? type, isEnum, false),
    nullable: nullable === true,
    ...(enumValues && { enumValues }),
  };
}

const origins = new WeakMap<PrismaDescription, WeakMap<object, SourceOrigin>>();

/** The origin of a description and a client's data model; one object for all their sources. */
export function prismaOrigin(
  description: PrismaDescription,
  runtime: RuntimeDataModel | undefined,
): SourceOrigin {
  let known = origins.get(description);
  if (!known) {
    known = new WeakMap();
    origins.set(description, known);
  }
  const key = runtime ?? description;
  let origin = known.get(key);
  if (!origin) {
    origin = makeOrigin(description, runtime);
    known.set(key, origin);
  }
  return origin;
}
