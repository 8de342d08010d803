/** The texts of the demo's page: the same in every language, and one for each operator that has no sign. */

import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { operatorRows } from '../../src/rules/declare/operators.ts';

const folder = path.join(import.meta.dirname, '../../demo/page/i18n/messages');
const textsOf = (file: string): object =>
  JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as object;
const english = Object.keys(textsOf('en.json'));

it.each(globSync('*.json', { cwd: folder }))('%s has every text', (file) => {
  expect(Object.keys(textsOf(file))).toEqual(english);
});

it('names every operator', () => {
  const named = operatorRows
    .map(({ name }) => name)
    .filter((name) => !['eq', 'ne', 'gt', 'gte', 'lt', 'lte'].includes(name));
  const texts = english.filter((key) => key.startsWith('demo.operator.'));
  expect(texts).toEqual(named.map((name) => `demo.operator.${name}`).toSorted());
});
