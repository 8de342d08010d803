/** Stands for sealed cursors in the build for browsers, which have no `node:crypto`. */

import { configurationError } from '../../../schema/index.ts';
import type { CursorForm } from './cursor-form.ts';

/** @throws {QueryError} SOURCE_CONFIGURATION_INVALID always. */
export function sealedCursors(): CursorForm {
  throw configurationError('"settings.cursorKeys" needs Node.js; drop it in browsers.', {
    option: 'settings.cursorKeys',
  });
}
