/** What a command of `sluice` is, and how it fails. */

/** Exit codes: everything done, something failed or is left to do, wrongly called. */
export type ExitCode = 0 | 1 | 2;

/** Where a command writes. */
export interface CommandOutput {
  /** Results. */
  out(text: string): void;
  /** Progress and complaints. */
  err(text: string): void;
}

/** One row of the table of commands. */
export interface Command {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** The whole help text. */
  readonly usage: string;
  run(args: readonly string[], output: CommandOutput, signal: AbortSignal): Promise<ExitCode>;
}

/** A call that cannot be understood; answered with the message, where to find help, and exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
