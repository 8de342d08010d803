/** The part of pg-boss that the board uses, common to all supported versions. */

/** Executes the SQL of pg-boss. */
export interface PgBossDatabase {
  /** Most drivers tell the number of rows that a statement has changed. */
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[]; rowCount?: unknown }>;
}

/** Runs the statements of a method in a transaction of the caller. */
export interface PgBossTransaction {
  readonly db: PgBossDatabase;
}

type Command = (name: string, ids: string[], options: PgBossTransaction) => Promise<unknown>;

/** A `PgBoss`, started or not. Methods missing in a version are absent. */
export interface PgBossInstance {
  getDb(): PgBossDatabase;
  send?(name: string, data: object | null, options: object): Promise<string | null>;
  retry?: Command;
  cancel?: Command;
  resume?: Command;
  deleteJob?: Command;
  deleteQueuedJobs?(name: string): Promise<unknown>;
  deleteStoredJobs?(name: string): Promise<unknown>;
  schedule?(name: string, expression: string, data: object | null, options: object): Promise<void>;
  unschedule?(name: string, key: string): Promise<void>;
  /** Since 12.31. */
  previewSchedule?(expression: string, options: { tz?: string; count?: number }): Date[];
}

/** Settings of an instance that is never started. */
interface PgBossWriterOptions {
  readonly db: PgBossDatabase;
  readonly schema: string;
  readonly migrate: false;
  readonly supervise: false;
  readonly schedule: false;
  readonly createSchema: false;
}

/** The module `pg-boss`. */
export interface PgBossLibrary {
  PgBoss: new (options: PgBossWriterOptions) => PgBossInstance;
  getConstructionPlans(schema?: string): string;
}

/** The schema version of a library; `null` when it is unknown. */
export function schemaVersionOf(library: PgBossLibrary): number | null {
  try {
    const plans = library.getConstructionPlans('probe');
    const version = /insert\s+into\s+probe\.version\s*\(version\)\s*values\s*\('?(\d+)/i.exec(
      plans,
    );
    return version ? Number(version[1]) : null;
  } catch {
    return null;
  }
}
