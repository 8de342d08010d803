/**
 * Forty questions of the kind that fill issue trackers, each with the page and the section that answers it and a word of
 * the answer; each page is at most two links away from the README. Beside them: every link of the documents leads to a
 * section that exists, names of links are titles, and the sections of the site have every page once.
 */

import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { sections } from '../../site/sections.ts';
import { llmsTexts } from '../../tools/site-llms.ts';

const root = path.join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** The questions: page and section, and a word that the section contains. */
const questions: readonly (readonly [question: string, at: string, word: string])[] = [
  ['Which packages do I install for my ORM?', 'docs/start.md#packages', 'npm i sluice'],
  ['Which versions of Node.js and TypeScript work?', 'docs/start.md#versions', '22.12'],
  ['What are a registry, rules and a source?', 'docs/overview.md', 'registry'],
  ['How do I filter by a range?', 'docs/requests.md#filters', 'between'],
  ['Why does a filter on null not work with eq?', 'docs/requests.md#values', 'isNull'],
  [
    'How do I filter by a relation to many?',
    'docs/requests.md#filters',
    'at least one related row',
  ],
  ['How do I filter by a whole day?', 'docs/requests.md#whole-days', 'createdAt'],
  ['How do I send a value with a comma?', 'docs/requests.md#lists', 'double quotes'],
  ['Why is my plus sign a blank?', 'docs/requests.md#lists', '%2B'],
  ['How do I page by cursor?', 'docs/requests.md#pages', 'nextCursor'],
  ['Why are bigint values texts?', 'docs/requests.md#values', 'text of digits'],
  ['My list of ids is longer than an address', 'docs/requests.md#long-requests', 'POST'],
  ['How do I read one row by its key?', 'docs/requests.md#one-row', 'ROW_NOT_FOUND'],
  ['What does CURSOR_INVALID mean?', 'docs/errors.md#mistakes-of-a-client', 'CURSOR_INVALID'],
  ['Why is the answer 503?', 'docs/errors.md#the-database', 'SOURCE_UNAVAILABLE'],
  ['Why is the answer 500 at boot?', 'docs/errors.md#mistakes-of-the-application', 'wrong'],
  ['How do I limit the page size?', 'docs/rules.md#settings', 'maxPerPage'],
  ['How do I show all columns?', 'docs/rules.md#all-fields', "fields: 'all'"],
  ['Which operators does a uuid take?', 'docs/rules.md#operators-by-kind', 'uuid'],
  ['Why are included rows cut at 100?', 'docs/rules.md#included-lists', '$truncated'],
  ['May I pass req.query?', 'docs/rules.md#forms-of-a-request', 'req.query'],
  ['How do I keep tenants apart?', 'docs/tenants.md#scopes', 'scope'],
  ['How do I hide deleted rows?', 'docs/tenants.md#scopes', 'deletedAt'],
  ['Does it work with node:sqlite, libSQL or PGlite?', 'docs/sql.md#connections', 'nodeSqlite'],
  [
    'I have a database and no ORM',
    'docs/sql.md#reading-the-tables-from-the-database',
    'introspect',
  ],
  ['How do I list a view?', 'docs/sql.md#reading-the-tables-from-the-database', 'Views'],
  ['How do I use read replicas?', 'docs/scale.md#replicas', 'withReplicas'],
  ['Does it work behind PgBouncer?', 'docs/scale.md#pgbouncer', 'namedStatements'],
  ['Which indexes do I need?', 'docs/command-line.md#other-commands', 'sluice indexes'],
  ['How do I end slow statements?', 'docs/time-limits.md', 'timeoutMs'],
  ['Why is search case-sensitive in one database?', 'docs/matrix.md#native-and-portable', 'ilike'],
  ['How do I use it in Next.js?', 'docs/frameworks.md#nextjs', 'nextBoard'],
  ['Does it run on workers and Bun?', 'docs/frameworks.md#runtimes', 'Bun'],
  ['How do I type the client?', 'docs/client.md#a-client-of-one-endpoint', 'createListClient'],
  ['How do I deploy a board with Docker?', 'docs/command-line.md#container', 'docker run'],
  ['How do I mount the board?', 'docs/board.md#mounting', 'getRouter'],
  ['How do I protect the board?', 'docs/board.md#authentication', 'createAuthMiddleware'],
  ['How do I hide personal data of jobs?', 'docs/board.md#redaction', 'formatters'],
  ['How do I allow some people to retry only?', 'docs/board.md#permissions', 'permissions'],
  ['Can Prometheus read my queues?', 'docs/board.md#exporter', '/metrics'],
  ['Will my change of rules break clients?', 'docs/compatibility.md#changes-of-your-rules', 'diff'],
  ['How do I replace nestjs-paginate?', 'docs/nestjs-paginate.md#a-request', 'sortBy'],
  ['How do I replace bull-board?', 'docs/bull-board.md#mounting', 'createBullBoard'],
];

