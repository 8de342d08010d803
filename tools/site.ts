/**
 * Collects the pages of the site: README and documents as they are, and a reference with a page for each subpath, of the
 * texts that editors show, the same pages as texts for assistants, the playground, and a recorded board. `npm run site`
 * needs Chromium.
 */

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeBoard } from '../site/board/files.ts';
import { recordBoard } from '../site/board/record.ts';
import { withDemo } from './demo-pages.ts';
import { subpaths } from './package/entries.ts';
import { buildPlayground } from './playground.ts';
import { llmsTexts } from './site-llms.ts';
import { type DocumentedExport, type HoverText, hoverTexts } from './package/hover-texts.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = path.join(root, 'site/pages');

/** A text in a cell of a table, or in a paragraph, with its tags. */
const inline = (text: string): string =>
  text
    .replaceAll(/^@(\w+) ?/gm, '\n**$1** ')
    .replaceAll(/\{@link (\w+)\}/g, '`$1`')
    .trim();
const cell = (text: string): string =>
  inline(text)
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|');

const row = ({ name, text }: HoverText): string => `| \`${name}\` | ${cell(text)} |`;

const section = ({ name, text, code, members }: DocumentedExport): string =>
  [
    `## ${name}`,
    inline(text),
    `\`\`\`ts\n${code}\n\`\`\``,
    members.length > 0 && `| member | meaning |\n| --- | --- |\n${members.map(row).join('\n')}`,
  ]
    .filter((part) => part !== false)
    .join('\n\n');

rmSync(folder, { recursive: true, force: true });
mkdirSync(path.join(folder, 'reference'), { recursive: true });
for (const part of ['docs', 'SECURITY.md']) {
  cpSync(path.join(root, part), path.join(folder, part), { recursive: true });
}
// Pages that the search leaves out: they have words of every page, and answer few questions.
mkdirSync(path.join(folder, 'bench'));
for (const page of ['bench/README.md', 'bench/dashboard.md', 'ARCHITECTURE.md', 'CHANGELOG.md']) {
  const text = readFileSync(path.join(root, page), 'utf8');
  writeFileSync(path.join(folder, page), `---\nsearch: false\n---\n\n${text}`);
}
cpSync(path.join(root, 'README.md'), path.join(folder, 'index.md'));
const exportsOf = hoverTexts(path.join(root, 'dist'), Object.values(subpaths));
for (const [subpath, module] of Object.entries(subpaths)) {
  const name = path.posix.join('sluice', subpath);
  const sections = [...exportsOf(module)]
    .toSorted((one, other) => one.name.localeCompare(other.name, 'en'))
    .map(section);
  const page = `# \`${name}\`\n\n${sections.join('\n\n')}\n`;
  writeFileSync(path.join(folder, 'reference', `${name.replaceAll('/', '-')}.md`), page);
}
// Files that the site serves as they are.
await buildPlayground(path.join(folder, 'public/playground'));
await withDemo(undefined, async (browser, origin) => {
  const recorded = await recordBoard(browser, origin, '/bullmq');
  writeBoard(
    recorded,
    path.join(folder, 'public/board'),
    `${process.env['SITE_BASE'] ?? '/'}board`,
  );
});
for (const [name, text] of Object.entries(llmsTexts(root))) {
  writeFileSync(path.join(folder, 'public', name), text);
}
