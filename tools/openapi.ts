/** Writes the OpenAPI documents of the boards to `docs/openapi`. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openApiDocument } from '../src/board/openapi.ts';

const folder = fileURLToPath(new URL('../docs/openapi/', import.meta.url));
mkdirSync(folder, { recursive: true });
for (const engine of ['kvq', 'pgq'] as const) {
  writeFileSync(
    `${folder}${engine}.json`,
    `${JSON.stringify(openApiDocument({ engine }), null, 2)}\n`,
  );
}
