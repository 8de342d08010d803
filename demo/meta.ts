/** The description of an endpoint for the controls of the index page, read from its compiled rules. */

import type { FieldKind } from '../src/schema/index.ts';
import type { CompiledProjection, CompiledQueryRules } from '../src/rules/index.ts';

/** One filterable path. `kind` is `relation` if the path ends in a relation. */
export interface FilterMeta {
  readonly path: string;
  readonly kind: FieldKind | 'relation';
  readonly operators: readonly string[];
  /** Members of an enum. */
  readonly values?: readonly string[];
}

/** The selectable fields of the root (`path` is empty) or of a relation. */
export interface ProjectionMeta {
  readonly path: string;
  readonly allowed: readonly string[];
  readonly default: readonly string[];
}

/** One endpoint as a form. */
export interface EndpointMeta {
  readonly primaryKey: readonly string[];
  /** Kinds of the root fields. */
  readonly kinds: { readonly [field: string]: FieldKind };
  readonly filters: readonly FilterMeta[];
  readonly sorts: readonly string[];
  readonly search: readonly string[];
  readonly root: ProjectionMeta;
  readonly includes: readonly (ProjectionMeta & {
    readonly parent: string | null;
    readonly cardinality: 'one' | 'many';
  })[];
  readonly pagination: CompiledQueryRules['pagination'];
}

const projection = (path: string, { allowed, default: shown }: CompiledProjection) => ({
  path,
  allowed: [...allowed],
  default: shown,
});

/** Describes an endpoint from its rules. */
export function describeEndpoint(rules: CompiledQueryRules): EndpointMeta {
  const shown = rules.schema.fields.filter(({ path }) => rules.root.allowed.has(path));
  return {
    primaryKey: rules.schema.primaryKey,
    kinds: Object.fromEntries(shown.map(({ path, kind }) => [path, kind])),
    filters: [...rules.filters.values()].map(({ target, operators }) => ({
      path: target.path,
      kind: target.field?.kind ?? 'relation',
      operators: [...operators],
      ...(target.field?.enumValues && { values: target.field.enumValues }),
    })),
    sorts: [...rules.sorts.keys()],
    search: rules.search.map(({ path }) => path),
    root: projection('', rules.root),
    includes: [...rules.includes.values()].map((include) => ({
      ...projection(include.path, include.projection),
      parent: include.parent,
      cardinality: include.relation.cardinality,
    })),
    pagination: rules.pagination,
  };
}
