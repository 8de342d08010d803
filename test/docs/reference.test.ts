/** The reference names everything that exists: operators, kinds, codes with their statuses, settings and limits. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { operatorRows } from '../../src/rules/index.ts';
import { defineQueryRulesTable } from '../../src/rules/declare/option-tables.ts';
import { queryErrorStatus } from '../../src/schema/index.ts';

const page = (name: string): string =>
  readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8');
const missing = (text: string, names: readonly string[]): string[] =>
  names.filter((name) => !text.includes(`\`${name}\``));

describe('the reference', () => {
  it('names every operator', () => {
    const names = operatorRows.map(({ name }) => name);
    expect(missing(page('requests'), names)).toEqual([]);
    expect(missing(page('rules'), [...names])).toEqual([]);
  });

  it('names every setting and limit', () => {
    const { limits: _, operators: _removed, ...settings } = defineQueryRulesTable.settings.table;
    expect(missing(page('rules'), Object.keys(settings))).toEqual([]);
    const limits = ['maxQueryLength', 'maxFilters', 'maxListLength', 'maxTextLength', 'maxOffset'];
    expect(
      missing(
        page('rules'),
        limits.map((name) => `limits.${name}`),
      ),
    ).toEqual([]);
  });

  it('names every error with its status', () => {
    const text = page('errors');
    for (const [code, status] of Object.entries(queryErrorStatus)) {
      expect(text).toMatch(new RegExp(`^\\| \`${code}\` \\| ${status} \\|`, 'm'));
    }
  });
});
