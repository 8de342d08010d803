/** The connections that a host may pass, without the types of `pg`, which hosts of the other engine do not install. */

/** Settings of `pg` for a pool owned by the board. */
export interface PgConnectionSettings {
  readonly connectionString?: string | undefined;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly user?: string | undefined;
  readonly password?: string | (() => string | Promise<string>) | undefined;
  readonly database?: string | undefined;
  readonly ssl?: boolean | object | undefined;
  readonly application_name?: string | undefined;
  readonly connectionTimeoutMillis?: number | undefined;
  readonly idleTimeoutMillis?: number | undefined;
  readonly keepAlive?: boolean | undefined;
}

/** A `Pool` of `pg`. */
export interface PgPool {
  readonly totalCount: number;
  connect(): Promise<unknown>;
  query(text: string): Promise<unknown>;
}

/** A connection string, pool settings, or a pool of the host. */
export type PgConnection = string | PgConnectionSettings | PgPool;
