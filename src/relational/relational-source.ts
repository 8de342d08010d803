/** `relationalSource`: a source of rows from a description of tables and an executor of statements. */

import type { DatabaseFamily, QuerySource } from '../rules/index.ts';
import type { SchemaRegistry } from '../schema/index.ts';
import type { Executor } from './read/executor.ts';
import { type ReadSource, RelationalRead } from './read/relational-read.ts';
import type { SourceDescription } from './read/source-description.ts';

/** Parts of a relational source. */
export interface RelationalSourceOptions<E extends Executor, Customize> extends ReadSource<
  E,
  Customize
> {
  /** The model whose rows are listed. */
  readonly model: string;
}

/** A source with the parts that its checks need. */
export interface RelationalSource<
  Row,
  Customize,
  E extends Executor = Executor,
> extends QuerySource<Row, Customize> {
  readonly family: DatabaseFamily;
  readonly registry: SchemaRegistry;
  readonly describe: SourceDescription;
  readonly execute: E;
}

/**
 * A source over described tables. Cheap to make: compiled statements are kept by the description, so that a source
 * made for one request, on a transaction for example, finds them.
 */
export function relationalSource<Row, Customize, E extends Executor>(
  options: RelationalSourceOptions<E, Customize>,
): RelationalSource<Row, Customize, E> {
  const { model, describe, execute } = options;
  const { dialect, registry } = describe.context;
  return {
    model,
    family: dialect.family,
    registry,
    origin: describe.origin,
    describe,
    execute,
    prepare: (plan, rules, readOptions) => {
      describe.assertRules(rules);
      return new RelationalRead<E, Row, Customize>(options, plan, readOptions);
    },
  };
}
