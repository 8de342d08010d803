/** Compiles the `aggregates` of a declaration to the paths that filters, sorts and projections may name. */

import {
  type FieldDescriptor,
  type FieldKind,
  type RelationDescriptor,
  type Refusals,
  configurationError,
  fieldNamed,
} from '../../schema/index.ts';
import { knownNames } from '../../lib/index.ts';
import type { CompiledQueryRules, ResolvedPath } from '../declare/compiled.ts';
import { unresolved } from '../declare/known-paths.ts';
import { resolvePath } from '../declare/resolve-path.ts';
import { withoutEnumPatterns } from '../plan/enum-patterns.ts';
import { resolvePredicate } from '../plan/resolve-predicate.ts';
import type { Aggregate, AggregateField, AggregateRule, AggregateRules } from './aggregate.ts';

/** The parts of rules that conditions are checked against. */
export type RulesBase = Pick<
  CompiledQueryRules,
  'registry' | 'model' | 'families' | 'limits' | 'aggregates'
>;

/** The kind of a sum by the kind of its values: one that holds the sum of any rows. */
const sumKinds: { readonly [kind: string]: FieldKind } = {
  integer: 'bigint',
  bigint: 'decimal',
  decimal: 'decimal',
  float: 'float',
};

/** Kinds of which every family finds the smallest and the greatest value. */
const orderedKinds: { readonly [kind: string]: FieldKind } = Object.fromEntries(
  (['string', 'integer', 'bigint', 'decimal', 'float', 'date', 'datetime'] as const).map((kind) => [
    kind,
    kind,
  ]),
);

const kindsOf = { sum: sumKinds, min: orderedKinds, max: orderedKinds } as const;
const overFields = ['sum', 'min', 'max'] as const;

const nameForm = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The values over relations by their full paths. */
export function compileAggregates(
  rules: RulesBase,
  declared: AggregateRules,
  refusals: Refusals,
): ReadonlyMap<string, ResolvedPath> {
  const compiled = new Map<string, ResolvedPath>();
  for (const [path, rule] of Object.entries(declared)) {
    refusals.attempt(() => {
      for (const target of aggregatesOf(rules, path, rule)) compiled.set(target.path, target);
    });
  }
  return compiled;
}

function aggregatesOf(rules: RulesBase, path: string, rule: AggregateRule): ResolvedPath[] {
  const { registry, model } = rules;
  const owner = resolvePath(registry, model, path);
  if (!owner) throw refusal(path, unresolved(registry, model, path, 'relation'));
  const { relation, hops } = owner;
  if (relation?.cardinality !== 'many') {
    throw refusal(path, 'it is not a relation with many rows; name its fields as they are.');
  }
  const values = valuesOf(rules, path, relation, rule);
  if (values.length === 0) {
    throw refusal(path, 'it names no value; set count, or name fields in sum, min or max.');
  }
  const conditions = [['', null] as const, ...Object.entries(rule.where ?? {})];
  return conditions.flatMap(([name, predicate]) => {
    if (predicate !== null && !nameForm.test(name)) {
      throw refusal(
        path,
        `"${name}" is not a name of a condition; use a letter or underscore, then letters, digits and underscores.`,
      );
    }
    const origin = {
      model: relation.target,
      place: `rules.aggregates "${path}", where "${name}",`,
      quantifies: true,
    };
    // The condition belongs to no plan, in which an adapter would rewrite it.
    const where = predicate && withoutEnumPatterns(resolvePredicate(rules, predicate, origin));
    const shape = where ? JSON.stringify(where) : '';
    return values.map(({ suffix, kind, nullable, type, of }) => {
      const end = name === '' ? suffix : `${suffix}.${name}`;
      const aggregate: Aggregate = Object.freeze({ type, relation, of, where, shape });
      const field: AggregateField = Object.freeze({
        path: `${relation.path}.${end}`,
        kind,
        nullable,
        primaryKey: false,
        ...(of?.unsigned && type !== 'sum' && { unsigned: true }),
        aggregate,
      });
      return Object.freeze({
        path: `${path}.${end}`,
        hops,
        model: owner.model,
        field,
        relation: null,
        crossesMany: hops.some(({ cardinality }) => cardinality === 'many'),
      });
    });
  });
}

/** A value before its conditions. */
interface Value extends Pick<Aggregate, 'type' | 'of'> {
  readonly suffix: string;
  readonly kind: FieldKind;
  readonly nullable: boolean;
}

function valuesOf(
  { registry }: RulesBase,
  path: string,
  { target }: RelationDescriptor,
  rule: AggregateRule,
): Value[] {
  const schema = registry.get(target);
  const visible = schema?.fields.filter(({ internal }) => !internal).map((field) => field.path);
  const fieldOf = (name: string, type: keyof typeof kindsOf): FieldDescriptor => {
    const field = schema && fieldNamed(schema, name);
    if (!field || field.internal) {
      throw refusal(
        path,
        `${type} names "${name}"; ${target} has the fields ${knownNames(name, visible ?? [])}.`,
      );
    }
    if (kindsOf[type][field.kind]) return field;
    const taken = Object.keys(kindsOf[type]).join(', ');
    throw refusal(path, `${type} of "${name}", which is ${field.kind}; it takes ${taken}.`);
  };
  const values: Value[] = rule.count
    ? [{ type: 'count', of: null, suffix: '$count', kind: 'integer', nullable: false }]
    : [];
  for (const type of overFields) {
    for (const name of new Set(rule[type])) {
      const of = fieldOf(name, type);
      const kind = kindsOf[type][of.kind] ?? of.kind;
      values.push({ type, of, suffix: `$${type}.${name}`, kind, nullable: true });
    }
  }
  return values;
}

function refusal(path: string, message: string) {
  return configurationError(`rules.aggregates "${path}": ${message}`, { rule: 'aggregates', path });
}
