/** Compiles a rules declaration at boot into the frozen lookup tables that requests are checked against. */

import { knownNames } from '../../lib/index.ts';
import {
  QueryError,
  type QuerySchema,
  Refusals,
  type RegistryShape,
  type SchemaRegistry,
  checkConfiguration,
  configurationError,
  defineQuerySchema,
  fieldNamed,
  kindRow,
  nullsOf,
} from '../../schema/index.ts';
import type { CompiledProjection, CompiledQueryRules } from './compiled.ts';
import { compileAggregates } from '../aggregates/compile-aggregates.ts';
import { compileFilters } from './compile-filters.ts';
import { compileQuantifiers } from './compile-quantifiers.ts';
import { compileIncludes, compileRoot } from './compile-projections.ts';
import { compileSearch } from './compile-search.ts';
import { compileChildren } from '../children/compile-children.ts';
import { compileSorts } from './compile-sorts.ts';
import { usualBudget } from './cost.ts';
import type {
  DatabaseFamily,
  QueryLimits,
  QueryRulesDeclaration,
  QuerySettings,
} from './declaration.ts';
import { hasOrder } from './field-capability.ts';
import { defineQueryRulesTable } from './option-tables.ts';
import { type ScopeOf, compileScopes } from './scopes.ts';
import { checkCursorFields, ownParam, resolvePagination, resolveSettings } from './settings.ts';
import { textHash } from '../plan/cursor/text-hash.ts';
import type { ShownAggregates, ShownValue } from '../typed/aggregates.ts';
import type { CheckedDeclaration } from '../typed/declaration.ts';
import type {
  ChildFilterPaths,
  ClientValueAt,
  EntityOf,
  FieldsAt,
  FilterPaths,
  WildcardPaths,
} from '../typed/rules-types.ts';
import type { DeclarationFor } from '../typed/hints.ts';
import type { FieldsOf } from '../typed/projections.ts';
import type { ModelNamed, Resolve } from '../typed/paths.ts';
import type { AllowsUnpaginated, CheckedSettings } from '../typed/settings.ts';
import { waysOut } from './ways-out.ts';

/**
 * Compiles the declaration of an endpoint: the paths, operators, sorts, fields and relations that a client may request.
 * Call it once per endpoint at boot.
 *
 * @param registry every model reachable from the root, by name
 * @param rootModel the model whose rows the endpoint lists
 * @param rules the declaration
 * @param settings shared by the host's endpoints; see `QuerySettings` for the defaults
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the declaration cannot work, naming the rule, the path and the
 * remedy of everything that is refused; CAPABILITY_UNAVAILABLE when a primary key part has no order.
 */
export function defineQueryRules<
  Shape extends RegistryShape,
  const Model extends Extract<keyof Shape, string>,
  const Declaration extends DeclarationFor<Shape, Model>,
  const Settings extends QuerySettings = Record<never, never>,
>(
  registry: SchemaRegistry<Shape>,
  rootModel: Model,
  rules: Declaration & CheckedDeclaration<Shape, Model, Declaration, Settings>,
  settings?: Settings & CheckedSettings<Settings>,
): CompiledQueryRules<
  Extract<Declaration, QueryRulesDeclaration>,
  {
    readonly model: Model;
    readonly entity: EntityOf<ModelNamed<Shape, Model>>;
    readonly values: {
      readonly [
        Path in FilterPaths<Declaration['filters']> | ChildFilterPaths<Declaration['children']>
      ]: ClientValueAt<Resolve<Shape, ModelNamed<Shape, Model>, Model, Path>>;
    };
    readonly aggregates: {
      readonly [Path in ShownAggregates<Declaration['fields']>]: ShownValue<
        Resolve<Shape, ModelNamed<Shape, Model>, Model, Path>
      >;
    };
    readonly wildcards: {
      readonly [
        Path in WildcardPaths<Declaration['fields'], Declaration['includes']>
      ]: Path extends ''
        ? FieldsOf<ModelNamed<Shape, Model>>
        : FieldsAt<Resolve<Shape, ModelNamed<Shape, Model>, Model, Path>>;
    };
    readonly allowUnpaginated: AllowsUnpaginated<Settings>;
    readonly scope: ScopeOf<Settings>;
  }
