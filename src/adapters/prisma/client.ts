/** The part of a generated Prisma client that Sluice uses, and the facts that it reads from a client. */

import { isAtLeast, tooOld } from '../../lib/index.ts';
import type { DatabaseFamily } from '../../rules/index.ts';
import { between, familyNamed, savepoint } from '../../relational/index.ts';
import { configurationError } from '../../schema/index.ts';
import type { PrismaDescription } from './describe/description.ts';
import { clientBehaviour } from './client-behaviour.ts';
import { adapterSchemaOf, providerOf, versionOf } from './foreign.ts';
import { providers } from './describe/providers.ts';

/** Arguments of a delegate's method. */
export interface PrismaArgs {
  readonly [argument: string]: unknown;
}

export interface ClientRow {
  readonly [field: string]: unknown;
}

/** A model of the client. */
export interface Delegate {
  findMany(args: PrismaArgs): PromiseLike<ClientRow[]>;
  count(args: PrismaArgs): PromiseLike<number>;
}

/** A generated client, extended or not, or the client of an interactive transaction. */
export interface PrismaClientLike {
  /** Runs a statement with values and resolves to its rows. */
  $queryRawUnsafe(query: string, ...values: unknown[]): PromiseLike<unknown>;
}

/** The oldest client whose answers are known to be exact. */
const oldestClient = '6.19.0';

/** @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the client is older than the versions that Sluice knows */
export function checkVersion(client: object): void {
  const version = versionOf(client);
  if (version !== undefined && !isAtLeast(version, oldestClient)) {
    throw configurationError(tooOld('sluice/prisma', '@prisma/client', oldestClient, version));
  }
}

/** The family of a provider of the client, or of a driver adapter. */
export function familyNamedBy(provider: string): DatabaseFamily | undefined {
  return familyNamed(providers, provider);
}

/**
 * The family of a description. The client's own provider must agree with it: otherwise the SQL of one family would run
 * on another.
 */
export function familyOf(client: object, { provider }: PrismaDescription): DatabaseFamily {
  const family = familyNamedBy(provider);
  if (!family) {
    throw configurationError(`Prisma's provider ${provider} has no database family in Sluice.`);
  }
  const active = providerOf(client);
  if (active !== undefined && familyNamedBy(active) !== family) {
    throw configurationError(
      `The registry was generated for ${provider}, the client for ${active}; generate both from one schema.`,
    );
  }
  return family;
}

/**
 * The schema of the tables without `@@schema`, which Prisma writes into every statement on PostgreSQL: the driver
 * adapter's option, else `public`.
 */
export function defaultSchemaOf(client: object, family: DatabaseFamily): string | undefined {
  const { defaultSchema } = clientBehaviour[family];
  if (defaultSchema === undefined) return undefined;
  return adapterSchemaOf(client) ?? defaultSchema;
}

/** Whether the client belongs to an interactive transaction, which cannot connect. */
export function isTransaction(client: object): boolean {
  return typeof (client as { readonly $connect?: unknown }).$connect !== 'function';
}

/**
 * The delegate of a model.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the client has none
 */
export function delegateOf(client: object, model: string): Delegate {
  const delegate = (client as { readonly [model: string]: Partial<Delegate> | undefined })[model];
  if (typeof delegate?.findMany !== 'function' || typeof delegate.count !== 'function') {
    throw configurationError(
      `The Prisma client has no model "${model}"; generate client and registry from one schema.`,
      { model },
    );
  }
  return delegate as Delegate;
}

/** Options of an interactive transaction. */
interface TransactionOptions {
  /** Milliseconds to wait for a connection. */
  readonly maxWait: number;
  /** Milliseconds that the transaction may take. */
  readonly timeout: number;
}

interface Transactional {
  $transaction?(
    this: object,
    body: (transaction: PrismaClientLike) => Promise<unknown>,
    options: TransactionOptions | undefined,
  ): Promise<never>;
}

/** Runs the body in an interactive transaction of the client, or in the caller's where the client belongs to one. */
export async function inTransaction<T>(
  client: PrismaClientLike,
  body: (transaction: PrismaClientLike) => Promise<T>,
  options: TransactionOptions,
): Promise<T> {
  const { $transaction } = client as PrismaClientLike & Transactional;
  // Before Prisma 7, the client of a transaction has no `$transaction`.
  if (typeof $transaction !== 'function') return inSavepoint(client, body);
  return $transaction.call(client, body, isTransaction(client) ? undefined : options);
}

interface Executing {
  $executeRawUnsafe(statement: string): PromiseLike<unknown>;
}

/** Runs the body in a savepoint, whose failure undoes the settings of the body too. */
function inSavepoint<T>(
  client: PrismaClientLike,
  body: (transaction: PrismaClientLike) => Promise<T>,
): Promise<T> {
  const run = (statement: string) =>
    (client as PrismaClientLike & Executing).$executeRawUnsafe(statement);
  return between(run, savepoint, () => body(client));
}
