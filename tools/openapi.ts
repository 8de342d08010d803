/** Writes the OpenAPI documents of the boards to `docs/openapi`, and before them the filters that they describe. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { writePgqFilters } from './pgq-filters.ts';

const folder = fileURLToPath(new URL('../docs/openapi/', import.meta.url));
writePgqFilters();
const { openApiDocument } = await import('../src/board/openapi.ts');
mkdirSync(folder, { recursive: true });
for (const engine of ['kvq', 'pgq'] as const) {
  writeFileSync(
    `${folder}${engine}.json`,
    `${JSON.stringify(openApiDocument({ engine }), null, 2)}\n`,
  );
}
