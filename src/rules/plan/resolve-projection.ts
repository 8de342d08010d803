/** Resolves `fields` and `includes` to a projection tree. */

import type {
  CompiledInclude,
  CompiledProjection,
  CompiledQueryRules,
} from '../declare/compiled.ts';
import type { ProjectionNode, ProjectionRelation } from './plan.ts';
import { fieldNotAllowed, wrongForm } from '../request/request-error.ts';
import { isPath } from '../request/request-key.ts';

/**
 * Checks that every item is a path; with `aggregates`, also of a value over a relation.
 *
 * @throws {QueryError} QUERY_SYNTAX_INVALID when an item is not a path.
 */
export function readPaths(
  items: readonly string[],
  param: string,
  aggregates = false,
): readonly string[] {
  for (const item of items) {
    if (!isPath(item, aggregates)) throw wrongForm(param);
  }
  return items;
}

/**
 * The requested relations, parents first.
 *
 * @throws {QueryError} FIELD_NOT_ALLOWED when the rules do not name a path.
 */
export function resolveIncludes(
  rules: CompiledQueryRules,
  paths: readonly string[],
): readonly CompiledInclude[] {
  const asked = new Set(paths);
  const includes: CompiledInclude[] = [];
  for (const path of asked) {
    const include = rules.includes.get(path);
    if (!include || (include.parent !== null && !asked.has(include.parent))) {
      throw fieldNotAllowed('includes', path);
    }
    includes.push(include);
  }
  return includes;
}

/**
 * The selected fields of the root and of each include.
 *
 * @throws {QueryError} FIELD_NOT_ALLOWED when the rules do not name a path.
 */
export function resolveProjection(
  rules: CompiledQueryRules,
  includes: readonly CompiledInclude[],
  fields: readonly string[],
): ProjectionNode {
  const chosen = new Map<string, Set<string>>();
  for (const path of fields) {
    const dot = nameStart(path);
    const relation = dot < 0 ? '' : path.slice(0, dot);
    const name = dot < 0 ? path : path.slice(dot + 1);
    const projection =
      dot < 0 ? rules.root : includes.find((include) => include.path === relation)?.projection;
    if (!projection?.allowed.has(name)) throw fieldNotAllowed('fields', path);
    const names = chosen.get(relation);
    if (names) names.add(name);
    else chosen.set(relation, new Set([name]));
  }
  const build = (
    path: string,
    model: string,
    projection: CompiledProjection,
    parent: string | null,
  ): ProjectionNode => {
    const relations: ProjectionRelation[] = [];
    for (const include of includes) {
      if (include.parent !== parent) continue;
      const { relation, maxChildren } = include;
      relations.push(
        Object.freeze({
          path: relation.path,
          cardinality: relation.cardinality,
          ...(maxChildren !== null && { maxChildren }),
          node: build(include.path, relation.target, include.projection, include.path),
        }),
      );
    }
    const names = [...(chosen.get(path) ?? projection.default)];
    const { aggregates } = projection;
    const own = names.flatMap((name) => aggregates?.get(name) ?? []);
    return Object.freeze({
      model,
      fields: Object.freeze(names.filter((name) => !aggregates?.has(name))),
      ...(own.length > 0 && { aggregates: Object.freeze(own) }),
      relations: Object.freeze(relations),
    });
  };
  return build('', rules.model, rules.root, null);
}

/** The dot before the name of a field, or before the relation of a value over its rows; -1 where there is none. */
function nameStart(path: string): number {
  const end = path.indexOf('.$');
  return end < 0 ? path.lastIndexOf('.') : path.lastIndexOf('.', end - 1);
}
