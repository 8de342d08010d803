/** Resolves a dotted path against the registry. Boot-time only: a request looks paths up, never resolves them. */

import {
  type RelationDescriptor,
  type SchemaRegistry,
  fieldNamed,
  relationNamed,
} from '../../schema/index.ts';
import type { ResolvedPath } from './compiled.ts';

/**
 * The path's relations and last field or relation; `null` when it does not exist, or is internal and
 * `seen` is `visible`.
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
