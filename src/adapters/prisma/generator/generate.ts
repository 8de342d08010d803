/** Generates the registry module from Prisma's data model. */

import { prismaRegistry } from '../describe/registry.ts';
import type {
  PrismaDescription,
  PrismaModelDescription,
  PrismaRelationDescription,
} from '../describe/description.ts';
import { annotationsOf } from './annotations.ts';
import type { ServedProvider } from './column-types.ts';
import { describeFields } from './describe-fields.ts';
import { describeRelations, keyOf } from './describe-relations.ts';
import type { Datamodel, DmmfModel } from './dmmf.ts';
import { SchemaError, columnOf, delegateOf, fieldNamed, refuse, tableOf } from './dmmf.ts';
import { printModule } from './print-module.ts';

/** Options of the generator block in addition to `provider` and `output`. */
interface GeneratorConfig {
  /** Where the module imports `prismaRegistry` from. Default `sluice/prisma`. */
  readonly importFrom?: string | undefined;
  /** `unixepoch-ms` where the SQLite adapter has that `timestampFormat`. Default: ISO 8601 text. */
  readonly timestamps?: string | undefined;
}

const served: readonly string[] = ['postgresql', 'mysql', 'sqlite'] satisfies ServedProvider[];

const isServed = (provider: string): provider is ServedProvider => served.includes(provider);

/**
 * Describes a data model.
 *
 * @throws {SchemaError} when a model or field cannot be described; it names both
 */
export function describeSchema(
  provider: string,
  datamodel: Datamodel,
  config: GeneratorConfig = {},
): PrismaDescription {
  const family = provider === 'postgres' ? 'postgresql' : provider;
  if (!isServed(family)) {
    throw new SchemaError(
      `The datasource's provider ${provider} is not one of ${served.join(', ')}.`,
    );
  }
  const { timestamps } = config;
  if (timestamps !== undefined && timestamps !== 'iso8601' && timestamps !== 'unixepoch-ms') {
    throw new SchemaError('The generator\'s timestamps are "iso8601" or "unixepoch-ms".');
  }
  const enums = new Map(datamodel.enums.map((each) => [each.name, each]));
  const models = new Map(datamodel.models.map((each) => [each.name, each]));
  const hidden = new Set(datamodel.models.filter(isHidden).map((each) => each.name));
  const shown = datamodel.models.filter((each) => !hidden.has(each.name));
  const describe = (model: DmmfModel): PrismaModelDescription => {
    const fields = describeFields(family, model, enums);
    const primaryKey = keyOf(model);
    for (const part of primaryKey) {
      if (!Object.hasOwn(fields, part)) {
        refuse(
          model.name,
          part,
          'a part of the primary key cannot be hidden; make it @sluice.internal.',
        );
      }
    }
    return {
      name: model.name,
      ...(model.schema && { schema: model.schema }),
      table: tableOf(model),
      primaryKey,
      fields,
      relations: describeRelations({ models, hidden }, model),
    };
  };
  const described = shown.map((model) => ({ model, described: describe(model) }));
  const relations = described.flatMap((each) => Object.values(each.described.relations));
  return {
    provider: family,
    ...(timestamps === 'unixepoch-ms' && { timestamps }),
    models: Object.fromEntries(
      described.map(({ model, described: { fields, relations: own, ...named } }) => {
        const uniqueKeys = joinedKeys(model, relations);
        const keys = uniqueKeys.length > 0 && { uniqueKeys };
        return [delegateOf(model.name), { ...named, ...keys, fields, relations: own }];
      }),
    ),
  };
}

/** The columns of each unique key beside the primary key that a relation to one row joins. */
function joinedKeys(
  model: DmmfModel,
  relations: readonly PrismaRelationDescription[],
): (readonly string[])[] {
  const name = delegateOf(model.name);
  const joined = relations.flatMap(({ target, cardinality, hops }) =>
    target === name && cardinality === 'one' ? hops.slice(-1) : [],
  );
  const columns = (names: readonly string[]) =>
    names.map((each) => columnOf(fieldNamed(model, each)));
  const [primary, ...others] = [
    keyOf(model),
    ...model.fields.filter(({ isUnique }) => isUnique).map((field) => [field.name]),
    ...model.uniqueFields,
  ].map(columns);
  const isJoined = (key: readonly string[]) =>
    joined.some(({ to }) => key.every((column) => to.includes(column)));
  return others.filter((key) => key.join('\0') !== primary?.join('\0') && isJoined(key));
}

function isHidden({ documentation, name }: DmmfModel): boolean {
  return annotationsOf('model', documentation, name, null).has('hidden');
}

/**
 * The registry module of a data model.
 *
 * @throws {SchemaError} when a model or field cannot be described; it names both
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when `defineQuerySchema` refuses a schema
 */
export function generateModule(
  provider: string,
  datamodel: Datamodel,
  config: GeneratorConfig = {},
): string {
  const description = describeSchema(provider, datamodel, config);
  prismaRegistry(description);
  return printModule(description, config.importFrom ?? 'sluice/prisma');
}
