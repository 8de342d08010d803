/** The description of an endpoint for the controls of the index page, read from its compiled rules. */

import type { FieldKind } from '../src/schema/index.ts';
import { type RulesDescription, describeRules } from '../src/client/index.ts';
import type { CompiledQueryRules } from '../src/rules/index.ts';

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
  readonly pagination: RulesDescription['pagination'];
  /** The language of filters as text. */
  readonly description: RulesDescription;
}

/** Describes an endpoint from its rules: what `describeRules` tells every client, and the kinds and keys of its rows. */
export function describeEndpoint(rules: CompiledQueryRules): EndpointMeta {
  const shown = rules.schema.fields.filter(({ path }) => rules.root.allowed.has(path));
  const description = describeRules(rules);
  return {
    primaryKey: rules.schema.primaryKey,
    kinds: Object.fromEntries(shown.map(({ path, kind }) => [path, kind])),
    filters: description.filters.map(({ path, kind, operators, members }) => ({
      path,
      kind: kind ?? 'relation',
      operators,
      ...(members && { values: members }),
    })),
    sorts: description.sorts.map(({ path }) => path),
    search: description.search,
    root: { path: '', ...description.fields },
    includes: description.includes.map(({ path, parent, many, allowed, default: shown }) => ({
      path,
      parent,
      cardinality: many ? 'many' : 'one',
      allowed,
      default: shown,
    })),
    pagination: description.pagination,
    description,
  };
}
