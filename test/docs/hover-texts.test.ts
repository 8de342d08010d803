/**
 * Every export of every subpath, and every member that its users see, has a text for editors, and the text stands alone:
 * it refers to nothing that a reader of the package does not have.
 */

import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { subpaths } from '../../tools/package/entries.ts';
import { hoverTexts } from '../../tools/package/hover-texts.ts';
import { ensureBuilt, root } from '../package/package.ts';

let exportsOf: ReturnType<typeof hoverTexts>;
beforeAll(() => {
  ensureBuilt();
  exportsOf = hoverTexts(path.join(root, 'dist'), Object.values(subpaths));
});

/** Words that send a reader elsewhere: to other places of a source, to papers, to numbers of a tracker. */
const elsewhere =
  /\b(see|as|the) (above|below)\b|\babove-mentioned\b|\bissue \d|#\d+\b|§|\bspecification\b|\bdesign\b|\.md\b|\bsrc\/|\bTODO\b|\bsee the doc/i;

describe.each(Object.entries(subpaths))('the exports of %s', (_, module) => {
  it('have texts that stand alone', () => {
    const entries = exportsOf(module).flatMap(({ name, text, members }) => [
      { name, text },
      ...members.map((member) => ({ name: `${name}.${member.name}`, text: member.text })),
    ]);
    expect(entries.length).toBeGreaterThan(0);
    expect(entries.filter(({ text }) => text.trim() === '').map(({ name }) => name)).toEqual([]);
    expect(entries.filter(({ text }) => elsewhere.test(text))).toEqual([]);
  });
});
