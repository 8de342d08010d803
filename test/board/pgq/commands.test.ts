/** The commands of the `pgq` engine over HTTP, for every kind of connection to pg-boss. */

import { cells } from './cells.ts';
import { commandsSuite } from './suite-commands.ts';

for (const cell of cells) commandsSuite(cell);
