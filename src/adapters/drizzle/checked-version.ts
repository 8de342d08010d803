/** Refuses a version of Drizzle that this adapter does not know, when `sluice/drizzle` is loaded. */

import { npmVersion } from 'drizzle-orm/version';
import { isAtLeast, tooOld } from '../../lib/index.ts';

const oldest = '0.44.0';

/** @throws {Error} when the version is too old, with the command to install another */
export function checkDrizzle(version = npmVersion): void {
  if (isAtLeast(version, oldest)) return;
  throw new Error(tooOld('sluice/drizzle', 'drizzle-orm', oldest, version));
}
