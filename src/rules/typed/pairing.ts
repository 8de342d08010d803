/** Refuses at compile time a source and rules that are not of one model. */

import type { CompiledQueryRules, TypesIn } from '../declare/compiled.ts';
import type { ListedEntity } from '../read/source.ts';
import type { Refused } from './paths.ts';

/** `unknown` for rules of the model that the source lists, or where the compiler does not know; else a refusal. */
export type PairedRules<Rules extends CompiledQueryRules, Listed> =
  Listed extends ListedEntity<infer Entity>
    ? PairedEntity<Entity, TypesIn<Rules>['entity'], TypesIn<Rules>['model']>
    : Listed extends string
      ? string extends Listed | TypesIn<Rules>['model']
        ? unknown
        : Listed extends TypesIn<Rules>['model']
          ? unknown
          : Refused<`the source lists ${Listed}, the rules are for ${TypesIn<Rules>['model']}`>
      : unknown;

type PairedEntity<Entity, Expected, Model extends string> = unknown extends Expected
  ? unknown
  : string extends keyof Entity
    ? unknown
    : true extends IsSame<Entity, Expected>
      ? unknown
      : Refused<`the source lists another entity, the rules are for ${Model}`>;

/** Entities are the same where each is assignable to the other; of several expected ones, any may be the same. */
type IsSame<Entity, Expected> = Expected extends unknown
  ? [Entity, Expected] extends [Expected, Entity]
    ? true
    : false
  : never;
