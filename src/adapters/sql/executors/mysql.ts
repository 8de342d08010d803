/** Runs statements on `mysql2`: a pool or a connection, with promises or with callbacks. */

import {
  type MysqlSettings,
  type Rows,
  type StatementText,
  between,
  families,
  mysqlCore,
  mysqlSettings,
  ownTransaction,
  savepoint,
} from '../../../relational/index.ts';
import type { SqlExecutor } from './executor.ts';

/** A pool or a connection, with promises or with callbacks. */
export interface MysqlHandle {
  query(...given: never[]): unknown;
  execute(...given: never[]): unknown;
}

/** A connection with promises. */
interface Connection {
  query(options: MysqlQuery): Promise<[unknown, unknown]>;
}

/** A pool with promises. */
interface Pool {
  query(options: MysqlQuery): Promise<[unknown, unknown]>;
  getConnection(): Promise<Connection & { release(): void }>;
  readonly pool: object;
}

interface MysqlQuery {
  readonly sql: string;
  readonly values?: unknown[];
  readonly rowsAsArray?: boolean;
}

/** Reads one value of a row that the driver would not read exactly. */
type TypeCast = (
  field: { readonly type: string; string(): string | null },
  next: () => unknown,
) => unknown;

/** Overrides the settings of the connection: rows are lists, and instants, decimals and large integers are texts. */
const exact = {
  rowsAsArray: true,
  nestTables: false,
  dateStrings: true,
  supportBigNumbers: true,
  bigNumberStrings: true,
  namedPlaceholders: false,
} as const;

const textTypes = new Set(['DECIMAL', 'NEWDECIMAL', 'DATE', 'DATETIME', 'TIMESTAMP', 'LONGLONG']);
const castTexts: TypeCast = (field, next) => (textTypes.has(field.type) ? field.string() : next());

/**
 * Options of a query that make every value exact, on connections with these settings. Some of them only a cast per value
 * overrides, which makes reading slower.
 */
export function exactQuery(settings: MysqlSettings): object {
  const { typeCast, decimalNumbers } = settings;
  const isCast = typeof typeCast === 'function' || decimalNumbers === true;
  return isCast ? { ...exact, typeCast: castTexts } : exact;
}

/** An executor on a pool or a connection. */
export function mysqlExecutor(handle: MysqlHandle): SqlExecutor {
  const given = handle as unknown as { promise?(): Pool | Connection };
  return executorOn(given.promise?.() ?? (handle as unknown as Pool | Connection));
}

function executorOn(target: Pool | Connection): SqlExecutor {
  const isPool = 'getConnection' in target;
  const core = isPool ? target.pool : mysqlCore(target);
  const options = exactQuery(mysqlSettings(core));
  const stoppable = families.mysql.timeLimit.stoppable(target);
  return {
    family: 'mysql',
    concurrent: isPool,
    stops: stoppable !== undefined,
    server: core,
    run: async ({ text }: StatementText, values, stop) => {
      const query = { ...options, sql: text, values: families.mysql.textValues(values) };
      const on = async (connection: object) => {
        const [rows] = await (connection as Pool | Connection).query(query);
        return rows as Rows;
      };
      return stop && stoppable ? stoppable(stop, () => text, on) : on(target);
    },
    transaction: async (body) => {
      if (!isPool) return inBounds(target, () => body(executorOn(target)));
      const connection = await target.getConnection();
      try {
        return await inBounds(connection, () => body(executorOn(connection)));
      } finally {
        connection.release();
      }
    },
  };
}

/** Status flag of a server's response: the session is in a transaction. */
const inTransaction = 1;

async function inBounds<T>(connection: Connection, body: () => Promise<T>): Promise<T> {
  const [header] = await connection.query({ sql: 'do 0' });
  const { serverStatus = 0 } = header as { readonly serverStatus?: number };
  const nested = (serverStatus & inTransaction) !== 0;
  return between((sql) => connection.query({ sql }), nested ? savepoint : ownTransaction, body);
}
