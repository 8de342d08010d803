/**
 * The form of a condition through a `many` relation in a count of a family that counts by sets. The set of the keys that meet
 * it is the fastest form unless it has more members than a part of the rows that are counted, or another condition leaves
 * fewer rows: each of these is then tested.
 */

import { type ResolvedCondition, type ResolvedPlan, aggregateOf } from '../../../rules/index.ts';
import { columnOf, isStored, keyNames } from '../model-context.ts';
import { conditionValues, isMany, isSelective, requiredConditions } from '../asked-conditions.ts';
import { type Placed, matching } from './probed-parts.ts';
import type { Scope } from '../scope.ts';
import { columnSql, tableSql } from '../sql-names.ts';
import { type Sql, join } from '../sql-text.ts';

/** Rows that are tested in no time. */
const fewRows = 1000;

/**
 * The parts of the rows of which a set may have as many members: a member takes twice as long as the test of a row, and a
 * count with a cap tests no more rows than it finds.
 */
const parts = { exact: 3, capped: 50 };

/** Whether an index may find the rows that meet a condition without a `many` relation. */
const isFound = ({ root }: Scope, condition: ResolvedCondition): boolean => {
  const { row, target, value } = condition;
  const { field, hops } = target;
  if (!field || aggregateOf(field)) return false;
  if (row.comparison === 'pattern' || row.need === 'array') return false;
  if ('negated' in row && row.negated) return false;
  if (row.comparison === 'null') return hops.length === 0 && value === true;
  return hops.length > 0 || isStored(columnOf(root.model, field.path));
};

/** True where each row is tested; `null` where the set serves whatever the values are. */
export function testsRows(scope: Scope, plan: ResolvedPlan): Sql | null {
  const { context, root } = scope;
  const { where, count } = plan;
  if (!where || context.dialect.existential.count !== 'in' || isSelective(where)) return null;
  const { primaryKey } = root.model.schema;
  const key = columnOf(root.model, primaryKey[0] ?? '');
  const isNumbered = /^(?:integer|bigint)$/.test(key.kind) && key.storage === 'native';
  if (primaryKey.length > 1 || !isNumbered || key.codec) return null;
  const conditions = requiredConditions(where);
  if (conditions.length < conditionValues(where, []).length) return null;
  const placed = conditions.map((condition, index): Placed => ({ condition, index }));
  const crossing = placed.filter(({ condition }) => condition.target.hops.some(isMany));
  const [many, ...more] = crossing;
  if (!many || more.length > 0) return null;
  const { target, row } = many.condition;
  if (!target.field || aggregateOf(target.field) || row.comparison === 'pattern') return null;
  if (row.need === 'array') return null;
  if (!target.hops.slice(0, 1).some(isMany)) return null;
  const others = placed.filter((each) => each !== many && isFound(scope, each.condition));
  const part = parts[count.type === 'capped' ? 'capped' : 'exact'];
  const [name = ''] = keyNames(root.model);
  const alias = scope.aliases.next();
  const table = `${tableSql(context, root.model.physical.table)} as ${context.dialect.quote(alias)}`;
  const most = `(select cast(max(coalesce(max(${columnSql(context, alias, name)}), 0) / ${part}, ${fewRows}) as integer) from ${table})`;
  const members: Sql = [
    '(select count(*) from (',
    matching(scope, many),
    ` limit ${most}) as met)`,
  ];
  const isWithin = (other: Placed, rows: Sql): Sql => [
    ['(', matching(scope, other), ' limit 1 offset '],
    [rows, ') is null'],
  ];
  return join(
    [
      ...others.map((other) => isWithin(other, String(fewRows))),
      [members, ` >= ${most}`],
      ...others.map((other) => isWithin(other, members)),
    ],
    ' or ',
  );
}
