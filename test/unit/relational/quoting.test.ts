import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { mysql, postgresql, sqlite } from '../../../src/relational/index.ts';
import { planQuery } from '../../../src/index.ts';
import { encodeCursor } from '../../../src/rules/plan/cursor/cursor.ts';
import { shopContext, shopRules } from './shop-tables.ts';
import { statementsOf } from './statements.ts';

const families = { postgresql, mysql, sqlite };

/** Names that end a quoted identifier, a statement or a comment where they are not quoted. */
const hostile = [
  '"; drop table x; --',
  '`; drop table x; --',
  '""',
  '``',
  "'",
  '\\',
  ' ',
  '$1',
  '?',
  '/*',
  'select',
  'naïve 😀',
];

const everything =
  'filter[name][in]=a&filter[maker.articles.labels.text]=b&filter[lines.parts.text][like]=c' +
  '&filter[labels][isNull]=false&search=d&sort=maker.name,-stock' +
  '&includes=maker,maker.articles,labels,lines,lines.parts&fields=id,name,serial,extra';

/** The rest of a statement without its quoted identifiers. */
function outsideQuotes(text: string, quote: string): string {
  return text.replaceAll(new RegExp(`${quote}(?:[^${quote}]|${quote}${quote})*${quote}`, 'g'), '#');
}

describe('identifiers', () => {
  for (const [family, dialect] of Object.entries(families)) {
    const quote = family === 'mysql' ? '`' : '"';

    it(`are quoted wherever they stand, in ${family}`, () => {
      const plan = planQuery(everything, shopRules());
      const usual = statementsOf(shopContext(dialect), plan);
      for (const part of hostile) {
        const rename = (name: string) => `${name}${part}${name}`;
        const context = shopContext(dialect, { rename, schema: `s${part}` });
        const statements = statementsOf(context, plan);
        const withoutSchema = statements.map(({ text }) =>
          outsideQuotes(text, quote)
            .replaceAll('from #.#', 'from #')
            .replaceAll('join #.#', 'join #'),
        );
        expect(withoutSchema).toEqual(usual.map(({ text }) => outsideQuotes(text, quote)));
      }
    });

    it(`double the quote they contain, in ${family}`, () => {
      expect(dialect.quote(`a${quote}b`)).toBe(`${quote}a${quote}${quote}b${quote}`);
      const other = quote === '"' ? '`' : '"';
      expect(dialect.quote(`a${other}b\\`)).toBe(`${quote}a${other}b\\${quote}`);
    });
  }

  it('aliases never meet the name of the root table', () => {
    const rename = (name: string) => (name === 'articles' ? 't1' : name);
    const plan = planQuery('filter[maker.name]=a&includes=labels', shopRules());
    for (const { text } of statementsOf(shopContext(postgresql, { rename }), plan)) {
      const aliases = [...text.matchAll(/ as "(\w+)"/g)].map(([, alias]) => alias);
      expect(new Set(aliases).size).toBe(aliases.length);
    }
  });

  it('of hostile names run on a database', () => {
    for (const part of hostile) {
      const rename = (name: string) => `${name}${part}${name}`;
      const database = new Database(':memory:');
      const create = (table: string, columns: readonly string[]) =>
        database.exec(
          `create table ${sqlite.quote(rename(table))} (${columns
            .map((column) => sqlite.quote(rename(column)))
            .join()})`,
        );
      create('articles', ['id', 'name', 'name_folded', 'stock', 'serial', 'extra', 'maker_id']);
      create('makers', ['id', 'name', 'name_folded']);
      create('labels', ['id', 'text']);
      create('article_labels', ['article_id', 'label_id']);
      create('lines', ['order', 'position', 'amount', 'article_id']);
      create('parts', ['id', 'text', 'line_order', 'line_position']);
      const context = shopContext(sqlite, { rename });
      for (const { text, values } of statementsOf(context, planQuery(everything, shopRules()))) {
        expect(database.prepare(text).raw().all(values)).toEqual(
          text.startsWith('select count') ? [[0]] : [],
        );
      }
      database.close();
    }
  });
});

describe('values', () => {
  it('are bound, never written, whatever they are', () => {
    const keyset = shopRules({ mode: 'keyset' });
    for (const value of hostile) {
      const params = new URLSearchParams([
        ['filter[name]', value],
        ['filter[name][like]', value],
        ['filter[labels.text][in]', JSON.stringify(value)],
        ['sort', 'name'],
      ]);
      const { page } = planQuery(params, keyset);
      const binding = page.mode === 'keyset' ? page.binding : '';
      params.set('cursor', encodeCursor(keyset, binding, 'after', false, [value, '7']));
      const plan = planQuery(params, keyset);
      const plain = planQuery(
        new URLSearchParams([...params].filter(([name]) => name !== 'cursor')),
        keyset,
      );
      for (const dialect of Object.values(families)) {
        const [{ text } = { text: '' }] = statementsOf(shopContext(dialect), plan);
        const [{ text: first } = { text: '' }] = statementsOf(shopContext(dialect), plain);
        expect(text).toContain('where');
        if (/[a-z😀]{2}/u.test(value) && value !== 'select') {
          expect(text).not.toContain(value);
          expect(first).not.toContain(value);
        }
      }
    }
  });
});
