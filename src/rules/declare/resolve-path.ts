/** Resolves a dotted path against the registry. Runs at boot; requests look compiled paths up. */

import {
  type RelationDescriptor,
  type SchemaRegistry,
  fieldNamed,
  relationNamed,
} from '../../schema/index.ts';
import type { ResolvedPath } from './compiled.ts';

/**
 * The path's relations and its last field or relation; `null` when it does not exist, or when it is internal and `seen`
 * is `visible`.
 */
export function resolvePath(
  registry: SchemaRegistry,
  model: string,
  path: string,
  seen: 'visible' | 'all' = 'visible',
): ResolvedPath | null {
  const segments = path.split('.');
  const last = segments.pop() ?? '';
  const hops: RelationDescriptor[] = [];
  let schema = registry.get(model);
  for (const segment of segments) {
    const hop = schema && relationNamed(schema, segment);
    if (!hop) return null;
    hops.push(hop);
    schema = registry.get(hop.target);
  }
  if (!schema) return null;
  const declared = fieldNamed(schema, last);
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

/** Every relation that a path crosses, the last segment included. */
export function crossedRelations({ hops, relation }: ResolvedPath): readonly RelationDescriptor[] {
  return relation ? [...hops, relation] : hops;
}
