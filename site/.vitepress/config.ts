/** The site of the documents: the pages that `tools/site.ts` has collected in `pages`. */

import { readFileSync, readdirSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import { processTerm } from '../search.ts';
import { sections } from '../sections.ts';

const pages = new URL('../pages/', import.meta.url);

/** The title of a page. */
const titleOf = (page: string): string =>
  /^# (.*)$/m.exec(readFileSync(new URL(page, pages), 'utf8'))?.[1]?.replaceAll('`', '') ?? page;

const linkTo = (page: string) => ({ text: titleOf(page), link: `/${page.replace('.md', '')}` });

/** The pages of the exports of each subpath. */
const subpaths = readdirSync(new URL('reference', pages)).map((name) =>
  linkTo(`reference/${name}`),
);

/** Further items of a section. */
const others: Readonly<Record<string, readonly object[]>> = {
  Reference: [{ text: 'API', collapsed: true, items: subpaths }, linkTo('CHANGELOG.md')],
  Why: ['bench/README.md', 'ARCHITECTURE.md', 'SECURITY.md'].map(linkTo),
};

export default defineConfig({
  title: 'Sluice',
  description: 'Validated list queries and boards for job queues',
  srcDir: 'pages',
  outDir: 'dist',
  // The path of the site below its host.
  base: process.env['SITE_BASE'] ?? '/',
  // Pages are read on GitHub as well, where placeholders such as <name> are text.
  markdown: { html: false },
  themeConfig: {
    // Pages of their own beside those of the documents.
    nav: [
      { text: 'Playground', link: '/playground/index.html', target: '_self' },
      { text: 'Board', link: '/board/index.html', target: '_self' },
    ],
    search: { provider: 'local', options: { miniSearch: { options: { processTerm } } } },
    outline: [2, 3],
    sidebar: sections.map(({ text, pages: names }) => ({
      text,
      items: [...names.map((name) => linkTo(`docs/${name}.md`)), ...(others[text] ?? [])],
    })),
    socialLinks: [{ icon: 'github', link: 'https://github.com/sluicejs/sluice' }],
  },
});
