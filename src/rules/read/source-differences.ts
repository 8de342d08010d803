/** Compares declared schemas with the ORM's description of the same models and lists every difference. */

import {
  type DatabaseFamily,
  type FieldDescriptor,
  type QuerySchema,
  type RelationDescriptor,
  type SchemaRegistry,
  type SourceDifference,
  type SourceRule,
  expressionOf,
} from '../../schema/index.ts';
import type { CompiledQueryRules } from '../declare/compiled.ts';
import { reachedModels } from '../declare/reached-models.ts';
import type { DescribedField, DescribedModel, DescribedRelation, SourceOrigin } from './source.ts';

/**
 * Every difference, model by model, over the root and all models that the rules reach. Relations that the rules do not
 * reach are not compared: their targets need not be in the source.
 */
export function sourceDifferences(
  rules: CompiledQueryRules,
  registry: SchemaRegistry,
  origin: SourceOrigin,
  family: DatabaseFamily,
): SourceDifference[] {
  return [...reachedModels(rules)].flatMap(([model, relations]) => {
    const schema = rules.registry.get(model);
    if (!schema) return [];
    const described = origin.describe(model);
    if (!described) {
      return [different(model, null, 'model', 'a model', 'no such model')];
    }
    return [
      ...registryDifference(schema, registry.get(model)),
      ...keyDifference(schema, described),
      ...schema.fields.flatMap((field) =>
        field.sql === undefined
          ? fieldDifferences(schema, field, described.fields.get(field.path))
          : expressionDifference(model, field, family),
      ),
      ...[...relations.values()].flatMap((relation) =>
        relationDifferences(model, relation, described.relations.get(relation.path)),
      ),
    ];
  });
}

function different(
  model: string,
  path: string | null,
  rule: SourceRule,
  declared: string,
  found: string,
): SourceDifference {
  return Object.freeze({ model, path, rule, declared, found });
}

/** A schema of the rules and the source's schema of the same name must have the same content. */
function registryDifference(schema: QuerySchema, other: QuerySchema | undefined) {
  if (other === schema || JSON.stringify(other) === JSON.stringify(schema)) return [];
  const found = other ? 'another schema of that name' : 'no schema';
  return [different(schema.model, null, 'registry', 'a schema of the rules', found)];
}

function keyDifference({ model, primaryKey }: QuerySchema, described: DescribedModel) {
  if (sameMembers(primaryKey, described.primaryKey)) return [];
  const found = described.primaryKey.join(', ') || 'none';
  return [different(model, null, 'primaryKey', `primary key ${primaryKey.join(', ')}`, found)];
}

function fieldDifferences(
  schema: QuerySchema,
  field: FieldDescriptor,
  described: DescribedField | undefined,
): SourceDifference[] {
  const { model } = schema;
  const { path, kind, nullable, enumValues } = field;
  const owner = schema.fields.find(
    ({ foldedField, portableOrderField }) => foldedField === path || portableOrderField === path,
  );
  const companion = owner && `a text companion of ${owner.path}`;
  if (!described) {
    const declared = companion ?? 'a field';
    return [different(model, path, companion ? 'companion' : 'field', declared, 'no such field')];
  }
  const found: SourceDifference[] = [];
  if (!described.kinds.has(kind)) {
    const held = [...described.kinds].join(', ') || 'no kind';
    found.push(
      companion
        ? different(model, path, 'companion', companion, held)
        : different(model, path, 'kind', `kind ${kind}`, held),
    );
  }
  const members = described.enumValues;
  if (kind === 'enum' && members && !sameMembers(enumValues ?? [], members)) {
    const declared = `members ${(enumValues ?? []).join(', ')}`;
    found.push(different(model, path, 'enumValues', declared, members.join(', ')));
  }
  if (nullable !== described.nullable) {
    found.push(
      different(model, path, 'nullable', `nullable: ${nullable}`, `${described.nullable}`),
    );
  }
  return found;
}

function expressionDifference(model: string, field: FieldDescriptor, family: DatabaseFamily) {
  if (expressionOf(field, family) !== undefined) return [];
  const found = `no expression for ${family}`;
  return [different(model, field.path, 'field', 'a computed field', found)];
}

function relationDifferences(
  model: string,
  { path, target, cardinality, nullable }: RelationDescriptor,
  described: DescribedRelation | undefined,
): SourceDifference[] {
  if (!described) return [different(model, path, 'relation', 'a relation', 'no such relation')];
  const found: SourceDifference[] = [];
  if (target !== described.target) {
    found.push(different(model, path, 'target', `target ${target}`, described.target));
  }
  if (cardinality !== described.cardinality) {
    found.push(
      different(model, path, 'cardinality', `cardinality ${cardinality}`, described.cardinality),
    );
  } else if (
    cardinality === 'one' &&
    described.nullable !== undefined &&
    nullable !== described.nullable
  ) {
    found.push(
      different(model, path, 'nullable', `nullable: ${nullable}`, `${described.nullable}`),
    );
  }
  return found;
}

function sameMembers(left: readonly string[], right: readonly string[]): boolean {
  const members = new Set(right);
  return left.length === members.size && left.every((member) => members.has(member));
}
