/** The names that exist, for the refusal of a path or an operator that does not. */

import { knownNames } from '../../lib/index.ts';
import { type SchemaRegistry, fieldNamed, relationNamed } from '../../schema/index.ts';
import type { ResolvedPath } from './compiled.ts';
import type { DatabaseFamily } from './declaration.ts';
import { operatorObstacle } from './field-capability.ts';
import { operators } from './operators.ts';

/**
 * The reason why a path does not resolve: the model at which it ends, and the names that this model has, the nearest
 * first.
 */
export function unresolved(
  registry: SchemaRegistry,
  model: string,
  path: string,
  wanted: 'field' | 'relation' | 'field or relation',
): string {
  const [head = '', ...rest] = path.split('.');
  const schema = registry.get(model);
  const hop = schema && relationNamed(schema, head);
  if (hop && rest.length > 0) return unresolved(registry, hop.target, rest.join('.'), wanted);
  const field = schema && fieldNamed(schema, head);
  if (field?.internal) return `${model}.${head} is internal; name a field that clients may see.`;
  if (field?.kind === 'json' && rest.length > 0) {
    return `${model}.${head} is a json field without the path "${rest.join('.')}"; declare it in its paths.`;
  }
  const isHop = rest.length > 0 || wanted === 'relation';
  const relations = schema?.relations.map(({ path: name }) => name) ?? [];
  const fields = schema?.fields.flatMap(({ path: name, internal }) => (internal ? [] : name)) ?? [];
  const names = isHop ? relations : wanted === 'field' ? fields : [...fields, ...relations];
  return `${model} has no ${isHop ? 'relation' : wanted} "${head}"; it has ${knownNames(head, names)}.`;
}

/** The operators that a path can have, as a sentence; empty where it can have none. */
export function operatorsOf(
  { path, field }: ResolvedPath,
  families: readonly DatabaseFamily[],
  misspelt: string,
): string {
  const rows = [...operators.values()].filter((row) =>
    field ? operatorObstacle(row, field, families) === null : row.comparison === 'null',
  );
  const names = rows.map(({ name }) => name);
  return rows.length === 0 ? '' : ` ${path} takes ${knownNames(misspelt, names)}.`;
}

/** The override that gives a field without a kind one, as a sentence; empty for other fields. */
export function kindOverride({ model, field }: ResolvedPath): string {
  if (field?.kind !== 'opaque') return '';
  return ` Its type has no kind that is known; if you know it, override it: { ${model}: { ${field.path}: { kind: 'string' } } }.`;
}
