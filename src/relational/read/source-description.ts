/**
 * The storage of a registry's models, with the cache of everything compiled for it, and the values derived from a plan to
 * choose its statements and fill them.
 */

import {
  type CompiledQueryRules,
  type DatabaseFamily,
  type ResolvedPlan,
  type SourceOrigin,
  memoOf,
} from '../../rules/index.ts';
import * as option from '../../lib/option-rows.ts';
import { type OptionTableOf, BoundedCache } from '../../lib/index.ts';
import { type SchemaRegistry, checkConfiguration } from '../../schema/index.ts';
import { childrenValues } from '../compile/asked-children.ts';
import { assertOrders } from '../compile/order/assert-orders.ts';
import { type CompiledPlan, compilePlan } from '../compile/compile-plan.ts';
import type { MergedParts } from '../compile/page/merged-table.ts';
import { refuseFirstRows } from '../compile/first-row.ts';
import type { LoweringContext } from '../compile/model-context.ts';
import type { PhysicalRelation, PhysicalSchema } from '../compile/physical.ts';
import type { RowChannel } from '../compile/row-channel.ts';
import { families } from '../families.ts';
import type { Family } from '../family.ts';
import type { CheckProfile } from '../profile/violation.ts';
import { assertAggregates } from '../compile/values/aggregate-column.ts';
import { planShape, whereShape } from '../compile/plan-shape.ts';
import type { StatementInputs } from '../compile/sql-text.ts';
import { mergedParts } from './merged-read.ts';
import { conditionValues } from '../compile/asked-conditions.ts';

/** Options of a `SourceDescription`. */
export interface SourceDescriptionOptions {
  /** Database family of the models. */
  readonly family: DatabaseFamily;
  /** Registry of the models. */
  readonly registry: SchemaRegistry;
  /** Tables, columns and joins of the models. */
  readonly physical: PhysicalSchema;
  /** The row format of the driver. Default: arrays, with instants as strings. */
  readonly channel?: RowChannel | undefined;
  /** The models according to the ORM, for the source check. Default: sources are not checked. */
  readonly origin?: SourceOrigin | undefined;
  /** Refuses rules that the ORM's storage cannot serve; called once per rules. Default: no rules are refused. */
  readonly check?: ((rules: CompiledQueryRules) => void) | undefined;
  /** Checks of `checkProfile` on how the client reads values, in addition to those on the database. Default: none. */
  readonly clientProfile?: CheckProfile | undefined;
}

const channelTable = {
  named: option.required(option.boolean),
  select: option.func,
  selectSkipping: option.func,
  typedColumns: option.boolean,
} satisfies OptionTableOf<RowChannel>;

const optionTable = {
  family: option.required(option.oneOf(...Object.keys(families))),
  registry: option.required(option.withMethods('a schema registry', 'get', 'has')),
  physical: option.required(option.withMethods('a Map of models', 'get', 'values')),
  channel: option.objectOf(channelTable),
  origin: option.plainObject,
  check: option.func,
  clientProfile: option.func,
} satisfies OptionTableOf<SourceDescriptionOptions>;

/**
 * The storage of models in one database family. Create one per registry and ORM schema and share it between all sources
 * made from them, because it caches compiled statements.
 */
export class SourceDescription {
  /** The family with all that is particular to it. */
  readonly family: Family;
  /** The models according to the ORM, for the source check. */
  readonly origin: SourceOrigin | undefined;
  /** Checks of how the client reads values, for `checkProfile`. */
  readonly clientProfile: CheckProfile | undefined;
  readonly #check: ((rules: CompiledQueryRules) => void) | undefined;
  #context: LoweringContext;
  #plans = keptPlans();
  #isStrict = false;
  readonly #checked = new WeakSet<CompiledQueryRules>();

  /** @throws {QueryError} SOURCE_CONFIGURATION_INVALID when an option is unknown or has a wrong type */
  constructor(options: SourceDescriptionOptions) {
    checkConfiguration('SourceDescription', options, optionTable);
    const { registry, physical, channel, origin, check, clientProfile } = options;
    this.family = families[options.family];
    this.#context = { dialect: this.family.dialect, registry, physical, channel };
    this.origin = origin;
    this.clientProfile = clientProfile;
    this.#check = check;
  }

  /** Names of tables and columns, for the compiler of statements. */
  get context(): LoweringContext {
    return this.#context;
  }

