/** The site of the documents: the pages that `tools/site.ts` has collected in `pages`. */

import { readFileSync, readdirSync } from 'node:fs';
import { defineConfig } from 'vitepress';

const pages = new URL('../pages/', import.meta.url);

/** The title of a page. */
const titleOf = (page: string): string =>
  /^# (.*)$/m.exec(readFileSync(new URL(page, pages), 'utf8'))?.[1]?.replaceAll('`', '') ?? page;

/** The pages of a folder, by title. */
const pagesOf = (folder: string) =>
  readdirSync(new URL(folder, pages))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`)
    .map((page) => ({ text: titleOf(page), link: `/${page.replace('.md', '')}` }));

export default defineConfig({
  title: 'Sluice',
  description: 'Validated list queries and boards for job queues',
  srcDir: 'pages',
  outDir: 'dist',
  // Pages are read on GitHub as well, where placeholders such as <name> are text.
  markdown: { html: false },
  themeConfig: {
    search: { provider: 'local' },
    sidebar: [
      { text: 'Guides', items: pagesOf('docs') },
      { text: 'Reference', collapsed: true, items: pagesOf('reference') },
    ],
    socialLinks: [{ icon: 'github', link: 'https://github.com/sluicejs/sluice' }],
  },
});
