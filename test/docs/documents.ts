/** The documents, and their parts: titles, sections by anchor, links to each other, and blocks of code. */

import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The text of a file of the repository. */
export const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** The paths of the pages below `docs`. */
export const pages: readonly string[] = globSync('docs/**/*.md', { cwd: root }).toSorted();

/** The README and the pages. */
export const documents: readonly string[] = ['README.md', ...pages];

/** The title of a document. */
export const titleOf = (file: string): string => /^# (.*)$/m.exec(read(file))?.[1] ?? '';

/** The anchor of a heading, as GitHub and VitePress make it. */
const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

/** A heading with the text below it, up to the next heading. */
export interface Section {
  readonly heading: string;
  readonly anchor: string;
  readonly level: number;
  /** The headings above it, from the title on. */
  readonly above: readonly string[];
  readonly text: string;
}

/** The sections of a document, in their order. */
export function sectionsOf(file: string): readonly Section[] {
  const found: (Section & { readonly lines: string[] })[] = [];
  let open: { readonly level: number; readonly heading: string }[] = [];
  let isCode = false;
  for (const line of read(file).split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    const [, marks, heading] = (isCode ? null : /^(#+) (.*)/.exec(line)) ?? [];
    if (marks === undefined || heading === undefined) {
      found.at(-1)?.lines.push(line);
      continue;
    }
    const level = marks.length;
    open = open.filter((each) => each.level < level);
    const lines: string[] = [];
    found.push({
      heading,
      anchor: anchorOf(heading),
      level,
      above: open.map((each) => each.heading),
      lines,
      get text() {
        return lines.join('\n');
      },
    });
    open.push({ level, heading });
  }
  return found;
}

/** The texts of a document by anchor; each section has the sections below it, and the empty anchor all. */
export function textsByAnchor(file: string): ReadonlyMap<string, string> {
  const sections = sectionsOf(file);
  return new Map([
    ['', read(file)],
    ...sections.map(({ anchor, level }, at): [string, string] => {
      const end = sections.findIndex((other, place) => place > at && other.level <= level);
      const within = sections.slice(at, end < 0 ? undefined : end);
      return [anchor, within.map(({ heading, text }) => `${heading}\n${text}`).join('\n')];
    }),
  ]);
}

/** A link to another place of the documents. */
export interface Link {
  readonly text: string;
  readonly file: string;
  readonly anchor: string;
}

/** The links of a document to other places of the documents. */
export function linksOf(file: string): readonly Link[] {
  const prose = read(file).replaceAll(/^```[^]*?^```/gm, '');
  return [...prose.matchAll(/(?<!!)\[([^\]]*)\]\(([^)\s]+)\)/g)]
    .filter(([, , target = '']) => !/^[a-z]+:/.test(target))
    .map(([, text = '', target = '']) => {
      const [page = '', anchor = ''] = target.split('#');
      const to = page === '' ? file : path.posix.join(path.posix.dirname(file), page);
      return { text, file: to, anchor };
    });
}

/** The TypeScript blocks of a document by file name: the name in the first line, otherwise a number. */
export function blocksOf(file: string): ReadonlyMap<string, string> {
  const blocks = [...read(file).matchAll(/^```tsx?\n(.*?)^```/gms)].map((match) => match[1] ?? '');
  return new Map(
    blocks.map((block, index) => [
      /^\/\/ (\S+\.tsx?)\n/.exec(block)?.[1] ?? `block-${index}.ts`,
      block,
    ]),
  );
}
