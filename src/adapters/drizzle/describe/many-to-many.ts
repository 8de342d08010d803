/** Declares a relation through a join table, which Drizzle's own `relations()` cannot express. */

import { Column, Table } from 'drizzle-orm';
import * as option from '../../../lib/option-rows.ts';
import type { OptionRow, OptionTableOf } from '../../../lib/index.ts';
import { checkConfiguration } from '../../../schema/index.ts';
import { isA } from './describe-metadata.ts';

type TableName<T extends Table> = T['_']['name'];

/** Options of `manyToMany`. */
export interface ManyToManyOptions<Through extends Table, Target extends Table> {
  /** The join table. It does not need a model. */
  readonly through: Through;
  /** Table that the relation leads to. */
  readonly target: Target;
  /**
   * Columns of the join table that reference the source. Default: those of its only foreign key, or only `one()`
   * relation, to the source.
   */
  readonly from?: Column | readonly Column[];
  /** Columns of the join table that reference the target. Default: found in the same way. */
  readonly to?: Column | readonly Column[];
}

const table: OptionRow = { expected: 'a Drizzle table', fits: (value) => isA(value, Table) };
const column: OptionRow = {
  expected: 'a Drizzle column',
  plural: 'Drizzle columns',
  fits: (value) => isA(value, Column),
};
const columns = option.either(column, option.nonEmptyListOf(column));

const optionTable = {
  through: option.required(table),
  target: option.required(table),
  from: columns,
  to: columns,
} satisfies OptionTableOf<ManyToManyOptions<Table, Table>>;

/** A relation through a join table; made by `manyToMany`. The type parameters are table names and the path. */
export class ManyToMany<
  Source extends string = string,
  Path extends string = string,
  Target extends string = string,
> {
  /** Table that gets the relation. */
  readonly source: Table;
  /** Name of the relation. */
  readonly path: Path;
  /** Table that the relation leads to. */
  readonly target: Table;
  /** Join table. */
  readonly through: Table;
  /** Columns of the join table that refer to the source; `null` for those of its foreign key. */
  readonly from: readonly Column[] | null;
  /** Columns of the join table that refer to the target; `null` for those of its foreign key. */
  readonly to: readonly Column[] | null;
  /** Carries the table types for the compiler; absent at run time. */
  declare readonly '~tables': {
    /** Name of the table that gets the relation. */
    readonly source: Source;
    /** Name of the table that the relation leads to. */
    readonly target: Target;
  };

  constructor(source: Table, path: Path, options: ManyToManyOptions<Table, Table>) {
    this.source = source;
    this.path = path;
    this.target = options.target;
    this.through = options.through;
    this.from = listOf(options.from);
    this.to = listOf(options.to);
  }
}

function listOf(columns: Column | readonly Column[] | undefined): readonly Column[] | null {
  if (columns === undefined) return null;
  return Array.isArray(columns) ? columns : [columns as Column];
}

/**
 * Declares that `source` has many `target` rows through a join table. Passed to `drizzleRegistry`
 * (or to the source, for schemas declared by hand) among the `relations()`:
 *
 * ```ts
 * manyToMany(countries, 'languages', { through: countryLanguages, target: languages })
 * manyToMany(countries, 'borders', {
 *   through: borders, target: countries, from: borders.countryId, to: borders.neighbourId,
 * })
 * ```
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when an option is unknown or has a wrong type
 */
export function manyToMany<
  Source extends Table,
  const Path extends string,
  Through extends Table,
  Target extends Table,
>(
  source: Source,
  path: Path,
  options: ManyToManyOptions<Through, Target>,
): ManyToMany<TableName<Source>, Path, TableName<Target>> {
  checkConfiguration(
    'manyToMany',
    { source, path },
    { source: option.required(table), path: option.required(option.string) },
  );
  checkConfiguration('manyToMany', options, optionTable);
  return new ManyToMany(source, path, options);
}
