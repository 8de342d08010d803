/** Caches prepared statements per session, shared by all sources of a registry and its tables. */

import type { SchemaRegistry } from '../../schema/index.ts';
import type { SourceDescription, StatementText } from '../../relational/index.ts';
import { type DrizzleHandle, type PreparedStatement, prepareIn } from './session.ts';

/** Number of runs before a statement gets a name; named statements occupy memory in every connection of the server. */
const runsBeforeName = 3;
/** Largest number of names per source; further statements run unnamed. */
const maxNames = 250;

interface Usage {
  runs: number;
  name: string | undefined;
  /** The session that ran the statement last, and the statement prepared there. */
  session: object | undefined;
  prepared: PreparedStatement | undefined;
}

let nextName = 0;

/** A description with the prepared statements of its sources. */
export class StatementCache {
  readonly describe: SourceDescription;
  readonly #usage = new WeakMap<StatementText, Usage>();
  readonly #named: boolean;
  #names = 0;

  constructor(describe: SourceDescription, namedStatements: boolean) {
    this.describe = describe;
    this.#named = namedStatements && describe.context.dialect.namedStatements;
  }

  /** The statement prepared in the handle's session. */
  prepared(handle: DrizzleHandle, statement: StatementText): PreparedStatement {
    let usage = this.#usage.get(statement);
    if (!usage) {
      usage = { runs: 0, name: undefined, session: undefined, prepared: undefined };
      this.#usage.set(statement, usage);
    }
    usage.runs += 1;
    if (usage.runs === runsBeforeName + 1 && this.#named && isNameable(statement, this.#names)) {
      this.#names += 1;
      nextName += 1;
      usage.name = `sluice_${nextName}`;
      usage.prepared = undefined;
    }
    if (usage.prepared && usage.session === handle.session) return usage.prepared;
    const { family } = this.describe.context.dialect;
    const { text, slots } = statement;
    usage.prepared = prepareIn(handle, family, text, slots.length, usage.name);
    usage.session = handle.session;
    return usage.prepared;
  }
}

/**
 * The server eventually uses one plan for all values of a named statement, so the best plan must not depend on them.
 */
function isNameable({ slots }: StatementText, names: number): boolean {
  return names < maxNames && !slots.some((slot) => slot.steersPlan);
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
