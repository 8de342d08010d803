/** A search over the sections of the documents, with the weights of the site's local search: title 4, text 2, headings above 1. */

import Database from 'better-sqlite3';
import { processTerm } from '../../site/search.ts';
import { documents, sectionsOf } from './documents.ts';

const index = new Database(':memory:');
index.exec(
  `create virtual table sections using fts5(title, above, text, at unindexed, tokenize = 'unicode61')`,
);
const insert = index.prepare('insert into sections values (?, ?, ?, ?)');
for (const document of [...documents, 'SECURITY.md']) {
  for (const { heading, above, text, anchor } of sectionsOf(document)) {
    insert.run(heading, above.join(' '), text, `${document}#${anchor}`);
  }
}
const find = index
  .prepare('select at from sections where sections match ? order by bm25(sections, 4, 1, 2)')
  .pluck();

/** The sections that a text finds, the best first, as `docs/page.md#anchor`. */
export function found(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{Letter}\p{Number}_]+/gu) ?? [];
  const terms = words.flatMap((word) => processTerm(word) ?? []).map((word) => `"${word}"*`);
  return find.all(terms.join(' OR ')) as string[];
}
