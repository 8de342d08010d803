/** Loads a module of the host, by a path of the working directory. */

import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UsageError } from './command.ts';

/** The exports of the module; one that cannot be loaded is a usage error. */
export async function loadModule(file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await import(pathToFileURL(resolve(file)).href)) as Record<string, unknown>;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${file} cannot be loaded: ${reason}`, { cause: error });
  }
}