>;
export function defineQueryRules(
  registry: SchemaRegistry,
  rootModel: string,
  rules: QueryRulesDeclaration,
  settings: QuerySettings = {},
): CompiledQueryRules {
  const given = { registry, model: rootModel, rules, settings };
  checkConfiguration('defineQueryRules', given, defineQueryRulesTable);
  const schema = registry.get(rootModel);
  if (!schema) {
    const skipped = registry.skipped?.find(
      ({ table, column, foreignKey }) => table === rootModel && !column && !foreignKey,
    );
    const rest = skipped
      ? `, because ${skipped.reason}`
      : `; it has ${knownNames(rootModel, registry.keys())}`;
    throw configurationError(`The registry has no model "${rootModel}"${rest}.`, {
      model: rootModel,
    });
  }
  checkReachable(registry, checkSchema(rootModel, schema));
  const { families, limits, passthroughParams, cursors } = resolveSettings(settings, registry);
  if (rules.where && passthroughParams.has('where')) throw ownParam('where');
  const filters = rules.filters ?? [];
  const refusals = new Refusals();
  const none = { registry, model: rootModel, families, limits, aggregates: new Map() };
  const aggregates = compileAggregates(none, rules.aggregates ?? {}, refusals);
  const base = { ...none, aggregates };
  const root = refusals.attempt(() => compileRoot(schema, rules.fields, aggregates));
  const compiledFilters = compileFilters(base, filters, refusals);
  const includes = compileIncludes(
    base,
    rules.includes ?? [],
    rules.fields,
    settings.maxChildren ?? 100,
    refusals,
  );
  const pagination = resolvePagination(rules.pagination ?? {}, settings, schema);
  const budget = withBudget(rules, limits);
  const compiled: CompiledQueryRules = {
    model: rootModel,
    schema,
    registry,
    filters: compiledFilters,
    groups: rules.groups ? Object.freeze({ ...rules.groups }) : null,
    quantifiers: compileQuantifiers(
      registry,
      rootModel,
      rules.quantifiers ?? [],
      compiledFilters,
      refusals,
    ),
    where: rules.where ?? false,
    aggregates,
    sorts: compileSorts(base, rules.sorts ?? [], refusals),
    root: root as CompiledProjection,
    includes,
    children: compileChildren(
      { registry, families, limits: budget, includes, maxPerPage: pagination.maxPerPage },
      rules.children ?? {},
      refusals,
    ),
    search: compileSearch(registry, rootModel, rules.search ?? [], families, refusals),
    pagination,
    families,
    limits: budget,
    passthroughParams,
    cursors,
    scopes: null,
    fingerprint: textHash(JSON.stringify([rootModel, withoutMerge(rules), nullsOf(families)])),
  };
  refusals.attempt(() => checkPrimaryKeyOrder(schema, families));
  for (const include of compiled.includes.values()) {
    const target = registry.get(include.relation.target);
    if (!target || include.relation.cardinality === 'one') continue;
    refusals.attempt(() => checkPrimaryKeyOrder(target, families));
  }
  refusals.throwAll();
  checkCursorFields(compiled);
  return Object.freeze({ ...compiled, scopes: compileScopes(compiled, settings.scopes) });
}

/** The limits, with the usual budget where requests may say more than a conjunction, or ask for values over relations. */
function withBudget(rules: QueryRulesDeclaration, limits: QueryLimits): QueryLimits {
  const { groups, children, quantifiers = [], aggregates = {} } = rules;
  const isPlain =
    !groups && !children && quantifiers.length === 0 && Object.keys(aggregates).length === 0;
  return isPlain ? limits : Object.freeze({ cost: usualBudget, ...limits });
}

/** The rules that a cursor is bound to: the way in which its page is read does not matter. */
function withoutMerge({ pagination, ...rules }: QueryRulesDeclaration): QueryRulesDeclaration {
  const { mergeBy: _mergeBy, ...others } = pagination ?? {};
  return { ...rules, ...(pagination && { pagination: others }) };
}

function checkReachable(registry: SchemaRegistry, root: QuerySchema) {
  const seen = new Set([root.model]);
  const open = [root];
  for (let schema = open.pop(); schema; schema = open.pop()) {
    for (const relation of schema.relations) {
      if (seen.has(relation.target)) continue;
      const target = registry.get(relation.target);
      if (!target) {
        throw configurationError(
          `${schema.model}.${relation.path}: its target "${relation.target}" is not in the registry; add its schema.`,
          { model: schema.model, path: relation.path },
        );
      }
      seen.add(relation.target);
      open.push(checkSchema(relation.target, target));
    }
  }
}

/** A registry may be a plain `Map`, whose schemas have not been validated yet. */
function checkSchema(model: string, schema: QuerySchema): QuerySchema {
  if (schema.model === model) return defineQuerySchema(schema);
  throw configurationError(
    `The registry has the schema of "${schema.model}" under "${model}"; give both one name.`,
    { model },
  );
}

function checkPrimaryKeyOrder(schema: QuerySchema, families: readonly DatabaseFamily[]) {
  for (const path of schema.primaryKey) {
    const field = fieldNamed(schema, path);
    if (field && hasOrder(field, families)) continue;
    const reason =
      field && kindRow(field.kind).order === 'none'
        ? `is ${field.kind}, which has no order; leave out the model, or declare kind uuid if it holds UUIDs as 16 bytes`
        : `has no portable total order; ${waysOut('portableOrderField')}`;
    throw new QueryError(
      'CAPABILITY_UNAVAILABLE',
      `Primary key part "${path}" of ${schema.model} ${reason}.`,
      { model: schema.model, path },
    );
  }
}
