/** The folder of the package, and its version: both `src/cli` and `dist/cli` are two levels below it. */

import { readFileSync } from 'node:fs';

/** Address of the folder, ending in a slash. */
export const packageFolder: URL = new URL('../../', import.meta.url);

/** The version in `package.json`. */
export function version(): string {
  const text = readFileSync(new URL('package.json', packageFolder), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
