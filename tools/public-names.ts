/** Writes the list of the names that each subpath exports, after a decision on one. */

import { writeFileSync } from 'node:fs';
import { listFile, publicNames } from './package/public-names.ts';

writeFileSync(listFile, `${JSON.stringify(publicNames(), null, 2)}\n`);
