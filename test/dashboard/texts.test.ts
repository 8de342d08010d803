/** The texts of the dashboard: every key of an error has one, and translations keep the placeholders. */

import { globSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { errorKeys } from '../../src/board/contract/index.ts';

type Texts = Readonly<Record<string, string>>;

const folder = new URL('../../src/dashboard/i18n/messages/', import.meta.url);

const textsIn = (file: string): Texts =>
  JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Texts;

const placeholders = (text: string): readonly string[] =>
  [...new Set(text.match(/\{\w+(?=[,}])/g))].sort();

const english: Texts = Object.assign(
  {},
  ...readdirSync(new URL('en/', folder)).map((room) => textsIn(`en/${room}`)),
);

it('tells every error of the board', () => {
  expect(errorKeys.filter((key) => english[`error.${key}`] === undefined)).toEqual([]);
});

it('has the texts of each folder with it, or in the first load', () => {
  const source = new URL('../../src/dashboard/', import.meta.url);
  const textsOf = (name: string): readonly string[] => Object.keys(textsIn(`en/${name}.json`));
  const first = [...textsOf('common'), ...textsOf('overview'), ...textsOf('errors')];
  const absent = readdirSync(source, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory() || entry.name === 'i18n') return [];
    const room = new URL(`${entry.name}/`, source);
    const files = globSync('**/*.{ts,tsx}', { cwd: fileURLToPath(room) }).map((file) =>
      readFileSync(new URL(file, room), 'utf8'),
    );
    const loaded = files.flatMap((text) =>
      [...text.matchAll(/messages\/en\/(\w+)\.json/g)].flatMap(([, name = '']) => textsOf(name)),
    );
    const known = new Set([...first, ...loaded]);
    return files.flatMap((text) =>
      [...text.matchAll(/\bt\(\s*'([\w.-]+)'/g)].flatMap(([, key = '']) =>
        known.has(key) ? [] : [`${entry.name}: ${key}`],
      ),
    );
  });
  expect(absent).toEqual([]);
});

it.each(['de', 'pt', 'ar'])('has the same placeholders in %s', (language) => {
  const texts = textsIn(`${language}.json`);
  const differing = Object.entries(texts).filter(
    ([key, text]) => String(placeholders(text)) !== String(placeholders(english[key] ?? '')),
  );
  expect(differing).toEqual([]);
});
