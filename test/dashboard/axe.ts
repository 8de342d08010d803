/** What axe finds on a page: rule, element and reason of each violation. */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

const source = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export async function axeViolations(page: Page) {
  await page.evaluate(await source);
  const violations = await page.evaluate<Violation[]>(
    'axe.run(document).then(({ violations }) => violations)',
  );
  return violations.map(({ id, nodes }) => [
    id,
    nodes.map(({ html, failureSummary }) => [html, failureSummary]),
  ]);
}
