/**
 * The questions of `questions.ts`: the page and the section exist and have the answer, the page is at most two clicks away
 * from the start page of the site, and the site's search finds it. Beside them: every link of the documents leads to a
 * section that exists, names of links are titles, and the sections of the site have every page once.
 */

import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { sections } from '../../site/sections.ts';
import { llmsTexts } from '../../tools/site-llms.ts';
import { documents, linksOf, pages, read, textsByAnchor, titleOf } from './documents.ts';
import { questions } from './questions.ts';
import { found } from './site-search.ts';

const root = path.join(import.meta.dirname, '../..');
const listed = sections.flatMap((section) => section.pages.map((name) => `docs/${name}.md`));

describe('the questions', () => {
  const near = new Set(linksOf('README.md').map(({ file }) => file));
  const reached = new Set([...near].flatMap((file) => linksOf(file).map((link) => link.file)));

  it('are forty at least', () => {
    expect(new Set(questions.map(([asked]) => asked)).size).toBeGreaterThanOrEqual(40);
  });

  describe.each(questions)('%s', (asked, at, words) => {
    const [name = '', anchor = ''] = at.split('#');
    const file = `docs/${name}.md`;

    it('is answered by the section', () => {
      const text = textsByAnchor(file).get(anchor)?.replaceAll('\n', ' ');
      for (const word of words) expect([at, text]).toEqual([at, expect.stringContaining(word)]);
    });

    it('is two clicks away', () => {
      // From the sidebar, which every page of the site has, and from the README where there is none.
      expect(listed).toContain(file);
      expect([file, near.has(file) || reached.has(file)]).toEqual([file, true]);
    });

    it('is found', () => {
      const first = [...new Set(found(asked).map((each) => each.split('#')[0]))].slice(0, 5);
      expect(first).toContain(file);
    });
  });
});

describe('the links', () => {
  it.each(documents)('of %s lead to sections that exist', (document) => {
    const broken = linksOf(document).filter(
      ({ file, anchor }) => file.endsWith('.md') && !textsByAnchor(file).has(anchor),
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
    expect(listed.toSorted()).toEqual(pages);
  });

  it('has a title of its own for every page', () => {
    expect(new Set(pages.map(titleOf)).size).toBe(pages.length);
  });

  it('has a list of its pages, and all of their texts, for assistants', () => {
    const { 'llms.txt': list, 'llms-full.txt': whole } = llmsTexts(root);
    const items = [...list.matchAll(/^- \[(.+)\]\((\/docs\/.+)\): (.{20,})$/gm)];
    expect(items.map(([, title, link = '']) => [`${link.slice(1)}.md`, title]).toSorted()).toEqual(
      pages.map((file) => [file, titleOf(file)]),
    );
    for (const document of documents) expect(whole).toContain(read(document).trim());
  });
});
