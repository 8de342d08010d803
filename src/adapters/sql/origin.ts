/** Describes the models of declared tables for the source check. */

import type { DescribedModel, SourceOrigin } from '../../rules/index.ts';
import type { Dialect } from '../../relational/index.ts';
import { describeRelations } from './describe-relations.ts';
import { heldKinds } from './describe-tables.ts';
import { type SqlTables, columnOf, listOf } from './tables.ts';

/** The origin of all sources on these tables. */
export function sqlOrigin(tables: SqlTables, dialect: Dialect): SourceOrigin {
  return {
    describe: (model): DescribedModel | undefined => {
      const table = Object.hasOwn(tables, model) ? tables[model] : undefined;
      if (!table) return undefined;
      return {
        primaryKey: listOf(table.primaryKey),
        fields: new Map(
          Object.entries(table.columns).map(([path, declared]) => {
            const column = columnOf(declared);
            const { nullable = false, enumValues } = column;
            return [path, { kinds: heldKinds(dialect, column), nullable, enumValues }];
          }),
        ),
        relations: new Map(
          describeRelations(tables, model).map((relation) => [relation.path, relation]),
        ),
      };
    },
  };
}
