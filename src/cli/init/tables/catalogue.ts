/** Tables that a database tells, for connections without an ORM: read with the driver of the project. */

import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type SqlConnection,
  type SqlTable,
  introspect,
  nodeSqlite,
} from '../../../adapters/sql/index.ts';
import { executorOf } from '../../../adapters/sql/executors/recognise.ts';
import { isRecord } from '../../../lib/index.ts';
import { familyTools } from '../../../relational/tools/index.ts';
import { UsageError } from '../../command.ts';
import type { Project } from '../project.ts';
import { type FoundTable, allowedParts } from './table.ts';

interface Opened {
  readonly connection: SqlConnection;
  close(): unknown;
}

type Loaded = Readonly<Record<string, unknown>>;
type Class = new (
  argument: unknown,
  options?: unknown,
) => {
  end?(): unknown;
  close?(): unknown;
};

/** How a driver opens the database of a URL. */
interface DriverRow {
  readonly scheme: RegExp;
  /** The package, or a module of Node.js. */
  readonly name: string;
  open(loaded: Loaded, url: string): unknown;
}

const filed = (url: string): string =>
  url.replace(/^(sqlite|file):/, '').replace(/^\/\/(?=\/)/, '');

const drivers: readonly DriverRow[] = [
  {
    scheme: /^postgres(ql)?:/,
    name: 'pg',
    open: ({ Pool }, url) => new (Pool as Class)({ connectionString: url, max: 1 }),
  },
  {
    scheme: /^(mysql|mariadb):/,
    name: 'mysql2/promise',
    open: ({ createPool }, url) =>
      (createPool as (url: string) => unknown)(url.replace(/^mariadb:/, 'mysql:')),
  },
  {
    scheme: /^(sqlite|file):/,
    name: 'better-sqlite3',
    open: ({ default: Database }, url) =>
      new (Database as Class)(filed(url), { fileMustExist: true }),
  },
  {
    scheme: /^(sqlite|file):/,
    name: 'node:sqlite',
    open: ({ DatabaseSync }, url) => new (DatabaseSync as Class)(filed(url), { readOnly: true }),
  },
];

/**
 * The tables of the database of a URL.
 *
 * @throws {UsageError} when the URL is not one of a database, or the project has no driver for it
 */
export async function catalogueTables(
  project: Project,
  url: string,
): Promise<readonly FoundTable[]> {
  const { connection, close } = await open(project, url);
  try {
    const registry = await introspect(connection);
    const executor = executorOf(connection, { namedStatements: false });
    const catalogue = await familyTools[executor.family].readCatalogue(executor, null, []);
    const listed = Object.entries(registry.tables).map(([model, table]): FoundTable => {
      const schema = registry.get(model);
      const columns = (schema?.fields ?? []).map(({ path: at, kind, nullable, internal }) => ({
        path: at,
        kind,
        nullable,
        hidden: internal === true,
      }));
      const indexes = catalogue.find(({ name }) => name === table.table)?.indexes ?? [];
      const indexed = indexes.flatMap(({ columns: [first] }) =>
        columns.map(({ path: at }) => at).filter((at) => columnName(table, at) === first),
      );
      const found: FoundTable = {
        model,
        name: table.table,
        columns,
        key: schema?.primaryKey ?? [],
        indexed: new Set(indexed),
        family: executor.family,
      };
      return { ...found, literal: declarationOf(table, allowedParts(found).fields) };
    });
    const { family } = executor;
    const reasons = new Map(
      registry.skipped
        .filter(({ column, foreignKey }) => column === undefined && foreignKey === undefined)
        .map(({ table, reason }) => [table, reason]),
    );
    for (const { name } of catalogue) {
      if (reasons.has(name) || listed.some((each) => each.name === name)) continue;
      reasons.set(name, 'it joins two tables, whose lists have relations through it');
    }
    const unlisted = [...reasons].map(([name, reason]): FoundTable => ({
      model: name,
      name,
      columns: [],
      key: [],
      indexed: new Set(),
      family,
      unlisted: reason,
    }));
    return [...listed, ...unlisted];
  } finally {
    await close();
  }
}

async function open(project: Project, url: string): Promise<Opened> {
  const rows = drivers.filter(({ scheme }) => scheme.test(url));
  if (rows.length === 0) {
    throw new UsageError('--database must be a URL: postgresql://..., mysql://..., sqlite:<file>.');
  }
  for (const row of rows) {
    const loaded = await load(project, row.name);
    if (!loaded) continue;
    const connection = row.open(loaded, url);
    const { end, close } = connection as InstanceType<Class>;
    return {
      connection: (row.name === 'node:sqlite'
        ? nodeSqlite(connection as Parameters<typeof nodeSqlite>[0])
        : connection) as SqlConnection,
      close: () => (end ?? close)?.call(connection),
    };
  }
  const names = rows.map(({ name }) => name.replace('/promise', '')).join(' or ');
  throw new UsageError(`the project has no driver of this database: npm install ${names}.`);
}

/** A module as the project would load it. */
async function load(project: Project, name: string): Promise<Loaded | undefined> {
  try {
    const file = createRequire(path.join(project.root, 'package.json')).resolve(name);
    const loaded: unknown = await import(
      name.startsWith('node:') ? name : pathToFileURL(file).href
    );
    if (!isRecord(loaded)) return undefined;
    const { default: inner } = loaded;
    return isRecord(inner) ? { ...inner, ...loaded } : loaded;
  } catch {
    return undefined;
  }
}

const columnOf = (table: SqlTable, at: string) => {
  const column = table.columns[at];
  return typeof column === 'string' ? { type: column } : column;
};

const columnName = (table: SqlTable, at: string): string => columnOf(table, at)?.column ?? at;

/** The declaration of a table, with its key and the columns that a list shows. */
function declarationOf(table: SqlTable, shown: readonly string[]): object {
  const key = listOf(table.primaryKey);
  const columns = Object.entries(table.columns)
    .filter(([at]) => shown.includes(at) || key.includes(at))
    .map(([at, column]) => {
      const isBare = typeof column !== 'string' && Object.keys(column).length === 1;
      return [at, isBare ? column.type : column] as const;
    });
  return {
    table: table.table,
    ...(table.schema !== undefined && { schema: table.schema }),
    primaryKey: key.length === 1 ? key[0] : key,
    columns: Object.fromEntries(columns),
  };
}

const listOf = (paths: SqlTable['primaryKey']): readonly string[] =>
  typeof paths === 'string' ? [paths] : paths;
