/** The corpus on the older version of TypeORM, which runs in a separate project; the matrix has the newer one. */

import { families } from './cells.ts';
import { runCorpus } from './run-corpus.ts';
import { hydrateCell, typeormCell } from './typeorm-cell.ts';

for (const family of families) {
  runCorpus(
    `typeorm 0.3 on ${family}`,
    () => typeormCell(family, 'typeorm_03'),
    () => {},
  );
  runCorpus(
    `typeorm 0.3 hydrate on ${family}`,
    () => hydrateCell(family, 'typeorm_03'),
    () => {},
  );
}
