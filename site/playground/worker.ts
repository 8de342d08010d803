/**
 * Sluice and the database in a worker, so that statements which never end do not stop the page: takes states, and sends
 * what the page shows of them. Answers are JSON, as a server sends them.
 */

import JSON5 from 'json5';
import type { Database } from 'sql.js';
import type { Collect } from '../../demo/explain.ts';
import { explain } from '../../demo/explain.ts';
import { describeEndpoint } from '../../demo/meta.ts';
import type { Statement } from '../../demo/statements.ts';
import { introspect, sqlSource } from '../../src/adapters/sql/index.ts';
import { defineQueryRules } from '../../src/index.ts';
import type { Part, Reply } from './answers.ts';
import { connectionTo, loadSqlite, openDatabase } from './sqlite.ts';
import type { State, World } from './state.ts';

/** The statements of the request that runs. */
let running: Statement[] | undefined;

const collect: Collect = async (statements, task) => {
  running = statements;
  try {
    return await task();
  } finally {
    running = undefined;
  }
};

/** A failure in a part of a state. */
class PartError extends Error {
  readonly part: Part;
  constructor(part: Part, error: unknown) {
    super(error instanceof Error ? error.message : String(error));
    this.part = part;
  }
}

async function within<Result>(part: Part, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new PartError(part, error);
  }
}

/** The lists of the texts, over a database of their own. */
async function listsOf({ tables, rules }: World, database: Database) {
  const connection = connectionTo(database, (statement) => running?.push(statement));
  const registry = await within('tables', async () => {
    database.run(tables);
    return introspect(connection);
  });
  const { tables: models, skipped } = registry;
  const lists = await within('rules', async () => {
    const declared: unknown = JSON5.parse(rules);
    if (typeof declared !== 'object' || declared === null || Array.isArray(declared)) {
      throw new TypeError('They must be an object with the rules of each model by its name.');
    }
    if (Object.keys(declared).length === 0) {
      throw new TypeError(`They have no model; the tables have ${Object.keys(models).join(', ')}.`);
    }
    return Object.entries(declared).map(([list, declaration]) => {
      const compiled = defineQueryRules(registry, list, declaration as never);
      const source = sqlSource({ connection, registry, tables: models, model: list });
      const meta = { database: 'sqlite', list, ...describeEndpoint(compiled) };
      return { list, meta, path: `/${list}`, rules: compiled, source };
    });
  });
  return { lists, skipped };
}

/** The texts that were compiled last. */
let kept:
  | (Awaited<ReturnType<typeof listsOf>> & World & { readonly database: Database })
  | undefined;

async function compiled({ tables, rules }: World) {
  if (kept?.tables === tables && kept.rules === rules) return kept;
  kept?.database.close();
  kept = undefined;
  const database = await openDatabase();
  try {
    return (kept = { ...(await listsOf({ tables, rules }, database)), tables, rules, database });
  } catch (error) {
    database.close();
    throw error;
  }
}

async function replyTo({ list, query, ...world }: State): Promise<Reply> {
  try {
    const { lists, skipped } = await compiled(world);
    const metas = lists.map(({ meta }) => meta);
    const chosen = lists.find((each) => each.list === list) ?? lists[0];
    if (!chosen) return { lists: metas, skipped };
    const explanation = await within('request', () => explain(chosen, query, collect));
    return { lists: metas, skipped, list: chosen.list, explanation };
  } catch (error) {
    const { part, message } = error instanceof PartError ? error : new PartError('database', error);
    return { problem: { part, message } };
  }
}

addEventListener('message', async ({ data }: MessageEvent<State>) => {
  postMessage(JSON.stringify(await replyTo(data)));
});

// The page measures the time of an answer from here on: a slow network does not count.
await loadSqlite().catch(() => undefined);
postMessage('ready');
