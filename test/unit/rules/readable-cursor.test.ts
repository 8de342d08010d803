/** The bytes of readable cursors: clients keep them, so that a later version must write and read the same. */

import { describe, expect, it } from 'vitest';
import { readableCursors } from '../../../src/rules/plan/cursor/readable-cursor.ts';
import { textHash } from '../../../src/rules/plan/cursor/text-hash.ts';

describe('readable cursors', () => {
  it.each([
    [
      'a["2024-04-04T01:25:52.023Z","7"]',
      'MTQ5NTYzNDEzNXgyMjM1Nzk3NjEuYVsiMjAyNC0wNC0wNFQwMToyNTo1Mi4wMjNaIiwiNyJd',
    ],
    ['b["Zoë 😀"]', 'MTE1MTk1NjIxMng3MzMwMTY0NzcuYlsiWm_DqyDwn5iAIl0'],
    ['a["~~~???>>>"]', 'MTU5MDg2ODEyeDk2ODAyNjE5My5hWyJ-fn4_Pz8-Pj4iXQ'],
  ])('keep their encoding: %s', (body, cursor) => {
    expect(readableCursors.write(body, '1x2')).toBe(cursor);
    expect(readableCursors.read(cursor, '1x2')).toBe(body);
    expect(readableCursors.read(cursor, '1x3')).toBeNull();
  });

  it('have one encoding', () => {
    for (const body of ['a["1"]', 'a["12"]', 'a["123"]']) {
      const cursor = readableCursors.write(body, '1x2');
      const last = cursor.slice(-1);
      const others = ['=', '==', ' ', '\n', 'A', 'AA', 'AAA'].map((end) => cursor + end);
      if (cursor.length % 4 !== 0) {
        // The next digit differs in a bit that no byte has.
        others.push(cursor.slice(0, -1) + String.fromCharCode(last.charCodeAt(0) + 1));
      }
      for (const other of others) expect(readableCursors.read(other, '1x2')).toBeNull();
      expect(readableCursors.read(cursor, '1x2')).toBe(body);
    }
  });
});

describe('the hash of a text', () => {
  it.each([
    ['', '45524705x397087728'],
    ['a', '154930261x797622284'],
    ['sort', '170706602x716360092'],
    ['Zoë', '316502714x876080456'],
    ['😀 x', '102431601x1058656605'],
    ['\ud800', '229094124x322342811'],
    ['ab'.repeat(3000), '613024904x192604690'],
    ['é'.repeat(2048), '756030234x875576311'],
  ])('remains the same', (text, hash) => {
    expect(textHash(text)).toBe(hash);
  });
});
