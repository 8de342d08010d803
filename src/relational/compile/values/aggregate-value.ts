/**
 * Values over the rows of a relation, such as their number, as expressions: a subquery for each row, with the conditions of
 * the rows that a request may see. It is worked out for the rows of a page only, where it is shown and neither filtered nor
 * sorted by.
 */

import type { AggregateField } from '../../../rules/index.ts';
import { columnOf, keyNames } from '../model-context.ts';
import { lowerCondition, lowerTree, relatedRows } from '../predicate.ts';
import type { JoinedModel, Scope } from '../scope.ts';
import { columnSql, valueSql } from '../sql-names.ts';
import type { Sql } from '../sql-text.ts';

/** The value for a row of a joined model; null where the model is absent. */
export function aggregateSql(scope: Scope, joined: JoinedModel, field: AggregateField): Sql {
  const { type, relation, of, where } = field.aggregate;
  const { context } = scope;
  const { dialect, apartForm } = context;
  const forms = { form: apartForm, emptiness: apartForm };
  let value: Sql = 'count(*)';
  const rows = relatedRows(scope, joined, relation.path, (inner, target) => {
    if (of) {
      const column = columnOf(target.model, of.path);
      const sql = valueSql(context, target, column);
      value = type === 'count' ? value : dialect.aggregate(type, sql, column);
    }
    if (!where) return null;
    return lowerTree(inner, target, where, forms, (place, condition) =>
      lowerCondition(
        place.at,
        place.from,
        { condition, value: () => condition.value, ...place.forms, isWithin: true },
        0,
      ),
    );
  });
  const found: Sql = ['(select ', value, rows.from, ' where ', rows.where, ')'];
  const [key = ''] = keyNames(joined.model);
  if (!joined.optional) return found;
  return ['case when ', columnSql(context, joined.alias, key), ' is not null then ', found, ' end'];
}
