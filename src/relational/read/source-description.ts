/** The storage of a registry's models, with the cache of everything compiled for it. */

import type {
  CompiledQueryRules,
  DatabaseFamily,
  ResolvedPlan,
  SourceOrigin,
} from '../../rules/index.ts';
import * as option from '../../lib/option-rows.ts';
import type { OptionTableOf } from '../../lib/index.ts';
import { type SchemaRegistry, checkConfiguration } from '../../schema/index.ts';
import { assertOrders } from '../compile/order/assert-orders.ts';
import { type CompiledPlan, compilePlan } from '../compile/compile-plan.ts';
import type { MergedParts } from '../compile/page/merged-table.ts';
import { refuseFirstRows } from '../compile/first-row.ts';
import { keptPlans } from '../compile/kept-plans.ts';
import type { LoweringContext } from '../compile/model-context.ts';
import type { PhysicalRelation, PhysicalSchema } from '../compile/physical.ts';
import type { RowChannel } from '../compile/row-channel.ts';
import { families } from '../families.ts';
import type { Family } from '../family.ts';
import type { CheckProfile } from '../profile/violation.ts';

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
