/** The values derived from a plan to choose its statements and fill them; once for a plan that recurs. */

import { type CompiledQueryRules, type ResolvedPlan, memoOf } from '../../rules/index.ts';
import type { LoweringContext } from '../compile/model-context.ts';
import type { MergedParts } from '../compile/page/merged-table.ts';
import { planShape, whereShape } from '../compile/plan-shape.ts';
import type { StatementInputs } from '../compile/sql-text.ts';
import { mergedParts } from './merged-read.ts';
import { planInputs } from './plan-inputs.ts';

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
    this.shape = planShape(plan, this.where, rules ? (this.merge?.values.length ?? 0) : null);
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
