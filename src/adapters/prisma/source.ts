/** `prismaSource`: a source of rows from a Prisma client and a model. */

import * as option from '../../lib/option-rows.ts';
import type { OptionTableOf } from '../../lib/index.ts';
import {
  type RegistryShape,
  type SchemaRegistry,
  checkConfiguration,
  configurationError,
} from '../../schema/index.ts';
import {
  type AdapterSourceOptions,
  RelationalRead,
  type RelationalSource,
  families,
  storedPosition,
} from '../../relational/index.ts';
import type { PrismaClientLike } from './client.ts';
import { runtimeDataModelOf } from './foreign.ts';
import { checkVersion, defaultSchemaOf, delegateOf, familyOf, isTransaction } from './client.ts';
import { modelNamed } from './describe/client-model.ts';
import { prismaContext, prismaOrigin } from './context.ts';
import type { PrismaCustomize } from './customize.ts';
import { planWithoutEnumPatterns } from './describe/enum-patterns.ts';
import { PrismaExecutor } from './executor.ts';
import { PrismaRead } from './read.ts';
import { assertNoQueryExtensions, hasQueryExtensions } from './query-extensions.ts';
import { assertQuoted } from './describe/quoted-names.ts';
import { descriptionOf } from './describe/registry.ts';
import { checkReplicas } from './replicas.ts';
import { isRewritten } from './describe/rewritten-fields.ts';
import type { PrismaRow } from './describe/row-type.ts';

/** Options of `prismaSource`. */
export interface PrismaSourceOptions<
  Client extends PrismaClientLike,
  Model extends string,
  Shape extends RegistryShape = RegistryShape,
> extends AdapterSourceOptions {
  /** A generated client, extended or not, or the client of an interactive transaction. */
  readonly client: Client;
  /** The registry that `sluice-prisma` wrote, or one declared by hand with the client's field names. */
  readonly registry: SchemaRegistry<Shape>;
  /** The model whose rows are listed, by its name in the client: `user` for `prisma.user`. */
  readonly model: Model;
  /** The generated registry that describes tables and columns. Default: `registry` itself. */
  readonly describedBy?: SchemaRegistry | undefined;
  /**
   * On PostgreSQL, the schema of the tables without `@@schema`. Default: the driver adapter's option, else `public`, as
   * for the client itself.
   */
  readonly schema?: string | undefined;
  /**
   * Whether requests that are answered in SQL may bypass the query extensions of the client, as for extensions that log
   * or measure. Default `false`: a client with a query extension on `findMany` or `count` of the model is refused.
   */
  readonly bypassQueryExtensions?: boolean | undefined;
}

const optionTable = {
  client: option.required(option.anything),
  registry: option.required(option.withMethods('a schema registry', 'get', 'has')),
  model: option.required(option.string),
  describedBy: option.withMethods('a schema registry', 'get', 'has'),
  schema: option.string,
  bypassQueryExtensions: option.boolean,
  strict: option.boolean,
} satisfies OptionTableOf<PrismaSourceOptions<PrismaClientLike, string>>;

/** A source on a Prisma client. */
export type PrismaSource<Row, Customize, Model = unknown> = RelationalSource<
  Row,
  Customize,
  PrismaExecutor,
  Model
>;

/** The names of a client's models: the properties that are not its own methods. */
type ModelNames<Client> = Exclude<Extract<keyof Client, string>, `$${string}`>;

/**
 * Creates a source on a Prisma client. This is cheap, because everything derived is cached per registry: a source may
 * be made per request, on a transaction for example. On the client of an interactive transaction every statement runs
 * in that transaction, one after the other.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when client, registry and description do not fit, or the client has
 * a query extension on the model and `bypassQueryExtensions` is not set
 */
export function prismaSource<
  Client extends PrismaClientLike,
  const Model extends ModelNames<Client>,
  Shape extends RegistryShape,
>(
  options: PrismaSourceOptions<Client, Model, Shape>,
): PrismaSource<PrismaRow<Client, Model, Shape>, PrismaCustomize<Client, Model>, Model> {
  type Row = PrismaRow<Client, Model, Shape>;
  checkConfiguration('prismaSource', options, optionTable);
  const { client, registry, model, describedBy = registry } = options;
  const description = descriptionOf(describedBy);
  if (!description) {
    throw configurationError(
      'The registry does not describe tables; pass the registry that sluice-prisma wrote, either as registry or as describedBy.',
    );
  }
  checkVersion(client);
  const family = familyOf(client, description);
  delegateOf(client, model);
  checkReplicas(client, model);
  const isExtended = options.bypassQueryExtensions === true && hasQueryExtensions(client, model);
  if (options.bypassQueryExtensions !== true) assertNoQueryExtensions(client, model);
  const defaultSchema = options.schema ?? defaultSchemaOf(client, family);
  const context = prismaContext(family, registry, description, defaultSchema);
  modelNamed(context.models, model);
  const { describe } = context;
  describe.assertStrict(options.strict);
  const execute = new PrismaExecutor(client, families[family].pooled && !isTransaction(client));
  const statements = { describe, execute };
  return {
    model,
    family,
    registry,
    describe,
    execute,
    origin: prismaOrigin(description, family, runtimeDataModelOf(client)),
    servesScopes: true,
    usesBasicSignal: true,
    storedPosition: (term, _rules, isMarked) => storedPosition(describe.context, term, isMarked),
    assertRules: (rules) => {
      if (isExtended) assertQuoted(context, model, [...rules.root.allowed]);
    },
    prepare: (plan, rules, readOptions) => {
      describe.assertRules(rules);
      const said = planWithoutEnumPatterns(plan);
      // The client reads rows only where the host has added to what it returns.
      if (isExtended || readOptions.customize || isRewritten(client, said.projection)) {
        return new PrismaRead<Row>(execute, context, said, readOptions, isExtended);
      }
      return new RelationalRead(statements, said, readOptions, undefined, rules);
    },
  };
}
