/** What the index page's controls are made of: everything an endpoint allows, read from its compiled rules. */

import type { FieldKind } from '../src/schema/index.ts';
import type { CompiledProjection, CompiledQueryRules } from '../src/rules/index.ts';

/** One filterable path. `kind` is `relation` where the path ends in one. */
export interface FilterMeta {
  readonly path: string;
  readonly kind: FieldKind | 'relation';
  readonly operators: readonly string[];
  /** Members of an enum. */
  readonly values?: readonly string[];
}

/** What may be shown of the root, or of a relation where `path` names one. */
export interface ProjectionMeta {
  readonly path: string;
  readonly allowed: readonly string[];
  readonly default: readonly string[];
}

/** One endpoint as a form. */
export interface EndpointMeta {
  readonly primaryKey: readonly string[];
  /** Kinds of the fields of a row. */
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

/** Describes an endpoint from its rules; nothing is written down a second time. */
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
