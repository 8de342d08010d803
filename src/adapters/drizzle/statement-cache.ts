/** Caches prepared statements per session, shared by all sources of a registry and its tables. */

import type { SchemaRegistry } from '../../schema/index.ts';
import {
  type SourceDescription,
  StatementNames,
  type StatementText,
} from '../../relational/index.ts';
import { type DrizzleHandle, type PreparedStatement, prepareIn } from './session.ts';

interface Usage {
  name: string | undefined;
  /** The session that ran the statement last, and the statement prepared there. */
  session: object | undefined;
  prepared: PreparedStatement | undefined;
}

/** A description with the prepared statements of its sources. */
export class StatementCache {
  readonly describe: SourceDescription;
  readonly #usage = new WeakMap<StatementText, Usage>();
  readonly #names: StatementNames | undefined;

  constructor(describe: SourceDescription, namedStatements: boolean) {
    this.describe = describe;
    const isNamed = namedStatements && describe.context.dialect.namedStatements;
    this.#names = isNamed ? new StatementNames(250) : undefined;
  }

  /** The statement prepared in the handle's session. */
  prepared(handle: DrizzleHandle, statement: StatementText): PreparedStatement {
    let usage = this.#usage.get(statement);
    if (!usage) {
      usage = { name: undefined, session: undefined, prepared: undefined };
      this.#usage.set(statement, usage);
    }
    const name = usage.name ?? this.#names?.nameFor(statement);
    const isPrepared = usage.session === handle.session && usage.name === name;
    if (usage.prepared && isPrepared) return usage.prepared;
    usage.name = name;
    const { family } = this.describe.context.dialect;
    const { text, slots } = statement;
    usage.prepared = prepareIn(handle, family, text, slots.length, name);
    usage.session = handle.session;
    return usage.prepared;
  }
}

const caches = new WeakMap<
  SchemaRegistry,
  { readonly tables: object; readonly cache: StatementCache }[]
>();

/** The cache of a registry and its tables; sources made per request share it. */
export function statementCache(
  registry: SchemaRegistry,
  tables: { readonly [model: string]: object },
  variant: string,
  make: () => StatementCache,
): StatementCache {
  let entries = caches.get(registry);
  if (!entries) {
    entries = [];
    caches.set(registry, entries);
  }
  const found = entries.find((entry) => sameTables(entry.tables, { ...tables, variant }));
  if (found) return found.cache;
  const cache = make();
  entries.push({ tables: { ...tables, variant }, cache });
  // Limits the entries of a host that creates tables per request.
  if (entries.length > 20) entries.shift();
  return cache;
}

function sameTables(left: object, right: object): boolean {
  const a = left as { readonly [key: string]: unknown };
  const b = right as { readonly [key: string]: unknown };
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}
