/** The names that editors offer inside a rules literal; which of them fit is checked apart from this. */

import type { ModelShape, RegistryShape } from '../../schema/index.ts';
import type {
  FieldsRule,
  FilterRule,
  ProjectionRule,
  QueryRulesDeclaration,
  SortRule,
} from '../declare/declaration.ts';
import type { OperatorName } from '../declare/operators.ts';
import type { ModelNamed, Target } from './paths.ts';

/** Any text; editors offer the names. */
type Hint<Names extends string> = Names | (string & Record<never, never>);

interface HintedFields<Fields extends string> extends FieldsRule {
  readonly root:
    | 'all'
    | (ProjectionRule & {
        readonly allowed: readonly Hint<Fields>[];
        readonly default: readonly Hint<Fields>[];
      });
}

interface HintedFilter<Paths extends string> extends Omit<FilterRule, 'path' | 'operators'> {
  readonly path: Hint<Paths>;
  // A constraint that a literal fails would be reported in place of every other mistake.
  readonly operators: readonly Hint<OperatorName>[];
}

/** A declaration of any names, for a model whose names are known. */
interface HintedDeclaration<
  Fields extends string,
  Relations extends string,
  Further extends string,
> extends Omit<QueryRulesDeclaration, 'filters'> {
  readonly filters?: readonly HintedFilter<Fields | Relations | Further>[];
  readonly sorts?: readonly (
    | Hint<Fields | Further>
    | (Exclude<SortRule, string> & { readonly path: Hint<Fields | Further> })
  )[];
  readonly fields: HintedFields<Fields> | 'all';
  readonly includes?: readonly Hint<Relations>[];
  readonly search?: readonly Hint<Fields | Further>[];
}

/** The declaration for a model; of paths, those of at most one relation are offered. */
export type DeclarationFor<Shape extends RegistryShape, Model extends string> =
  ModelNamed<Shape, Model> extends infer Of extends ModelShape
    ? HintedDeclaration<
        keyof Of['fields'] & string,
        keyof Of['relations'] & string,
        FurtherPaths<Shape, Of>
      >
    : QueryRulesDeclaration;

type FurtherPaths<Shape extends RegistryShape, Of extends ModelShape> = {
  [Relation in keyof Of['relations'] & string]: Target<
    Shape,
    Of['relations'][Relation]
  > extends infer Found extends ModelShape
    ? `${Relation}.${keyof Found['fields'] & string}`
    : never;
}[keyof Of['relations'] & string];
