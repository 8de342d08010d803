/** Loads a module of the host, by a path of the working directory. */

import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UsageError } from './command.ts';

/** The exports of the module; one that cannot be loaded is a usage error, which calls it by a name. */
export async function loadModule(
  file: string,
  name = file,
): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await import(pathToFileURL(resolve(file)).href)) as Record<string, unknown>;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${name} cannot be loaded: ${reason}`, { cause: error });
  }
}
