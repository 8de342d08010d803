/** Packages in the oldest and the newest version whose private parts are read. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

/** A package as it is installed. */
export interface Installed {
  readonly version: string;
  /** Loads one of its modules. */
  module<Module>(path?: string): Module;
}

/** Both versions by their names in `node_modules`, the oldest first. */
export const installed = (...names: readonly [oldest: string, newest: string]): Installed[] =>
  names.map((name) => {
    const about = readFileSync(new URL(`../../node_modules/${name}/package.json`, import.meta.url));
    return {
      version: (JSON.parse(String(about)) as { readonly version: string }).version,
      module: (path = '') => load(name + path) as never,
    };
  });
