/** Compiles the `children` of a declaration: what a request may ask of the children of an included relation. */

import { QueryError, type Refusals, configurationError } from '../../schema/index.ts';
import { compileFilters } from '../declare/compile-filters.ts';
import { compileQuantifiers } from '../declare/compile-quantifiers.ts';
import { compileSorts } from '../declare/compile-sorts.ts';
import type { AskedRows, CompiledChildren, CompiledQueryRules } from '../declare/compiled.ts';
import type { ChildrenRule } from '../declare/declaration.ts';

/** The parts of an endpoint that its children depend on. */
interface Endpoint extends Pick<CompiledQueryRules, 'registry' | 'families' | 'limits'> {
  readonly includes: CompiledQueryRules['includes'];
  /** Largest size of a page of the endpoint, in rows. */
  readonly maxPerPage: number;
}

/** The compiled children by the path of their include. */
export function compileChildren(
  { registry, families, limits, includes, maxPerPage }: Endpoint,
  rules: { readonly [path: string]: ChildrenRule | undefined },
  refusals: Refusals,
): ReadonlyMap<string, CompiledChildren> {
  const compiled = new Map<string, CompiledChildren>();
  const add = (path: string, rule: ChildrenRule) => {
    const include = includes.get(path);
    if (!include) throw refusal(path, 'includes does not list the relation; add it.');
    const { maxChildren, relation } = include;
    const schema = registry.get(relation.target);
    if (relation.cardinality !== 'many' || !schema) {
      throw refusal(
        path,
        'the relation has one row, of which there is nothing to choose; drop it.',
      );
    }
    const most = maxChildren ?? Infinity;
    if (rule.maxPerPage !== undefined && rule.maxPerPage > most) {
      throw refusal(path, `maxPerPage is above maxChildren, which is ${most}; lower it.`);
    }
    const { target } = relation;
    const inPlace = {
      attempt: <T>(work: () => T) => refusals.attempt(() => placed(path, work)),
    };
    const base = { registry, model: target, families, limits, aggregates: new Map() };
    const filters = compileFilters(base, rule.filters ?? [], inPlace);
    const rows: AskedRows = {
      model: target,
      schema,
      registry,
      filters,
      groups: rule.groups ? Object.freeze({ ...rule.groups }) : null,
      quantifiers: compileQuantifiers(registry, target, rule.quantifiers ?? [], filters, inPlace),
      aggregates: base.aggregates,
      sorts: compileSorts(base, rule.sorts ?? [], inPlace),
      families,
      limits,
    };
    const own = rule.maxPerPage ?? maxChildren ?? maxPerPage;
    compiled.set(path, Object.freeze({ ...rows, path, maxPerPage: own }));
  };
  for (const [path, rule] of Object.entries(rules)) {
    if (rule) refusals.attempt(() => add(path, rule));
  }
  return compiled;
}

/** Names the place of a rule in its refusal. */
function placed<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const message = error.message.replace(/^rules\./, () => `rules.children["${path}"].`);
    throw configurationError(message, { ...error.details, rule: 'children' });
  }
}

function refusal(path: string, message: string) {
  return configurationError(`rules.children "${path}": ${message}`, { rule: 'children', path });
}
