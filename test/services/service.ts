/** A database or Redis server for tests, and the advice if there is none. */

import { isCi } from '../setup/ci.ts';

/** Kinds of servers. */
export type ServiceName = 'postgresql' | 'mysql' | 'redis';

/** A server that responds. */
export interface Service {
  readonly name: ServiceName;
  /** Connection URL of a user with the privilege to create databases. */
  readonly url: string;
  /** How it was found, for the summary table. */
  readonly found: 'environment' | 'usual port' | 'Docker' | 'started here' | 'embedded';
  /** Stops the server if this process started it. */
  dispose(): Promise<void>;
}

/** The result if no server was found or started. */
export interface MissingService {
  readonly name: ServiceName;
  readonly missing: true;
  /** One line with the ways to provide the server. */
  readonly advice: string;
}

/** Whether a missing server is a failure instead of a skip: in CI, or with `SLUICE_ALL=1` (set by `--all`). */
export function everyServiceRequired(): boolean {
  return isCi || process.env['SLUICE_ALL'] === '1';
}

/** One way to find a server; `null` if it is not available. */
export type Step = () => Promise<Service | null>;

/** Tries the steps in order. A configured server that does not respond is an error and ends the search. */
export async function firstFound(
  name: ServiceName,
  advice: string,
  steps: readonly Step[],
): Promise<Service | MissingService> {
  for (const step of steps) {
    const service = await step();
    if (service) return service;
  }
  return { name, missing: true, advice };
}

/** The `stop` of a server that this process did not start. */
export const leaveRunning = async (): Promise<void> => {};
