/** `relationalSource`: a source of rows from a description of tables and an executor of statements. */

import * as option from '../lib/option-rows.ts';
import type { OptionTableOf } from '../lib/index.ts';
import type { DatabaseFamily, QuerySource } from '../rules/index.ts';
import { type SchemaRegistry, checkConfiguration, configurationError } from '../schema/index.ts';
import { storedPosition } from './compile/values/position-value.ts';
import type { Executor } from './read/executor.ts';
import { type ReadSource, RelationalRead } from './read/relational-read.ts';
import { SourceDescription } from './read/source-description.ts';

/** The options of every adapter's sources. */
export interface AdapterSourceOptions {
  /**
   * Whether a `one` relation of the registry to columns that are not declared unique is refused, by name. Default
   * `false`: it is read as its first row by the primary key.
   */
  readonly strict?: boolean | undefined;
}

/** Options of `relationalSource`. */
export interface RelationalSourceOptions<E extends Executor, Customize> extends ReadSource<
  E,
  Customize
> {
  /** Name of the model whose rows are listed. */
  readonly model: string;
}

const optionTable = {
  model: option.required(option.string),
  describe: option.required({
    expected: 'a SourceDescription',
    fits: (value) => value instanceof SourceDescription,
  }),
  execute: option.required(option.withMethods('an executor', 'run', 'transaction')),
  customized: option.func,
  loadPage: option.func,
} satisfies OptionTableOf<RelationalSourceOptions<Executor, unknown>>;

/** A source with the parts that its checks need. */
export interface RelationalSource<
  Row,
  Customize,
  E extends Executor = Executor,
  Listed = unknown,
> extends QuerySource<Row, Customize, Listed> {
  /** Database family of the source. */
  readonly family: DatabaseFamily;
  /** Registry of the models that the source can reach. */
  readonly registry: SchemaRegistry;
  /** Storage of the models, shared by the sources of one registry. */
  readonly describe: SourceDescription;
  /** Runs the statements of this source. */
  readonly execute: E;
}

/**
 * Creates a source over described tables. This is cheap, because the description caches compiled statements: a source
 * may be made per request, on a transaction for example.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when an option is unknown or has a wrong type, or the registry of the
 * description does not have the model
 */
export function relationalSource<Row, Customize, E extends Executor, Listed = unknown>(
  options: RelationalSourceOptions<E, Customize>,
): RelationalSource<Row, Customize, E, Listed> {
  checkConfiguration('relationalSource', options, optionTable);
  const { model, describe, execute } = options;
  const { dialect, registry } = describe.context;
  if (!registry.has(model)) {
    throw configurationError(`The registry has no schema for model "${model}"; add it.`, { model });
  }
  return {
    model,
    family: dialect.family,
    registry,
    origin: describe.origin,
    servesScopes: true,
    usesBasicSignal: true,
    describe,
    execute,
    storedPosition: (term, _rules, isMarked) => storedPosition(describe.context, term, isMarked),
    prepare: (plan, rules, readOptions) => {
      describe.assertRules(rules);
      return new RelationalRead<E, Row, Customize>(options, plan, readOptions, undefined, rules);
    },
  };
}
