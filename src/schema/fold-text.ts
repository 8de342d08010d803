/** Case folding, applied to folded columns, search terms and values of `ilike`. */

/**
 * Folds text for case-insensitive comparison: Unicode NFC, then `String.prototype.toLowerCase`, then NFC again.
 * Accents are kept: `É` folds to `é`, never to `e`. The result does not depend on the locale of the process.
 * An application stores it in the `foldedField` of a field on every write.
 *
 * The second NFC makes folding idempotent, `foldText(foldText(x)) === foldText(x)`: some letters have a composed
 * form only in lower case (`J` + caron becomes `j` + caron, which composes to `ǰ`).
 *
 * Consequences of Unicode lower-casing:
 * - a capital sigma becomes `ς` at the end of a word and `σ` elsewhere; the two remain different letters;
 * - `İ` becomes `i` followed by a combining dot: it contains `i` but does not equal it; `ı` is unchanged;
 * - `ß` is unchanged (it does not equal `ss`), and `ẞ` becomes `ß`.
 */
export function foldText(text: string): string {
  return text.normalize('NFC').toLowerCase().normalize('NFC');
}
