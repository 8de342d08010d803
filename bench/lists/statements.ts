/** Counts the statements that reach a driver while something runs. */

import Database from 'better-sqlite3';
import { createRequire } from 'node:module';
import pg from 'pg';

type Method = (this: unknown, ...parameters: unknown[]) => unknown;

interface Spot {
  readonly holder: object;
  readonly name: string;
}

/** The methods through which the three drivers receive a statement. */
function spots(): Spot[] {
  const db = new Database(':memory:');
  const sqlite: unknown = Object.getPrototypeOf(db.prepare('select 1'));
  db.close();
  const mysql: unknown = createRequire(import.meta.url)('mysql2');
  const found: Spot[] = [{ holder: pg.Client.prototype, name: 'query' }];
  if (typeof sqlite === 'object' && sqlite !== null) {
    for (const name of ['all', 'get', 'run', 'iterate']) found.push({ holder: sqlite, name });
  }
  if (typeof mysql === 'object' && mysql !== null && 'Connection' in mysql) {
    const { prototype } = mysql.Connection as { prototype: object };
    for (const name of ['query', 'execute']) found.push({ holder: prototype, name });
  }
  return found;
}

/** Runs `work` and returns the number of statements that the drivers received meanwhile. */
export async function countStatements(work: () => unknown): Promise<number> {
  let counted = 0;
  const restore: (() => void)[] = [];
  for (const { holder, name } of spots()) {
    const own = Object.getOwnPropertyDescriptor(holder, name);
    const original: Method = Reflect.get(holder, name);
    const counting: Method = function counting(...parameters) {
      counted += 1;
      return original.apply(this, parameters);
    };
    Object.defineProperty(holder, name, { value: counting, configurable: true, writable: true });
    restore.push(() => {
      if (own === undefined) Reflect.deleteProperty(holder, name);
      else Object.defineProperty(holder, name, own);
    });
  }
  try {
    await work();
  } finally {
    for (const undo of restore) undo();
  }
  return counted;
}
