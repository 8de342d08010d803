/** The texts of the dashboard: every key of an error has one, and translations keep the placeholders. */

import { readFileSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { errorKeys } from '../../src/board/contract/index.ts';

type Texts = Readonly<Record<string, string>>;

const folder = new URL('../../src/dashboard/i18n/messages/', import.meta.url);

/** All texts of a language. */
function textsOf(language: string): Texts {
  const rooms = readdirSync(new URL(`${language}/`, folder));
  return Object.assign(
    {},
    ...rooms.map(
      (room) => JSON.parse(readFileSync(new URL(`${language}/${room}`, folder), 'utf8')) as Texts,
    ),
  ) as Texts;
}

const placeholders = (text: string): readonly string[] =>
  [...new Set(text.match(/\{\w+(?=[,}])/g))].sort();

const english = textsOf('en');

it('tells every error of the board', () => {
  expect(errorKeys.filter((key) => english[`error.${key}`] === undefined)).toEqual([]);
});

it.each(['de', 'pt', 'ar'])('has the same placeholders in %s', (language) => {
  const texts = textsOf(language);
  const differing = Object.entries(texts).filter(
    ([key, text]) => String(placeholders(text)) !== String(placeholders(english[key] ?? '')),
  );
  expect(differing).toEqual([]);
});
