/** SQLite plans a statement anew at a run after it has looked at the value of a parameter; it asks its authorizer then. */

import { DatabaseSync, constants } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { planQuery } from '../../../src/index.ts';
import { sqlite } from '../../../src/relational/index.ts';
import { encodeCursor } from '../../../src/rules/plan/cursor/cursor.ts';
import { shopContext, shopRules } from './shop-tables.ts';
import { statementsOf } from './statements.ts';

const db = new DatabaseSync(':memory:');
db.exec(`
  create table makers (id integer primary key, name text not null, name_folded text not null);
  create table articles (
    id integer primary key, name text not null, name_folded text not null, price numeric not null,
    changed_at integer, maker_id integer references makers (id)
  );
  create index articles_changed_at on articles (changed_at);
  create index articles_name on articles (name);
`);
let asked = 0;
db.setAuthorizer(() => {
  asked += 1;
  return constants.SQLITE_OK;
});
afterAll(() => db.close());

const keyset = shopRules({ mode: 'keyset' });

/** The request of a page that begins after a row. */
function after(request: string, values: readonly string[]): string {
  const { page } = planQuery(request, keyset);
  const binding = page.mode === 'keyset' ? page.binding : '';
  return `${request}&cursor=${encodeCursor(keyset, binding, 'after', false, values)}`;
}

const requests = {
  'a first page': ['', shopRules()],
  'a later page': ['page=3&perPage=7', shopRules()],
  'a pattern': ['filter[name][like]=b', shopRules()],
  'a search in folded columns': ['search=b', shopRules()],
  'a capped count': ['', shopRules({ count: { capped: 100 } })],
  'a position of a text': [after('sort=name', ['b', '1']), keyset],
  'a position of an instant, in mixed directions': [
    after('sort=-changedAt,name', ['2024-03-04T05:06:07.000Z', 'b', '1']),
    keyset,
  ],
} as const;

describe('a statement on SQLite is planned when it is prepared, and at no run', () => {
  it('unless it has a limit or a pattern as a plain parameter', () => {
    const plain = db.prepare('select id from articles where name glob ? limit ?');
    asked = 0;
    plain.all('*b*', 1);
    expect(asked).toBeGreaterThan(0);
  });

  for (const [name, [request, rules]] of Object.entries(requests)) {
    it(`of ${name}`, () => {
      for (const { text, values } of statementsOf(shopContext(sqlite), planQuery(request, rules))) {
        const statement = db.prepare(text);
        asked = 0;
        statement.all(...(values as string[]));
        statement.all(...(values as string[]));
        expect([text, asked]).toEqual([text, 0]);
      }
    });
  }
});
