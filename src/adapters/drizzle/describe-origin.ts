/** Describes the models of Drizzle tables and relations for the source check. */

import { getTableColumns } from 'drizzle-orm';
import type { Column, Table } from 'drizzle-orm';
import type {
  DatabaseFamily,
  DescribedField,
  DescribedModel,
  DescribedRelation,
  SourceOrigin,
} from '../../rules/index.ts';
import { type SchemaRegistry, relationNamed } from '../../schema/index.ts';
import { keyOf } from './describe-fields.ts';
import { familyOfTables } from './describe-metadata.ts';
import type { DrizzleTables } from './describe-metadata.ts';
import { overrideOf } from './describe-overrides.ts';
import type { DrizzleOverrides, PathOverride } from './describe-overrides.ts';
import { describeRelations } from './describe-relations.ts';
import type { DescribedRelations, DrizzleRelations } from './describe-relations.ts';
import { heldKinds } from './describe-storage.ts';

/** The inputs of a description. */
interface DescribedFrom {
  readonly tables: DrizzleTables;
  readonly relations: DrizzleRelations;
  /** The overrides of a derived registry; they count as Drizzle's own declarations. */
  readonly overrides: DrizzleOverrides;
}

/** The origin of all sources on these tables. Models are described on first use. */
export function drizzleOrigin(registry: SchemaRegistry, from: DescribedFrom): SourceOrigin {
  const { tables, overrides } = from;
  const family = familyOfTables(tables);
  const models = new Map<string, DescribedModel>();
  let relations: DescribedRelations | undefined;
  return {
    describe: (model) => {
      const table = Object.hasOwn(tables, model) ? tables[model] : undefined;
      if (!table) return undefined;
      relations ??= relationsOf(registry, from);
      const described = models.get(model) ?? {
        primaryKey: keyOf(model, table, overrides),
        fields: fieldsOf(family, model, table, overrides),
        relations: describedRelations(model, relations, overrides),
      };
      models.set(model, described);
      return described;
    },
  };
}

/** Relations as Drizzle declares them. The registry selects them and distinguishes models that share a table. */
function relationsOf(registry: SchemaRegistry, { tables, relations, overrides }: DescribedFrom) {
  return describeRelations(tables, relations, (model, path) => {
    const schema = registry.get(model);
    const declared = schema && relationNamed(schema, path);
    if (!declared) return false;
    const said = overrideOf(overrides, model, path);
    return { ...said, target: declared.target };
  });
}

function fieldsOf(
  family: DatabaseFamily,
  model: string,
  table: Table,
  overrides: DrizzleOverrides,
): ReadonlyMap<string, DescribedField> {
  const key = new Set(keyOf(model, table, overrides));
  const fields = new Map<string, DescribedField>();
  for (const [path, column] of Object.entries(getTableColumns(table))) {
    const override = overrideOf(overrides, model, path);
    if (override === false) continue;
    fields.set(path, describedField(family, column, key.has(path), override ?? {}));
  }
  return fields;
}

function describedField(
  family: DatabaseFamily,
  column: Column,
  isKey: boolean,
  override: PathOverride,
): DescribedField {
  const members = override.enumValues ?? column.enumValues;
  const held = heldKinds(family, column);
  return {
    kinds: override.kind ? new Set([...held, override.kind]) : held,
    nullable: override.nullable ?? !(column.notNull || isKey),
    ...(members && members.length > 0 && { enumValues: members }),
  };
}

function describedRelations(
  model: string,
  relations: DescribedRelations,
  overrides: DrizzleOverrides,
): ReadonlyMap<string, DescribedRelation> {
  return new Map(
    [...(relations.get(model)?.values() ?? [])].map((relation) => {
      const { path, target, cardinality, nullable, holdsKey } = relation;
      const said = overrideOf(overrides, model, path);
      const known = holdsKey || (said && said.nullable !== undefined);
      return [path, { target, cardinality, nullable: known ? nullable : undefined }];
    }),
  );
}
