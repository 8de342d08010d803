/** The condition of every row of a model in a statement: its restrictions, and the scope of the request. */

import { configurationError } from '../../schema/index.ts';
import { acceptsAbsence, isMany } from './asked-conditions.ts';
import { keyNames, relationOf, type LoweringContext, type ModelContext } from './model-context.ts';
import { type Lowered, apart, lowerCondition, lowerTree, through } from './predicate.ts';
import type { PhysicalRelation } from './physical.ts';
import { type JoinedModel, type PlanContext, Scope, joinsSql } from './scope.ts';
import { pairs, tableSql, columnSql } from './sql-names.ts';
import { type Sql, type StatementInputs, join } from './sql-text.ts';

/** The model's restrictions for an alias; `null` where it has none. */
export function restrictionSql(
  context: LoweringContext,
  model: ModelContext,
  alias: string,
): Sql | null {
  const { restrictions = [] } = model.physical;
  if (restrictions.length === 0) return null;
  return join(
    restrictions.map((restriction): Sql => {
      const column = columnSql(context, alias, restriction.column);
      if ('isNull' in restriction) return `${column} is null`;
      const values = restriction.values.map((value): Sql => ({ read: () => value }));
      return [`${column} in (`, join(values, ', '), ')'];
    }),
    ' and ',
  );
}

/**
 * The condition of the rows of a joined model; `null` where all of its rows are read. `on` is the condition of a join,
 * which cannot have joins of its own.
 */
export function rowCondition(scope: Scope, joined: JoinedModel, place: 'where' | 'on'): Sql | null {
  const parts = [
    restrictionSql(scope.context, joined.model, joined.alias),
    joined.unscoped ? null : scopeCondition(scope, joined, place),
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : join(parts, ' and ');
}

/** Whether each row has its row of the relation's target, by an enforced foreign key, and a statement reads all rows of it. */
export const isSure = (
  { enforced, scopes }: Pick<PlanContext, 'enforced' | 'scopes'>,
  relation: PhysicalRelation,
  { model, optional, unscoped }: Omit<JoinedModel, 'alias'>,
): boolean =>
  (relation.isEnforced ?? enforced?.has(relation) ?? false) &&
  !optional &&
  (model.physical.restrictions?.length ?? 0) === 0 &&
  (unscoped === true || !scopes || scopes[model.schema.model] === null);

/** The scope of the request for a joined model; `null` where it sees all rows. */
export function scopeCondition(
  scope: Scope,
  joined: JoinedModel,
  place: 'where' | 'on',
): Sql | null {
  const { scopes, apartForm, dialect } = scope.context;
  if (!scopes) return null;
  const { model } = joined.model.schema;
  const predicate = Object.hasOwn(scopes, model) ? scopes[model] : undefined;
  if (predicate === undefined) {
    throw configurationError(`The plan crosses ${model} without its scope.`, { model });
  }
  if (predicate === null) return null;
  const from = { ...joined, unscoped: true };
  const lower = place === 'on' ? lowerApart : lowerCondition;
  const form = place === 'on' && dialect.losesJoinedSemijoins ? 'scalar' : apartForm;
  const forms = { form, emptiness: form };
  return lowerTree(scope, from, predicate, forms, (_, condition, index) => {
    const value = ({ scopes: values }: StatementInputs) =>
      values[model]?.[index] as ReturnType<Lowered['value']>;
    return lower(scope, from, { condition, value, ...forms }, 0);
  });
}

/** Compiles a condition without adding joins to its statement: the relations of its path are in a subquery. */
function lowerApart(scope: Scope, joined: JoinedModel, lowered: Lowered, at: number): Sql {
  const { hops } = lowered.condition.target;
  const hop = hops[at];
  if (!hop) return lowerCondition(scope, joined, lowered, at);
  const relation = relationOf(joined.model, hop.path);
  if (relation.hops.length === 0) {
    // An embedded target is stored in the same row.
    return lowerApart(scope, scope.follow(joined, hop), lowered, at + 1);
  }
  const isFirst = !isMany(hop) && !scope.context.joinsOneRow(relation);
  if (isFirst || acceptsAbsence(lowered.condition, at))
    return ofSameRow(scope, joined, lowered, at);
  return through(scope, joined, hop.path, lowered.form, (inner, target) =>
    lowerCondition(inner, target, lowered, at + 1),
  );
}

/** Tests the condition on the same row, read once more in a subquery with its own joins. */
function ofSameRow(scope: Scope, joined: JoinedModel, lowered: Lowered, at: number): Sql {
  const { context, aliases } = scope;
  const { model } = joined;
  const root: JoinedModel = { ...joined, alias: aliases.next(), optional: false };
  const inner = new Scope(context, root, aliases);
  const condition = lowerCondition(inner, root, lowered, at);
  const keys = keyNames(model);
  const [start, end] = apart(lowered.form);
  return [
    `${start} from ${tableSql(context, model.physical.table)} as ${context.dialect.quote(root.alias)}`,
    joinsSql(context, inner.joins),
    ' where ',
    pairs(context, joined.alias, keys, root.alias, keys),
    ' and ',
    condition,
    end,
  ];
}
