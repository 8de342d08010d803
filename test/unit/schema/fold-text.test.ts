/** `foldText`: the text it changes, the text it keeps, and that folding is idempotent. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '../../any-text.ts';
import { holds } from '../../seed.ts';
import { foldText } from '../../../src/schema/companion-values.ts';

describe('foldText', () => {
  it.each([
    ['ÄBC', 'äbc'],
    ['E\u0301COLE', 'école'],
    ['Straße', 'straße'],
    ['STRAẞE', 'straße'],
    ['\u{10400}', '\u{10428}'],
    ['東京', '東京'],
    [' Trailing ', ' trailing '],
    ['', ''],
  ])('folds %j to %j', (text, folded) => {
    expect(foldText(text)).toBe(folded);
  });

  it('keeps accents', () => {
    expect(foldText('É')).not.toBe(foldText('E'));
  });

  it('makes composed and decomposed text equal, also if only the lower case has a composed form', () => {
    expect(foldText('e\u0301')).toBe(foldText('\u00c9'));
    expect(foldText('J\u030c')).toBe(foldText('\u01f0'));
  });

  it('lower-cases every sigma to σ, so that a part of a word is found in the word', () => {
    expect(foldText('ΟΔΥΣΣΕΥΣ')).toBe('οδυσσευσ');
    expect(foldText('οδός')).toBe(foldText('ΟΔΌΣ'));
    expect(foldText('ΟΔΥΣΣΕΥΣ')).toContain(foldText('ΟΔΥΣ'));
    expect(foldText('Οδυσσεύς Σας')).toContain(foldText('ΕΎΣ ΣΑΣ'));
  });

  it('lower-cases the dotted capital I to i with a combining dot in every locale', () => {
    expect(foldText('İstanbul')).toBe('i\u0307stanbul');
    expect(foldText('I')).toBe('i');
    expect(foldText('ı')).toBe('ı');
  });

  it('is idempotent for every code point', () => {
    const unstable: string[] = [];
    for (let point = 0; point <= 0x10ffff; point += 1) {
      const once = foldText(String.fromCodePoint(point));
      if (foldText(once) !== once) unstable.push(point.toString(16));
    }
    expect(unstable).toEqual([]);
  });

  it('is idempotent, gives NFC, and is the same for canonically equivalent texts', async () => {
    const letters = fc.constantFrom(...'ΣσςİIıJjhHẞßÅſKΑ \u0345\u0307\u030c\u0301\u0331\u00ad');
    const texts = fc.oneof(fc.string({ unit: letters }), anyText());
    await holds(
      fc.property(texts, (text) => {
        const once = foldText(text);
        expect(foldText(once)).toBe(once);
        expect(once.normalize('NFC')).toBe(once);
        expect(foldText(text.normalize('NFD'))).toBe(once);
      }),
      2000,
    );
  });
});
