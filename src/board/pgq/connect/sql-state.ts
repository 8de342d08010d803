/** Reads the driver's own facts out of an error, however often it was wrapped. */

/** The errors an error was made of, outermost first. */
function causes(error: unknown): readonly Error[] {
  const found: Error[] = [];
  let current = error;
  while (current instanceof Error && found.length < 8) {
    found.push(current);
    current = current.cause;
  }
  return found;
}

/** The SQLSTATE or the system's code of the error; `undefined` where there is none. */
export function sqlState(error: unknown): string | undefined {
  for (const cause of causes(error)) {
    const { code } = cause as { code?: unknown };
    if (typeof code === 'string' && /^([0-9A-Z]{5}|E(?!RR_)[A-Z_]{4,})$/.test(code)) return code;
  }
  return undefined;
}

/** What pg and the system call a server that is not there, is starting, stopping, or full, or does not let the board in. */
const unreachable =
  /^(08...|28...|3D000|57P0[1-5]|53300|53400|ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|EADDRNOTAVAIL|ENOENT)$/;
/** pg's own words where it gives no code. */
const brokenConnection =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Cannot use a pool after calling end|Client was closed|Database not opened|Database connection is not opened)/;
const lateAnswer = /^Query read timeout/;
/** Stopped by the server: for the board's limit, or for one of the role's on locks or transactions. */
const stopped = /^(57014|55P03|25P04)$/;

/** Whether the error says that PostgreSQL cannot be reached. */
export function isUnreachable(error: unknown): boolean {
  const code = sqlState(error);
  if (code !== undefined && unreachable.test(code)) return true;
  return causes(error).some((cause) => brokenConnection.test(cause.message));
}

/** Whether the connection broke under a statement, so that another connection may well do. */
export function isLostConnection(error: unknown): boolean {
  const code = sqlState(error);
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === '57P01') return true;
  return causes(error).some((cause) =>
    /^(Connection terminated|Client has enc)/.test(cause.message),
  );
}

/** Whether the statement was stopped for its time. */
export function isTimeout(error: unknown): boolean {
  if (stopped.test(sqlState(error) ?? '')) return true;
  return causes(error).some(
    (cause) =>
      lateAnswer.test(cause.message) || (cause as { code?: unknown }).code === 'QUERY_TIMEOUT',
  );
}

/** Whether the pool had no connection to give for as long as it lets anybody wait. */
export function waitedForConnection(error: unknown): boolean {
  return causes(error).some(({ message }) =>
    message.startsWith('timeout exceeded when trying to connect'),
  );
}

/** Whether a table or column is not what the probe found, or no longer this role's to read. */
export function isMisfit(error: unknown): boolean {
  return /^(42P01|42703|3F000|42501)$/.test(sqlState(error) ?? '');
}
