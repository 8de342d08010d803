/** Names of databases as people write them. */

const names: Readonly<Record<string, string>> = { pg: 'PostgreSQL', sqlite: 'SQLite' };

export const databaseName = (database: string): string => names[database] ?? database;