/** The anchor of a heading, as GitHub and VitePress make it. */
const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

/** The texts of a page by anchor; each section has the sections below it, and the empty anchor all. */
function sectionsOf(file: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>([['', read(file)]]);
  const open: { level: number; anchor: string }[] = [];
  let isCode = false;
  for (const line of read(file).split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    const heading = isCode ? null : /^(#+) (.*)/.exec(line);
    if (heading) {
      const level = heading[1]?.length ?? 0;
      while ((open.at(-1)?.level ?? 0) >= level) open.pop();
      open.push({ level, anchor: anchorOf(heading[2] ?? '') });
    }
    for (const { anchor } of open) found.set(anchor, `${found.get(anchor) ?? ''}${line}\n`);
  }
  return found;
}

interface Link {
  readonly text: string;
  readonly file: string;
  readonly anchor: string;
}

/** The links of a document to other places of the documents. */
function linksOf(file: string): readonly Link[] {
  const prose = read(file).replaceAll(/^```[^]*?^```/gm, '');
  return [...prose.matchAll(/(?<!!)\[([^\]]*)\]\(([^)\s]+)\)/g)]
    .filter(([, , target = '']) => !/^[a-z]+:/.test(target))
    .map(([, text = '', target = '']) => {
      const [page = '', anchor = ''] = target.split('#');
      const to = page === '' ? file : path.posix.join(path.posix.dirname(file), page);
      return { text, file: to, anchor };
    });
}

const documents = ['README.md', ...globSync('docs/*.md', { cwd: root }).toSorted()];
const titleOf = (file: string): string => /^# (.*)$/m.exec(read(file))?.[1] ?? '';

describe('the questions', () => {
  const near = new Set(linksOf('README.md').map(({ file }) => file));
  const reached = new Set([...near].flatMap((file) => linksOf(file).map((link) => link.file)));

  it('are forty at least', () => {
    expect(new Set(questions.map(([question]) => question)).size).toBeGreaterThanOrEqual(40);
  });

  it.each(questions)('%s', (_question, at, word) => {
    const [file = '', anchor = ''] = at.split('#');
    expect([at, near.has(file) || reached.has(file)]).toEqual([at, true]);
    expect([at, sectionsOf(file).get(anchor)]).toEqual([at, expect.stringContaining(word)]);
  });
});

describe('the links', () => {
  it.each(documents)('of %s lead to sections that exist', (document) => {
    const broken = linksOf(document).filter(
      ({ file, anchor }) => file.endsWith('.md') && !sectionsOf(file).has(anchor),
    );
    expect(broken).toEqual([]);
  });

  it('of the table of pages have the titles of the pages', () => {
    const table = read('README.md').split('## Where to find it')[1] ?? '';
    const named = [...table.matchAll(/\[([^\]]+)\]\((docs\/[^)#\s]+)\)/g)];
    expect(named.length).toBeGreaterThan(20);
    for (const [, text, file = ''] of named) expect([file, text]).toEqual([file, titleOf(file)]);
  });
});

describe('the site', () => {
  it('has every page once', () => {
    const pages = sections.flatMap(({ pages: names }) => names.map((name) => `docs/${name}.md`));
    expect(pages.toSorted()).toEqual(documents.slice(1));
  });

  it('has a list of its pages, and all of their texts, for assistants', () => {
    const { 'llms.txt': list, 'llms-full.txt': whole } = llmsTexts(root);
    const items = [...list.matchAll(/^- \[(.+)\]\((\/docs\/.+)\): (.{20,})$/gm)];
    expect(items.map(([, title, link = '']) => [`${link.slice(1)}.md`, title]).toSorted()).toEqual(
      documents.slice(1).map((file) => [file, titleOf(file)]),
    );
    for (const document of documents) expect(whole).toContain(read(document).trim());
  });
});
