/** The version of the package. */

import { readFileSync } from 'node:fs';
import { packageFolder } from './package-folder.ts';

/** The version in `package.json`. */
export function version(): string {
  const text = readFileSync(new URL('package.json', packageFolder), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
