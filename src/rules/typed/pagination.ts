/** The pages that rules allow, from their declaration and their settings. */

import type { PaginationRule, QueryRulesDeclaration } from '../declare/declaration.ts';
import type { RulesTypes } from './rules-types.ts';
import type { AllowsUnpaginated } from './settings.ts';

/** The type of an option; its default where it may be absent. */
type Option<Rule, Key extends keyof PaginationRule, Default> = Key extends keyof Rule
  ? Exclude<Rule[Key], undefined> | (undefined extends Rule[Key] ? Default : never)
  : Default;

type RuleOf<D extends QueryRulesDeclaration> = D extends { readonly pagination?: infer Rule }
  ? NonNullable<Rule>
  : unknown;

/** The modes of pages, as a union. */
export type ModeOf<D extends QueryRulesDeclaration> = Option<RuleOf<D>, 'mode', 'offset'>;

/** The ways in which offset pages count, as a union. */
export type CountOf<D extends QueryRulesDeclaration> =
  Option<RuleOf<D>, 'count', 'exact'> extends infer Count
    ? Count extends 'exact' | 'none'
      ? Count
      : 'capped'
    : never;

/** Whether `paginate=false` is allowed; `boolean` where the compiler does not know. */
export type UnpaginatedIn<
  D extends QueryRulesDeclaration,
  F extends RulesTypes,
> = AllowsUnpaginated<RuleOf<D>, F['allowUnpaginated']>;
