/** Records every statement that this process sends to PostgreSQL through the driver. */

import pg from 'pg';

/** A statement and the name of its connection. */
export interface Statement {
  readonly application: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Statements since the start of the recording. */
export interface Recording {
  readonly statements: readonly Statement[];
  /** Returns the statements of the board's connections without those that timers send, and clears the record. */
  take(): Statement[];
  stop(): void;
}

/** The driver method that every statement passes through. */
interface Spied {
  query(...args: unknown[]): unknown;
  readonly connectionParameters: { readonly application_name?: string };
}

function valuesOf([query, values]: readonly unknown[]): readonly unknown[] {
  if (Array.isArray(values)) return values;
  const own = typeof query === 'object' && query !== null && 'values' in query && query.values;
  return Array.isArray(own) ? own : [];
}

/**
 * A pool asks once, after its first ten statements, whether a pooler stands before the server; a board asks every three
 * seconds for bulk runs that no instance holds.
 */
const isProbe = ({ text }: Statement): boolean => text.includes('pg_backend_pid') || isOfRuns(text);

/** Whether a statement asks for the table of bulk runs, or for runs that no instance holds. */
export const isOfRuns = (text: string): boolean =>
  text.includes('held.oid is not null as found') ||
  /select id, queue_name from \S+ where state = 'running' and held_until </.test(text);

function textOf(query: unknown): string {
  if (typeof query === 'string') return query;
  if (typeof query === 'object' && query !== null && 'text' in query) return String(query.text);
  return '';
}

/** Starts recording. The driver continues to work as before. */
export function recordStatements(application = 'sluice-board'): Recording {
  const statements: Statement[] = [];
  const client = pg.Client.prototype as unknown as Spied;
  const original = client.query;
  client.query = function query(this: Spied, ...args: unknown[]): unknown {
    statements.push({
      application: this.connectionParameters.application_name ?? '',
      text: textOf(args[0]),
      values: valuesOf(args),
    });
    return original.apply(this, args);
  };
  return {
    statements,
    take() {
      return statements
        .splice(0)
        .filter((statement) => statement.application === application && !isProbe(statement));
    },
    stop() {
      client.query = original;
    },
  };
}
