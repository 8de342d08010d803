/** The reads of the `pgq` engine over HTTP, for every kind of connection to pg-boss. */

import { cells } from './cells.ts';
import { readsSuite } from './suite-reads.ts';

for (const cell of cells) readsSuite(cell);
