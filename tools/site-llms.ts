/** The documents for assistants: `llms.txt`, a list of the pages by task, and `llms-full.txt`, the pages themselves. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sections } from '../site/sections.ts';

/** A page of the documents. */
interface Page {
  readonly link: string;
  readonly title: string;
  readonly text: string;
}

function pageOf(root: string, name: string): Page {
  const text = readFileSync(path.join(root, 'docs', `${name}.md`), 'utf8').trim();
  return { link: `/docs/${name}`, title: /^# (.*)$/m.exec(text)?.[1] ?? name, text };
}

/** The first sentence of a page. */
function beginningOf({ text }: Page): string {
  const [, ...paragraphs] = text.split(/\n\n+/);
  const first =
    paragraphs.find((paragraph) => /^[A-Z`]/.test(paragraph) && !paragraph.includes('\n|')) ?? '';
  const plain = first.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1').replaceAll('\n', ' ');
  return /^.*?\.(?= |$)/.exec(plain)?.[0] ?? plain;
}

/** The texts of both files, by name. */
export function llmsTexts(root: string): Readonly<Record<'llms.txt' | 'llms-full.txt', string>> {
  const readme = readFileSync(path.join(root, 'README.md'), 'utf8').trim();
  const [, summary = ''] = readme.split(/\n\n/);
  const chapters = sections.map(({ text, pages }) => ({
    text,
    pages: pages.map((name) => pageOf(root, name)),
  }));
  const lists = chapters.map(({ text, pages }) => {
    const items = pages.map((page) => `- [${page.title}](${page.link}): ${beginningOf(page)}`);
    return `## ${text}\n\n${items.join('\n')}`;
  });
  const whole = chapters.flatMap(({ pages }) => pages.map(({ text }) => text));
  return {
    'llms.txt': `# Sluice\n\n> ${summary.replaceAll('\n', ' ')}\n\n${lists.join('\n\n')}\n`,
    'llms-full.txt': `${[readme, ...whole].join('\n\n')}\n`,
  };
}
