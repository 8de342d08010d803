/** Generated filters in brackets, printed as text, keep the same rows when the text is sent. */

import fc from 'fast-check';
import qs from 'qs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type PrintableFilter,
  describeRules,
  parseFilterText,
  printFilterText,
} from '../../src/client/index.ts';
import { type QuerySource, buildQuery, planQuery, runQuery } from '../../src/index.ts';
import { holds } from '../seed.ts';
import type { DatabaseCell } from './cell.ts';
import { compileEndpoints } from './corpus/index.ts';
import { curated } from './fixtures/dataset.ts';
import { legalRequest } from './legal-request.ts';
import { sqlCell } from './sql-cell.ts';

let cell: DatabaseCell;
beforeAll(async () => {
  const opened = await sqlCell('sqlite', 'filter-text');
  if (typeof opened === 'string') throw new Error(opened);
  cell = opened;
}, 120_000);
afterAll(() => cell.dispose());

const answerOf = async (
  source: QuerySource,
  request: string,
  rules: Parameters<typeof planQuery>[1],
) => {
  const answer = await runQuery(source, `${request}&fields=id&perPage=100`, rules);
  return JSON.stringify(answer);
};

describe('a filter in brackets', () => {
  it('keeps the same rows as its text', async () => {
    const rules = compileEndpoints(cell.registry).usersGrouped;
    const description = describeRules(rules);
    const source = cell.source('user');
    const filters = legalRequest(curated, rules)
      .map((request) =>
        request
          .split('&')
          .filter((each) => each.startsWith('filter'))
          .join('&'),
      )
      .filter((request) => request !== '');
    let groups = 0;
    await holds(
      fc.asyncProperty(filters, async (brackets) => {
        const { filter } = qs.parse(brackets, {
          depth: 40,
          arrayLimit: 1000,
          parameterLimit: 9999,
        });
        const text = printFilterText(description, filter as PrintableFilter);
        const told = `where=${encodeURIComponent(text)}`;
        expect([text, await answerOf(source, told, rules)]).toEqual([
          text,
          await answerOf(source, brackets, rules),
        ]);
        // Reading and printing again changes nothing, and a client that reads the text sends the same request.
        const { filter: read, error } = parseFilterText(description, text);
        expect([text, error]).toEqual([text, null]);
        expect(printFilterText(description, read ?? {})).toBe(
          printFilterText(
            description,
            parseFilterText(description, printFilterText(description, read ?? {})).filter ?? {},
          ),
        );
        expect(planQuery(buildQuery({ filter: read ?? {} }), rules)).toEqual(
          planQuery(told, rules),
        );
        if (/ or |not \(|\.(?:some|every|none)\(/.test(text)) groups += 1;
      }),
      2000,
    );
    expect(groups).toBeGreaterThan(10);
  }, 300_000);
});
