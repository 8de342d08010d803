/** Compiled plans by shape: one collection for a registry and a DataSource's entities, however often a source is made. */

import type { DataSource } from 'typeorm';
import type { CompiledQueryRules, QueryPlan, SourceOrigin } from '../../rules/index.ts';
import { configurationError } from '../../schema/index.ts';
import type { SchemaRegistry } from '../../schema/index.ts';
import {
  type CompiledPlan,
  type LoweringContext,
  assertOrders,
  compilePlan,
  keptPlans,
} from '../../relational/index.ts';
import { assertPatterns } from './assert-patterns.ts';
import { describeTables } from './describe-tables.ts';
import { channels, dialects, familyOf } from './families.ts';
import type { EntityMetadata } from './metadata-types.ts';
import { typeormOrigin } from './origin.ts';

/** What is compiled for a registry on a DataSource. */
export class PlanCache {
  readonly context: LoweringContext;
  /** Stands for registry and entities in the source check. */
  readonly origin: SourceOrigin;
  readonly #plans = keptPlans();
  readonly #checked = new WeakSet<CompiledQueryRules>();

  constructor(context: LoweringContext, origin: SourceOrigin) {
    this.context = context;
    this.origin = origin;
  }

  /** Refuses rules that the storage cannot serve, once per rules. */
  check(rules: CompiledQueryRules): void {
    if (this.#checked.has(rules)) return;
    assertOrders(rules, this.context);
    assertPatterns(rules, this.context);
    this.#checked.add(rules);
  }

  /** What is compiled for plans of a shape. */
  compiled(plan: QueryPlan, shape: string): CompiledPlan {
    let compiled = this.#plans.get(shape);
    if (!compiled) {
      compiled = compilePlan(this.context, plan);
      this.#plans.set(shape, compiled);
    }
    return compiled;
  }
}

type ByRegistry = WeakMap<SchemaRegistry, PlanCache>;

// By the list of metadata, which a DataSource makes anew whenever it is initialized.
const caches = new WeakMap<readonly EntityMetadata[], { kept: ByRegistry; all: ByRegistry }>();

/**
 * The cache of a registry on a DataSource.
 *
 * @throws QueryError `SOURCE_CONFIGURATION_INVALID` when the DataSource is not initialized
 */
export function planCache(
  dataSource: DataSource,
  registry: SchemaRegistry,
  withDeleted: boolean,
): PlanCache {
  const { entityMetadatas } = dataSource;
  if (entityMetadatas.length === 0) {
    throw configurationError('The DataSource knows no entities yet; initialize it first.');
  }
  let pair = caches.get(entityMetadatas);
  if (!pair) {
    pair = { kept: new WeakMap(), all: new WeakMap() };
    caches.set(entityMetadatas, pair);
  }
  const byRegistry = withDeleted ? pair.all : pair.kept;
  let cache = byRegistry.get(registry);
  if (!cache) {
    const family = familyOf(dataSource);
    const physical = describeTables({ registry, dataSource, family, withDeleted });
    const context = { dialect: dialects[family], registry, physical, channel: channels[family] };
    cache = new PlanCache(context, typeormOrigin(registry, dataSource, family));
    byRegistry.set(registry, cache);
  }
  return cache;
}