  /**
   * Checks rules against the storage, once per rules.
   *
   * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the storage cannot serve them
   */
  assertRules(rules: CompiledQueryRules): void {
    if (this.#checked.has(rules)) return;
    assertOrders(rules, this.context);
    assertAggregates(rules, this.context);
    this.#check?.(rules);
    this.#checked.add(rules);
  }

  /**
   * Refuses `one` relations to columns that are not declared unique, where `strict` is set.
   *
   * @throws {QueryError} SOURCE_CONFIGURATION_INVALID that names each of them
   */
  assertStrict(strict: boolean | undefined): void {
    if (!strict || this.#isStrict) return;
    refuseFirstRows(this.context);
    this.#isStrict = true;
  }

  /**
   * From now on reads relations as their first rows because the catalogue lacks the keys that are declared, and takes rows
   * of others for certain because of its foreign keys.
   */
  readAs(lacking: ReadonlySet<PhysicalRelation>, enforced: ReadonlySet<PhysicalRelation>): void {
    // A check that is repeated leaves the statements as they are.
    const { lacking: lacked, enforced: relied } = this.context;
    if (hasSame(lacked, lacking) && hasSame(relied, enforced)) return;
    this.#context = { ...this.#context, lacking, enforced };
    this.#plans = keptPlans();
  }

  /** The statements for the shape of a plan, compiled when the shape is first used. */
  compiled(
    plan: ResolvedPlan,
    shape: string,
    merge: MergedParts | null = null,
    isWhole = true,
  ): CompiledPlan {
    let compiled = this.#plans.get(shape);
    if (!compiled) {
      compiled = compilePlan(this.context, plan, merge, isWhole);
      this.#plans.set(shape, compiled);
    }
    return compiled;
  }
}

const hasSame = (known: ReadonlySet<unknown> | undefined, found: ReadonlySet<unknown>): boolean =>
  (known?.size ?? 0) === found.size && [...found].every((each) => known?.has(each));

/** Number of plans of usual size; the least recently used plans are dropped. */
const capacity = 500;
/** Largest number of slots of a plan of usual size. Where lists are written out, a request can cause thousands. */
const usualSlots = 100;

/** A plan with many slots counts as several, so that the cache stays within about 20 MB. */
function weight({ data, count }: CompiledPlan): number {
  const slots = data.statement.slots.length + (count?.statement.slots.length ?? 0);
  return Math.max(1, slots / usualSlots);
}

/** An empty cache of compiled plans by shape. */
export function keptPlans(): BoundedCache<string, CompiledPlan> {
  return new BoundedCache(capacity, weight);
}

export class DerivedPlan {
  /** Shape of the predicate. */
  readonly where: string;
  /** Shape of the plan. */
  readonly shape: string;
  /** The parts that a page is merged from, if any. */
  readonly merge: MergedParts | null;
  /** Whether the page needs a statement on the table itself. */
  readonly isWhole: boolean;
  /** The values of the plan. */
  readonly inputs: StatementInputs;
  readonly #context: LoweringContext;
  readonly #rules: CompiledQueryRules | undefined;
  #countKey: string | undefined;

  /** Without `rules`, the page is read as a whole. */
  constructor(plan: ResolvedPlan, context: LoweringContext, rules: CompiledQueryRules | undefined) {
    this.where = whereShape(plan, context.dialect);
    this.merge = rules ? mergedParts(plan, rules, context) : null;
    this.isWhole = !rules;
    const parts = rules ? (this.merge?.values.length ?? 0) : null;
    this.shape = planShape(plan, this.where, context.dialect, parts);
    this.inputs = planInputs(plan, this.merge);
    this.#context = context;
    this.#rules = rules;
  }

  /** Identifies the predicate with its values. */
  get countKey(): string {
    const { conditions, scopes } = this.inputs;
    this.#countKey ??= `${this.where}\n${JSON.stringify([conditions, scopes])}`;
    return this.#countKey;
  }

  isFor(context: LoweringContext, rules: CompiledQueryRules | undefined): boolean {
    return this.#context === context && this.#rules === rules;
  }
}

/** The derived values of a plan in a source; without `rules`, its page is read as a whole. */
export function derivedPlan(
  plan: ResolvedPlan,
  context: LoweringContext,
  rules: CompiledQueryRules | undefined,
): DerivedPlan {
  const memo = memoOf(plan);
  const known = memo?.derived;
  if (known instanceof DerivedPlan && known.isFor(context, rules)) return known;
  const derived = new DerivedPlan(plan, context, rules);
  if (memo) memo.derived = derived;
  return derived;
}

const noScopes: StatementInputs['scopes'] = {};

export function planInputs(
  { page, where, scopes, projection }: ResolvedPlan,
  merge: MergedParts | null = null,
): StatementInputs {
  return {
    conditions: conditionValues(where, []),
    children: childrenValues(projection),
    scopes: scopes ? scopeValues(scopes) : noScopes,
    position: page.mode === 'keyset' && page.position ? page.position.values : [],
    offset: page.mode === 'offset' ? page.offset : 0,
    parts: merge ? merge.values : [],
    keys: [],
  };
}

function scopeValues(scopes: NonNullable<ResolvedPlan['scopes']>): StatementInputs['scopes'] {
  const values: { [model: string]: StatementInputs['conditions'] } = {};
  for (const model in scopes) values[model] = conditionValues(scopes[model] ?? null, []);
  return values;
}
