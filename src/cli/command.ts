/** The interface of a command of `sluice`, its flags, and its usage error. */

import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** Exit codes: 0 success, 1 failure or incomplete, 2 invalid usage. */
export type ExitCode = 0 | 1 | 2;

/** Output streams of a command. */
export interface CommandOutput {
  /** Writes results to standard output. */
  out(text: string): void;
  /** Writes progress and errors to standard error. */
  err(text: string): void;
}

export interface Command {
  /** The whole help text. */
  readonly usage: string;
  run(args: readonly string[], output: CommandOutput, signal: AbortSignal): Promise<ExitCode>;
}

/** Invalid usage of a command; leads to exit code 2 and a pointer to `--help`. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A message as a sentence; one that ends with a question stays as it is. */
export const sentence = (message: string): string =>
  message.endsWith('?') ? message : `${message}.`;

/** The values of flags; unknown flags and other arguments are a usage error. */
export const readFlags = <const Flags extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Flags,
) => readArguments(args, options, false).values;

/** The values of flags, and the other arguments in their order; unknown flags are a usage error. */
export function readArguments<const Flags extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Flags,
  allowPositionals = true,
) {
  try {
    return parseArgs({ args: [...args], strict: true, allowPositionals, options });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
