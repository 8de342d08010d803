/** A database or Redis server that tests may use, and what to say where there is none. */

/** Kinds of server that tests look for. */
export type ServiceName = 'postgresql' | 'mysql' | 'redis';

/** A server that answers. */
export interface Service {
  readonly name: ServiceName;
  /** Connection URL with a user who may create databases. */
  readonly url: string;
  /** How it was found, for the closing table. */
  readonly found: 'environment' | 'usual port' | 'Docker' | 'started here' | 'embedded';
  /** Stops the server when this process started it. */
  dispose(): Promise<void>;
}

/** No such server could be had. */
export interface MissingService {
  readonly name: ServiceName;
  readonly missing: true;
  /** One line: how to get it. */
  readonly advice: string;
}

/** Whether a cell that did not run is a failure: with `CI=true`, or `SLUICE_ALL=1` (set by `--all`). */
export function everyServiceRequired(): boolean {
  return process.env['CI'] === 'true' || process.env['SLUICE_ALL'] === '1';
}

/** A step of the search; `null` lets the next step try. */
export type Step = () => Promise<Service | null>;

/** The first step that finds a server. A named server that does not answer is an error, not a reason to go on. */
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

/** Nothing to stop. */
export const leaveRunning = async (): Promise<void> => {};
