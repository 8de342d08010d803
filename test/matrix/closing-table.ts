/** The closing table: what ran, what failed, and what was left out for want of a database. */

/** What became of one cell. */
export interface Outcome {
  readonly name: string;
  /** What ran it; `null` where it did not run. */
  readonly about: string | null;
  /** How to get the database, where it is missing. */
  readonly missing: string | null;
  readonly passed: number;
  readonly failed: number;
}

/** The table as text, one line per cell, and the advice for those left out. */
export function closingTable(outcomes: readonly Outcome[]): string {
  const width = Math.max(...outcomes.map(({ name }) => name.length));
  const lines = outcomes.map(({ name, about, missing, passed, failed }) => {
    const result =
      missing !== null ? 'left out' : failed > 0 ? `${failed} failed` : `${passed} passed`;
    return `${name.padEnd(width)}  ${result.padEnd(11)}  ${missing ?? about ?? 'did not start'}`;
  });
  const leftOut = outcomes.filter(({ missing }) => missing !== null).length;
  const ran = outcomes.length - leftOut;
  const summary = `${ran} of ${outcomes.length} cells ran${leftOut > 0 ? `, ${leftOut} left out` : ''}`;
  return ['', ...lines, summary].join('\n');
}
