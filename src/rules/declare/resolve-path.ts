/** Resolves a dotted path against the registry. Runs at boot; requests look compiled paths up. */

import {
  type RelationDescriptor,
  type SchemaRegistry,
  fieldNamed,
  jsonMember,
  relationNamed,
} from '../../schema/index.ts';
import { aggregateOf } from '../aggregates/aggregate.ts';
import type { ResolvedPath } from './compiled.ts';

/**
 * The path's relations and its last field or relation, or a declared path of a json field; `null` when it does not exist, or when it is internal and `seen`
 * is `visible`.
 */
export function resolvePath(
  registry: SchemaRegistry,
  model: string,
  path: string,
  seen: 'visible' | 'all' = 'visible',
): ResolvedPath | null {
  const segments = path.split('.');
  const hops: RelationDescriptor[] = [];
  let schema = registry.get(model);
  let hop = schema && relationNamed(schema, segments[0] ?? '');
  while (hop && segments.length > 1) {
    hops.push(hop);
    segments.shift();
    schema = registry.get(hop.target);
    hop = schema && relationNamed(schema, segments[0] ?? '');
  }
  if (!schema) return null;
  const last = segments.join('.');
  // More than one segment is left within a json field.
  const declared = segments.length > 1 ? jsonMember(schema, last) : fieldNamed(schema, last);
  const field = declared?.internal && seen === 'visible' ? undefined : declared;
  const relation = relationNamed(schema, last);
  if (!field && !relation) return null;
  const crossed = relation ? [...hops, relation] : hops;
  return Object.freeze({
    path,
    hops: Object.freeze(hops),
    model: schema.model,
    field: field ?? null,
    relation: relation ?? null,
    crossesMany: crossed.some((hop) => hop.cardinality === 'many'),
  });
}

/** The rest of a path behind its first relations; `null` where it does not cross so many. */
export function pathFrom(target: ResolvedPath, crossed: number): ResolvedPath | null {
  if (target.hops.length < crossed) return null;
  const hops = target.hops.slice(crossed);
  const path = target.path.split('.').slice(crossed).join('.');
  const crossesMany = crossedRelations({ ...target, field: null, hops }).some(
    ({ cardinality }) => cardinality === 'many',
  );
  return Object.freeze({ ...target, path, hops, crossesMany });
}

/** Every relation that a path crosses, the last segment included, and that of a value over its rows. */
export function crossedRelations({
  hops,
  relation,
  field,
}: ResolvedPath): readonly RelationDescriptor[] {
  const last = relation ?? aggregateOf(field)?.relation;
  return last ? [...hops, last] : hops;
}
