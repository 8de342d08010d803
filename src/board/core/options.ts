/** Options that every board takes, whatever its engine. */

/** Where a board reports what it does not tell its clients. `console` is one. */
export interface BoardLogger {
  error(message: string, details?: unknown): void;
  warn(message: string, details?: unknown): void;
}
