/** The findings of axe on a page: rule, element and reason of each violation. */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

const source = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** @param rules names of the rules that are checked, or all with that of the size of targets. Default: the standard ones */
export async function axeViolations(page: Page, rules: readonly string[] | 'all' = []) {
  await page.evaluate(`typeof axe === 'undefined' && (() => {${await source}})()`);
  const options =
    rules === 'all'
      ? { rules: { 'target-size': { enabled: true } } }
      : rules.length > 0
        ? { runOnly: { type: 'rule', values: rules } }
        : {};
  const violations = await page.evaluate<Violation[]>(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  );
  return violations.map(({ id, nodes }) => [
    id,
    nodes.map(({ html, failureSummary }) => [html, failureSummary]),
  ]);
}

/** Nothing that axe finds, and nothing that is reached by scrolling sideways alone. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await axeViolations(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
}
